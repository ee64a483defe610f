// SIMD types and operations of the kernels, compiled for every instruction set. Included by
// kernels.cpp in the namespace of an instruction set.
//
// `Row` holds the four doubles of a `Vec4`. `Lanes` holds `lane_count` doubles, one per contact. No
// operation depends on the number of lanes, so that results are bitwise identical for all
// instruction sets.

// ---- the four doubles of a Vec4

#undef ABUT_FOUR_LANES
#if HWY_MAX_BYTES >= 32

#define ABUT_FOUR_LANES 1
using RowTag = hn::FixedTag<double, 4>;
using Row = hn::Vec<RowTag>;

HWY_INLINE Row load_row(const Vec4& from) { return hn::LoadU(RowTag(), &from.x); }
HWY_INLINE void store_row(Row row, Vec4& to) { hn::StoreU(row, RowTag(), &to.x); }
HWY_INLINE Row splat_row(double value) { return hn::Set(RowTag(), value); }
HWY_INLINE Row row_max(Row a, Row b) { return hn::IfThenElse(hn::Gt(a, b), a, b); }
HWY_INLINE Row row_min(Row a, Row b) { return hn::IfThenElse(hn::Lt(a, b), a, b); }

/// Combines tests of rows; `all_true` ignores the fourth component.
struct RowTest {
  hn::Mask<RowTag> passed;

  HWY_INLINE static RowTest start() { return {hn::FirstN(RowTag(), 4)}; }
  HWY_INLINE void require_between(Row low, Row row, Row high) {
    passed = hn::And(passed, hn::And(hn::Ge(row, low), hn::Le(row, high)));
  }
  [[nodiscard]] HWY_INLINE bool all_true() const {
    return hn::CountTrue(RowTag(), hn::And(passed, hn::FirstN(RowTag(), 3))) == 3;
  }
};

#else

#define ABUT_FOUR_LANES 0
using Row = Vec4;

HWY_INLINE Row operator+(const Row& a, const Row& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
HWY_INLINE Row operator-(const Row& a, const Row& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
HWY_INLINE Row operator*(const Row& a, const Row& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
HWY_INLINE Row load_row(const Vec4& from) { return from; }
HWY_INLINE void store_row(const Row& row, Vec4& to) { to = row; }
HWY_INLINE Row splat_row(double value) { return {value, value, value, value}; }
HWY_INLINE Row row_max(const Row& a, const Row& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z,
          a.w > b.w ? a.w : b.w};
}
HWY_INLINE Row row_min(const Row& a, const Row& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z,
          a.w < b.w ? a.w : b.w};
}

/// Combines tests of rows; `all_true` ignores the fourth component.
struct RowTest {
  bool passed;

  HWY_INLINE static RowTest start() { return {true}; }
  HWY_INLINE void require_between(const Row& low, const Row& row, const Row& high) {
    passed = passed && row.x >= low.x && row.x <= high.x && row.y >= low.y && row.y <= high.y &&
             row.z >= low.z && row.z <= high.z;
  }
  [[nodiscard]] HWY_INLINE bool all_true() const { return passed; }
};

#endif

// ---- a double per contact

// The operations of contact laws, together with + − * / and those of vector_lanes.inl; scalars.inl
// has the same for a single contact.

#if HWY_MAX_BYTES == 32

/// Two vectors: the roots and quotients of a contact depend on each other, so that a single vector
/// would leave most of the processor idle.
constexpr std::size_t lane_count = 8;
struct Lanes {
  Row low, high;
};
struct Mask {
  hn::Mask<RowTag> low, high;
};

HWY_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  return {a.low + b.low, a.high + b.high};
}
HWY_INLINE Lanes operator-(const Lanes& a, const Lanes& b) {
  return {a.low - b.low, a.high - b.high};
}
HWY_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  return {a.low * b.low, a.high * b.high};
}
HWY_INLINE Lanes operator/(const Lanes& a, const Lanes& b) {
  return {a.low / b.low, a.high / b.high};
}
HWY_INLINE Lanes splat(double value) { return {splat_row(value), splat_row(value)}; }
HWY_INLINE Lanes load(const double* from) {
  return {hn::Load(RowTag(), from), hn::Load(RowTag(), from + 4)};
}
HWY_INLINE void store(const Lanes& lanes, double* to) {
  hn::Store(lanes.low, RowTag(), to);
  hn::Store(lanes.high, RowTag(), to + 4);
}
HWY_INLINE Lanes select(const Mask& mask, const Lanes& a, const Lanes& b) {
  return {hn::IfThenElse(mask.low, a.low, b.low), hn::IfThenElse(mask.high, a.high, b.high)};
}
HWY_INLINE Lanes square_root(const Lanes& a) { return {hn::Sqrt(a.low), hn::Sqrt(a.high)}; }
HWY_INLINE Lanes negative(const Lanes& a) { return {hn::Neg(a.low), hn::Neg(a.high)}; }
HWY_INLINE Mask is_greater(const Lanes& a, const Lanes& b) {
  return {hn::Gt(a.low, b.low), hn::Gt(a.high, b.high)};
}
HWY_INLINE Mask is_at_least(const Lanes& a, const Lanes& b) {
  return {hn::Ge(a.low, b.low), hn::Ge(a.high, b.high)};
}
HWY_INLINE Mask both(const Mask& a, const Mask& b) {
  return {hn::And(a.low, b.low), hn::And(a.high, b.high)};
}
HWY_INLINE Mask first_only(const Mask& a, const Mask& b) {
  return {hn::AndNot(b.low, a.low), hn::AndNot(b.high, a.high)};
}

