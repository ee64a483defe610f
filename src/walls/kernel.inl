// The loops of kernel.hpp, compiled once for each kind of machine. Before it is included there are
//   Floats, Bits                          eight floats, and what comparing them gives
//   FourFloats, Doubles, Wholes, FourBits four numbers, and what comparing doubles gives
//   FourWholes                            four of 64 bits
//   load, bits_of, root                   four doubles; one bit a lane; square roots
//   round_down, put_larger, widen         of four doubles, not below 0; to doubles

#include "walls/kernel_pick.inl"
//
#include "walls/kernel_ask.inl"

template <std::size_t D>
constexpr WallKernels<D> kernel_table{load_block<D>, prefilter<D>,     refine<D>,
                                      bound_caps<D>, facets_within<D>, query_packets<D>};
