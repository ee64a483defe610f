// The operations of contact laws for a single contact, outside the SIMD kernels: the same law files
// that the kernels use for `Lanes` give energies and forces in double precision here, with the same
// bits. See lanes.inl.

using Lanes = double;
using Mask = bool;

HWY_INLINE Lanes splat(double value) { return value; }
HWY_INLINE Lanes select(Mask mask, Lanes a, Lanes b) { return mask ? a : b; }
HWY_INLINE Lanes square_root(Lanes a) { return std::sqrt(a); }
HWY_INLINE Lanes negative(Lanes a) { return -a; }
HWY_INLINE Mask is_greater(Lanes a, Lanes b) { return a > b; }
HWY_INLINE Mask is_at_least(Lanes a, Lanes b) { return a >= b; }
HWY_INLINE Mask both(Mask a, Mask b) { return a && b; }
HWY_INLINE Mask first_only(Mask a, Mask b) { return a && !b; }

/// The larger one; b if one of them is NaN.
HWY_INLINE Lanes lane_max(Lanes a, Lanes b) { return a > b ? a : b; }
