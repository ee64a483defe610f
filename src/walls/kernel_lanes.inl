// SIMD types and operations of the wall kernels. Included by kernel.cpp in the namespace of an
// instruction set.
//
// `Doubles` holds one number per particle, as many as fit into a vector register, but at most four.
// `Float4` and `Float8` hold exactly four and eight numbers, if need be in several registers.

#undef ABUT_ONE_VALUE
#define ABUT_ONE_VALUE (HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR)

/// The larger or smaller number by lane; b if one of them is NaN.
template <class Vector>
HWY_INLINE Vector take_max(Vector a, Vector b) {
#if ABUT_ONE_VALUE  // Highway's functions test for NaN
  return hn::IfThenElse(hn::Gt(a, b), a, b);
#else
  return hn::Max(a, b);
#endif
}
template <class Vector>
HWY_INLINE Vector take_min(Vector a, Vector b) {
#if ABUT_ONE_VALUE
  return hn::IfThenElse(hn::Lt(a, b), a, b);
#else
  return hn::Min(a, b);
#endif
}

template <class Vector>
HWY_INLINE Vector take_abs(Vector a) {
  return hn::Abs(a);
}
template <class Vector>
HWY_INLINE Vector take_sqrt(Vector a) {
  return hn::Sqrt(a);
}
template <class Vector>
HWY_INLINE Vector negated(Vector a) {
  return hn::Neg(a);
}
template <class Mask, class Vector>
HWY_INLINE Vector select(Mask mask, Vector a, Vector b) {
  return hn::IfThenElse(mask, a, b);
}
template <class Mask>
HWY_INLINE Mask both(Mask a, Mask b) {
  return hn::And(a, b);
}

/// One bit per lane.
template <class Tag>
HWY_INLINE unsigned mask_bits(Tag tag, hn::Mask<Tag> mask) {
  std::uint8_t bits = 0;
  hn::StoreMaskBits(tag, mask, &bits);
  return bits;
}

// ---- one double per particle

using DoubleTag = hn::CappedTag<double, 4>;
using Doubles = hn::Vec<DoubleTag>;
using DoubleMask = hn::Mask<DoubleTag>;
using BitsTag = hn::Rebind<std::int64_t, DoubleTag>;  // the bit patterns of doubles
using IntTag = hn::Rebind<std::int32_t, DoubleTag>;
constexpr std::size_t width = hn::MaxLanes(DoubleTag());

HWY_INLINE Doubles splat(double value) { return hn::Set(DoubleTag(), value); }
HWY_INLINE Doubles load(const double* from) { return hn::LoadU(DoubleTag(), from); }
HWY_INLINE void store(Doubles values, double* to) { hn::StoreU(values, DoubleTag(), to); }

/// The lanes value(0), value(1), ….
template <class Tag, class Value>
HWY_INLINE hn::Vec<Tag> make_lanes(Tag tag, const Value& value) {
  auto lanes = hn::Set(tag, value(0));
  if constexpr (hn::MaxLanes(Tag()) > 1) lanes = hn::InsertLane(lanes, 1, value(1));
  if constexpr (hn::MaxLanes(Tag()) > 2) {
    lanes = hn::InsertLane(lanes, 2, value(2));
    lanes = hn::InsertLane(lanes, 3, value(3));
  }
  return lanes;
}

/// from[indices[0]], from[indices[1]], …
HWY_INLINE Doubles gather(const double* from, const std::uint16_t* indices) {
#if HWY_MAX_BYTES >= 32
  const hn::Half<DoubleTag> half;
  const auto two = [&](std::size_t lane) HWY_ATTR {
    return make_lanes(half, [&](std::size_t at) HWY_ATTR { return from[indices[lane + at]]; });
  };
  return hn::Combine(DoubleTag(), two(2), two(0));
#else
  return make_lanes(DoubleTag(), [&](std::size_t at) HWY_ATTR { return from[indices[at]]; });
#endif
}

/// The doubles value(0), value(1), … of integers.
template <class Value>
HWY_INLINE Doubles make_doubles(const Value& value) {
  return hn::PromoteTo(DoubleTag(), make_lanes(IntTag(), value));
}

/// Added to an integer from 0 to 2³², moves it to the low bits of the number.
constexpr double integer_shift = 0x1p52;

/// The integers up to numbers from 0 to 2³¹.
HWY_INLINE Doubles round_down(Doubles values) {
#if ABUT_ONE_VALUE  // Highway's function has branches
  const Doubles nearest = values + splat(integer_shift) - splat(integer_shift);
  return nearest - hn::IfThenElseZero(hn::Gt(nearest, values), splat(1));
#else
  return hn::Floor(values);
#endif
}

/// Stores integers from 0 to 2³¹ as such.
HWY_INLINE void store_integers(Doubles values, std::array<std::uint32_t, width>& to) {
  alignas(32) std::array<std::int64_t, width> bits;
  hn::Store(hn::BitCast(BitsTag(), values + splat(integer_shift)), BitsTag(), bits.data());
  for (std::size_t lane = 0; lane < width; ++lane)
    to[lane] = static_cast<std::uint32_t>(bits[lane]);
}

// ---- four or eight floats

/// Twice as many numbers (or results of comparisons) as `Half` has.
template <class Half>
struct Halves {
  Half low, high;
};

