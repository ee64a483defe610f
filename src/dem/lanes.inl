// Four doubles at a time. The kernels are compiled twice, for processors with AVX2 and for all,
// each in a namespace of its own. The including file defines `Lanes` (four doubles), `Mask` (the
// result of a comparison of lanes), `square_root` and ABUT_INLINE.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): loads and stores of unaligned vectors

ABUT_INLINE Lanes splat(double value) { return Lanes{value, value, value, value}; }
ABUT_INLINE Lanes lane_max(const Lanes& a, const Lanes& b) { return a > b ? a : b; }

/// Four vectors.
struct VectorLanes {
  Lanes x, y, z;
};

ABUT_INLINE Lanes dot(const VectorLanes& a, const VectorLanes& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

ABUT_INLINE VectorLanes operator+(const VectorLanes& a, const VectorLanes& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

ABUT_INLINE VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

ABUT_INLINE VectorLanes operator*(const Lanes& a, const VectorLanes& b) {
  return {a * b.x, a * b.y, a * b.z};
}

ABUT_INLINE VectorLanes cross(const VectorLanes& a, const VectorLanes& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ABUT_INLINE VectorLanes select(const Mask& mask, const VectorLanes& a, const VectorLanes& b) {
  return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

using LaneIndices = std::array<Index, 4>;

/// Four consecutive doubles without the alignment of `Lanes`.
using UnalignedLanes [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

ABUT_INLINE Lanes load_lanes(const Vec4& vector) {
  return *reinterpret_cast<const UnalignedLanes*>(&vector);
}

ABUT_INLINE void store_lanes(const Lanes& lanes, Vec4& vector) {
  *reinterpret_cast<UnalignedLanes*>(&vector) = lanes;
}

struct Rows {
  Lanes row[4];  // NOLINT(modernize-avoid-c-arrays): std::array would drop the vector attribute
};

/// Transposes a 4 × 4 matrix.
ABUT_INLINE void transpose(Rows& rows) {
  auto& [a, b, c, d] = rows.row;
  const Lanes ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// Half of a `Vec4`.
using HalfLanes [[gnu::vector_size(16)]] = double;
using UnalignedHalfLanes [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;

/// The same half of two `Vec4`s, joined by the load instruction.
ABUT_INLINE Lanes load_halves(const double* low, const double* high) {
  const HalfLanes first = *reinterpret_cast<const UnalignedHalfLanes*>(low);
  const HalfLanes second = *reinterpret_cast<const UnalignedHalfLanes*>(high);
  return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

/// The vectors with four indices; their fourth values go to `w`.
ABUT_INLINE VectorLanes gather(const Vec4* from, const LaneIndices& indices, Lanes& w) {
  const Vec4& a = from[indices[0]];
  const Vec4& b = from[indices[1]];
  const Vec4& c = from[indices[2]];
  const Vec4& d = from[indices[3]];
  const Lanes xy_even = load_halves(&a.x, &c.x);
  const Lanes xy_odd = load_halves(&b.x, &d.x);
  const Lanes zw_even = load_halves(&a.z, &c.z);
  const Lanes zw_odd = load_halves(&b.z, &d.z);
  w = __builtin_shufflevector(zw_even, zw_odd, 1, 5, 3, 7);
  return {__builtin_shufflevector(xy_even, xy_odd, 0, 4, 2, 6),
          __builtin_shufflevector(xy_even, xy_odd, 1, 5, 3, 7),
          __builtin_shufflevector(zw_even, zw_odd, 0, 4, 2, 6)};
}

/// Adds the first `count` vectors to sums, one after the other: indices may be equal.
ABUT_INLINE void scatter_add(const VectorLanes& added, Vec4* sums, const LaneIndices& indices,
                             std::size_t count) {
  Rows rows{added.x, added.y, added.z, splat(0)};
  transpose(rows);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum = *reinterpret_cast<UnalignedLanes*>(&sums[indices[j]]);
    sum = sum + rows.row[j];
  }
}

/// Adds to a and b of one pair after the other, so that sums do not depend on which pairs form a
/// batch.
ABUT_INLINE void scatter_add(const VectorLanes& added_a, const VectorLanes& added_b, Vec4* sums,
                             const LaneIndices& a, const LaneIndices& b, std::size_t count) {
  Rows rows_a{added_a.x, added_a.y, added_a.z, splat(0)};
  Rows rows_b{added_b.x, added_b.y, added_b.z, splat(0)};
  transpose(rows_a);
  transpose(rows_b);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum_a = *reinterpret_cast<UnalignedLanes*>(&sums[a[j]]);
    sum_a = sum_a + rows_a.row[j];
    auto& sum_b = *reinterpret_cast<UnalignedLanes*>(&sums[b[j]]);
    sum_b = sum_b + rows_b.row[j];
  }
}

/// Four consecutive floats without alignment.
using UnalignedFloats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

/// The first `count` of four floats; the other lanes are 0.
ABUT_INLINE Lanes load_floats(const float* from, std::size_t count) {
  if (count == 4)
    return __builtin_convertvector(*reinterpret_cast<const UnalignedFloats*>(from), Lanes);
  Lanes lanes = splat(0);
  for (std::size_t j = 0; j < count; ++j) lanes[j] = static_cast<double>(from[j]);
  return lanes;
}

ABUT_INLINE void store_floats(const Lanes& lanes, float* to, std::size_t count) {
  if (count == 4)
    *reinterpret_cast<UnalignedFloats*>(to) = __builtin_convertvector(lanes, UnalignedFloats);
  else
    for (std::size_t j = 0; j < count; ++j) to[j] = static_cast<float>(lanes[j]);
}

/// Three components of the springs of pairs at … at + count − 1.
ABUT_INLINE VectorLanes load_springs(float* const* components, std::size_t at, std::size_t count) {
  return {load_floats(components[0] + at, count), load_floats(components[1] + at, count),
          load_floats(components[2] + at, count)};
}

ABUT_INLINE void store_springs(const VectorLanes& spring, float* const* components, std::size_t at,
                               std::size_t count) {
  store_floats(spring.x, components[0] + at, count);
  store_floats(spring.y, components[1] + at, count);
  store_floats(spring.z, components[2] + at, count);
}

/// True in the first `count` lanes.
ABUT_INLINE Mask first_lanes(std::size_t count) {
  const auto signed_count = static_cast<std::int64_t>(count);
  return Lanes{0, 1, 2, 3} < splat(static_cast<double>(signed_count));
}

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