/// Whether the number of a lane is less than `count`.
HWY_INLINE Mask first_lanes(std::size_t count) {
  return {hn::FirstN(RowTag(), count), hn::FirstN(RowTag(), count < 4 ? 0 : count - 4)};
}

/// The numbers at the given positions.
HWY_INLINE Lanes gather(const double* from, const std::int64_t* positions) {
  const hn::RebindToSigned<RowTag> tag;
  return {hn::GatherIndex(RowTag(), from, hn::Load(tag, positions)),
          hn::GatherIndex(RowTag(), from, hn::Load(tag, positions + 4))};
}

#else

using LaneTag = hn::CappedTag<double, 8>;
using Lanes = hn::Vec<LaneTag>;
using Mask = hn::Mask<LaneTag>;
constexpr std::size_t lane_count = hn::MaxLanes(LaneTag());

HWY_INLINE Lanes splat(double value) { return hn::Set(LaneTag(), value); }
HWY_INLINE Lanes load(const double* from) { return hn::Load(LaneTag(), from); }
HWY_INLINE void store(Lanes lanes, double* to) { hn::Store(lanes, LaneTag(), to); }
HWY_INLINE Lanes select(Mask mask, Lanes a, Lanes b) { return hn::IfThenElse(mask, a, b); }
HWY_INLINE Lanes square_root(Lanes a) { return hn::Sqrt(a); }
HWY_INLINE Lanes negative(Lanes a) { return hn::Neg(a); }
HWY_INLINE Mask is_greater(Lanes a, Lanes b) { return hn::Gt(a, b); }
HWY_INLINE Mask is_at_least(Lanes a, Lanes b) { return hn::Ge(a, b); }
HWY_INLINE Mask both(Mask a, Mask b) { return hn::And(a, b); }
HWY_INLINE Mask first_only(Mask a, Mask b) { return hn::AndNot(b, a); }

/// Whether the number of a lane is less than `count`.
HWY_INLINE Mask first_lanes(std::size_t count) { return hn::FirstN(LaneTag(), count); }

/// The numbers at the given positions.
HWY_INLINE Lanes gather(const double* from, const std::int64_t* positions) {
  return hn::GatherIndex(LaneTag(), from, hn::Load(hn::RebindToSigned<LaneTag>(), positions));
}

#endif

/// The larger one; b if one of them is NaN.
HWY_INLINE Lanes lane_max(const Lanes& a, const Lanes& b) { return select(is_greater(a, b), a, b); }