template <class Half>
HWY_INLINE Halves<Half> operator+(Halves<Half> a, Halves<Half> b) {
  return {a.low + b.low, a.high + b.high};
}
template <class Half>
HWY_INLINE Halves<Half> operator-(Halves<Half> a, Halves<Half> b) {
  return {a.low - b.low, a.high - b.high};
}
template <class Half>
HWY_INLINE Halves<Half> operator*(Halves<Half> a, Halves<Half> b) {
  return {a.low * b.low, a.high * b.high};
}
template <class Half>
HWY_INLINE auto operator<(Halves<Half> a, Halves<Half> b) {
  return Halves<decltype(a.low < b.low)>{a.low < b.low, a.high < b.high};
}
template <class Half>
HWY_INLINE auto operator<=(Halves<Half> a, Halves<Half> b) {
  return Halves<decltype(a.low <= b.low)>{a.low <= b.low, a.high <= b.high};
}

template <class Half>
HWY_INLINE Halves<Half> take_max(Halves<Half> a, Halves<Half> b) {
  return {take_max(a.low, b.low), take_max(a.high, b.high)};
}
template <class Half>
HWY_INLINE Halves<Half> take_min(Halves<Half> a, Halves<Half> b) {
  return {take_min(a.low, b.low), take_min(a.high, b.high)};
}
template <class Half>
HWY_INLINE Halves<Half> take_abs(Halves<Half> a) {
  return {take_abs(a.low), take_abs(a.high)};
}
template <class Half>
HWY_INLINE Halves<Half> take_sqrt(Halves<Half> a) {
  return {take_sqrt(a.low), take_sqrt(a.high)};
}
template <class Half>
HWY_INLINE Halves<Half> negated(Halves<Half> a) {
  return {negated(a.low), negated(a.high)};
}
template <class Mask, class Half>
HWY_INLINE Halves<Half> select(Halves<Mask> mask, Halves<Half> a, Halves<Half> b) {
  return {select(mask.low, a.low, b.low), select(mask.high, a.high, b.high)};
}
template <class Mask>
HWY_INLINE Halves<Mask> both(Halves<Mask> a, Halves<Mask> b) {
  return {both(a.low, b.low), both(a.high, b.high)};
}

template <std::size_t N, bool Fits = (N <= hn::MaxLanes(hn::CappedTag<float, N>()))>
struct FloatsOf {
  using Type = hn::Vec<hn::FixedTag<float, N>>;
};
template <std::size_t N>
struct FloatsOf<N, false> {
  using Type = Halves<typename FloatsOf<N / 2>::Type>;
};
using Float4 = FloatsOf<4>::Type;
using Float8 = FloatsOf<8>::Type;

/// Functions of floats in one register, or in halves.
template <class Floats>
struct FloatLanes {
  using Tag = hn::DFromV<Floats>;
  using Mask = hn::Mask<Tag>;
  static constexpr std::size_t count = hn::MaxLanes(Tag());

  HWY_INLINE static Floats splat(float value) { return hn::Set(Tag(), value); }
  HWY_INLINE static Floats load(const float* from) { return hn::LoadU(Tag(), from); }
  HWY_INLINE static Floats from_integers(const std::int8_t* from) {
    const hn::Rebind<std::int32_t, Tag> wide;
    return hn::ConvertTo(Tag(),
                         hn::PromoteTo(wide, hn::LoadU(hn::Rebind<std::int8_t, Tag>(), from)));
  }
  HWY_INLINE static void store(Floats a, float* to) { hn::StoreU(a, Tag(), to); }
  HWY_INLINE static unsigned mask_bits(Mask mask) {
    return ::abut::HWY_NAMESPACE::mask_bits(Tag(), mask);
  }
  HWY_INLINE static float minimum(Floats a) { return hn::GetLane(hn::MinOfLanes(Tag(), a)); }
};

template <class Half>
struct FloatLanes<Halves<Half>> {
  using Floats = Halves<Half>;
  using Part = FloatLanes<Half>;
  using Mask = Halves<typename Part::Mask>;
  static constexpr std::size_t count = 2 * Part::count;

  HWY_INLINE static Floats splat(float value) { return {Part::splat(value), Part::splat(value)}; }
  HWY_INLINE static Floats load(const float* from) {
    return {Part::load(from), Part::load(from + Part::count)};
  }
  HWY_INLINE static Floats from_integers(const std::int8_t* from) {
    return {Part::from_integers(from), Part::from_integers(from + Part::count)};
  }
  HWY_INLINE static void store(Floats a, float* to) {
    Part::store(a.low, to);
    Part::store(a.high, to + Part::count);
  }
  HWY_INLINE static unsigned mask_bits(Mask mask) {
    return Part::mask_bits(mask.low) | Part::mask_bits(mask.high) << Part::count;
  }
  HWY_INLINE static float minimum(Floats a) { return Part::minimum(take_min(a.low, a.high)); }
};

using Lanes4 = FloatLanes<Float4>;
using Lanes8 = FloatLanes<Float8>;

HWY_INLINE float square_root(float value) {
  return hn::GetLane(hn::Sqrt(hn::Set(hn::FixedTag<float, 1>(), value)));
}
