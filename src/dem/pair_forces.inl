// The loops over pairs that touch, four at a time. Included once for processors with AVX2 and once
// for any, in a namespace of its own each, after  Lanes  (four doubles), Mask, and  root  of them.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

ABUT_INLINE Lanes splat(double value) { return Lanes{value, value, value, value}; }
ABUT_INLINE Lanes lane_max(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
ABUT_INLINE Lanes lane_min(const Lanes& a, const Lanes& b) { return a < b ? a : b; }

// The first of them has what the others use.
// clang-format off
#include "dem/laws/contact.inl"
#include "dem/laws/hooke.inl"
#include "dem/laws/hertz.inl"
#include "dem/laws/spring_slider.inl"
#include "dem/laws/coulomb.inl"
#include "dem/laws/rolling.inl"
#include "dem/laws/cohesion.inl"
// clang-format on

using LaneIndices = std::array<Index, 4>;

/// Four doubles anywhere in memory, seen as lanes.
using UnalignedLanes [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

ABUT_INLINE Lanes load_lanes(const Vec4& record) {
  return *reinterpret_cast<const UnalignedLanes*>(&record);
}

struct Rows {
  Lanes row[4];  // NOLINT(modernize-avoid-c-arrays): std::array drops what makes a type a vector
};

/// Rows to columns, and back.
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

/// Half a record, seen as two lanes.
using HalfLanes [[gnu::vector_size(16)]] = double;
using UnalignedHalfLanes [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;

/// The same half of two records: the processor joins them as it loads.
ABUT_INLINE Lanes load_halves(const double* low, const double* high) {
  const HalfLanes first = *reinterpret_cast<const UnalignedHalfLanes*>(low);
  const HalfLanes second = *reinterpret_cast<const UnalignedHalfLanes*>(high);
  return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

ABUT_INLINE VectorLanes gather(const Vec4* from, const LaneIndices& which, Lanes& w) {
  const Vec4& a = from[which[0]];
  const Vec4& b = from[which[1]];
  const Vec4& c = from[which[2]];
  const Vec4& d = from[which[3]];
  const Lanes xy_even = load_halves(&a.x, &c.x);
  const Lanes xy_odd = load_halves(&b.x, &d.x);
  const Lanes zw_even = load_halves(&a.z, &c.z);
  const Lanes zw_odd = load_halves(&b.z, &d.z);
  w = __builtin_shufflevector(zw_even, zw_odd, 1, 5, 3, 7);
  return {__builtin_shufflevector(xy_even, xy_odd, 0, 4, 2, 6),
          __builtin_shufflevector(xy_even, xy_odd, 1, 5, 3, 7),
          __builtin_shufflevector(zw_even, zw_odd, 0, 4, 2, 6)};
}

/// To one particle after the other: some of the four may be the same.
ABUT_INLINE void scatter_add(const VectorLanes& what, Vec4* to, const LaneIndices& which,
                             std::size_t count) {
  Rows rows{what.x, what.y, what.z, splat(0)};
  transpose(rows);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum = *reinterpret_cast<UnalignedLanes*>(&to[which[j]]);
    sum = sum + rows.row[j];
  }
}

/// To a and b of one pair after the other: then sums do not depend on which four come together.
ABUT_INLINE void scatter_add(const VectorLanes& to_a, const VectorLanes& to_b, Vec4* to,
                             const LaneIndices& a, const LaneIndices& b, std::size_t count) {
  Rows rows_a{to_a.x, to_a.y, to_a.z, splat(0)};
  Rows rows_b{to_b.x, to_b.y, to_b.z, splat(0)};
  transpose(rows_a);
  transpose(rows_b);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum_a = *reinterpret_cast<UnalignedLanes*>(&to[a[j]]);
    sum_a = sum_a + rows_a.row[j];
    auto& sum_b = *reinterpret_cast<UnalignedLanes*>(&to[b[j]]);
    sum_b = sum_b + rows_b.row[j];
  }
}

/// The same four times.
ABUT_INLINE CoefficientLanes load_coefficients(const ContactCoefficients& law) {
  return {splat(law.stiffness),
          splat(law.tangential_stiffness),
          splat(law.damping),
          splat(law.damping_rate),
          splat(law.damping_factor),
          splat(law.tangential_damping),
          splat(law.tangential_compliance),
          splat(law.friction),
          splat(law.rolling_friction),
          splat(law.cohesion_range),
          splat(law.min_normal_force)};
}

ABUT_INLINE CoefficientLanes
load_coefficients(const std::array<const ContactCoefficients*, 4>& laws) {
  if (laws[1] == laws[0] && laws[2] == laws[0] && laws[3] == laws[0])
    return load_coefficients(*laws[0]);
  const auto each = [&](double ContactCoefficients::*field) {
    return Lanes{laws[0]->*field, laws[1]->*field, laws[2]->*field, laws[3]->*field};
  };
  return {each(&ContactCoefficients::stiffness),
          each(&ContactCoefficients::tangential_stiffness),
          each(&ContactCoefficients::damping),
          each(&ContactCoefficients::damping_rate),
          each(&ContactCoefficients::damping_factor),
          each(&ContactCoefficients::tangential_damping),
          each(&ContactCoefficients::tangential_compliance),
          each(&ContactCoefficients::friction),
          each(&ContactCoefficients::rolling_friction),
          each(&ContactCoefficients::cohesion_range),
          each(&ContactCoefficients::min_normal_force)};
}

/// The laws, one after the other.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE ContactResponse<Counts> contact_response(const ForceParameters& rules,
                                                     const CoefficientLanes& law,
                                                     const ContactGeometry& touch,
                                                     ContactSprings& spring) {
  const Lanes none = splat(0);
  const Stiffness stiff = Normal::stiffness(rules, law, touch);
  const Lanes parting = dot(touch.velocity, touch.normal);
  const Lanes elastic = touch.touching ? stiff.normal * touch.overlap : none;
  ContactResponse<Counts> result{};
  result.normal_force =
      touch.touching ? lane_max(elastic - stiff.damping * parting, law.min_normal_force) : none;
  if constexpr (Counts) {
    result.normal_energy = splat(Normal::energy_factor) * elastic * touch.overlap;
    result.dissipated = splat(rules.time_step) * (elastic - result.normal_force) * parting;
  }
  if constexpr (Rough) {
    add_friction_force(law, touch, stiff, rules.time_step, spring.friction, result);
    if (rules.has_rolling)
      add_rolling_resistance(law, touch, stiff, rules.time_step, spring.rolling, result);
  }
  if (rules.has_cohesion) add_cohesion_force(touch, stiff, parting, rules.time_step, result);
  return result;
}

/// One lane after the other: those of contacts that do not touch, of which there are more or fewer
/// with every search, then change no bit.
ABUT_INLINE void accumulate(const ContactResponse<true>& felt, const Mask& valid,
                            ContactEnergy& sum) {
  for (std::size_t j = 0; j < 4; ++j)
    if (valid[j] != 0)
      sum += {felt.normal_energy[j], felt.tangential_energy[j], felt.dissipated[j]};
}

/// Four numbers of single precision anywhere in memory.
using UnalignedFloats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

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

/// The springs of four pairs, or of the last ones of a run: three axes of them.
ABUT_INLINE VectorLanes load_springs(float* const* axes, std::size_t at, std::size_t count) {
  return {load_floats(axes[0] + at, count), load_floats(axes[1] + at, count),
          load_floats(axes[2] + at, count)};
}

ABUT_INLINE void store_springs(const VectorLanes& spring, float* const* axes, std::size_t at,
                               std::size_t count) {
  store_floats(spring.x, axes[0] + at, count);
  store_floats(spring.y, axes[1] + at, count);
  store_floats(spring.z, axes[2] + at, count);
}

/// The first so many lanes.
ABUT_INLINE Mask first_lanes(std::size_t count) {
  const auto many = static_cast<std::int64_t>(count);
  return Lanes{0, 1, 2, 3} < splat(static_cast<double>(many));
}

/// Four pairs on their way through the stages of a loop.
template <bool Rough, bool Counts>
struct ContactBatch {
  LaneIndices a;
  LaneIndices target_b;  ///< where what b feels is put
  Lanes radius_a, radius_b;
  ContactGeometry contact;
  VectorLanes force;
  VectorLanes torque_a, torque_b;
};

/// Pairs go through the loop some dozens at a time, stage by stage: first who meets whom, then the
/// laws, then the sums. Within a stage one four does not wait for another, so that roots and
/// quotients of several are under way at once.
template <class Normal, bool Rough, bool Counts>
struct PairKernel {
  static constexpr std::size_t batches_per_block =
      16;  ///< fours at a time: they stay in the nearest cache
  using Batches = std::array<ContactBatch<Rough, Counts>, batches_per_block>;

  const ForceParameters& parameters;
  const ParticleArrays& particles;
  const PairChunk& chunk;
  CoefficientLanes common_coefficients;  ///< of all pairs, where there is one material
  Index slot;
  ContactEnergy energy{};

  /// The constants of four pairs, in a place of their own unless they are those of all.
  ABUT_INLINE const CoefficientLanes& coefficients_for(const LaneIndices& a, const LaneIndices& b,
                                                       CoefficientLanes& own) const {
    if (parameters.coefficients->material_count == 1) return common_coefficients;
    std::array<const ContactCoefficients*, 4> laws;
    for (std::size_t j = 0; j < 4; ++j)
      laws[j] =
          &parameters.coefficients->between(particles.material[a[j]], particles.material[b[j]]);
    own = load_coefficients(laws);
    return own;
  }

  /// Where what b feels is put: with b, or in the next slot if it is not of this run.
  ABUT_INLINE void assign_targets(LaneIndices& b, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      const bool own = b[j] < chunk.particle_end;
      b[j] = own ? b[j] : slot;
      slot += own ? 0 : 1;
    }
  }

  ABUT_INLINE void apply_image_shift(std::size_t at, std::size_t count, VectorLanes& apart) const {
    LaneIndices images{};
    for (std::size_t j = 0; j < count; ++j) images[j] = chunk.image[at + j];
    Lanes unused;
    apart = apart - gather(chunk.image_shifts, images, unused);
  }

  /// Asks for what a pair will need some time later.
  ABUT_INLINE void prefetch(std::size_t at) const {
    const Index b = chunk.pairs[at].b;
    __builtin_prefetch(&particles.position[b]);
    __builtin_prefetch(&particles.velocity[b]);
    if constexpr (Rough) __builtin_prefetch(&particles.angular_velocity[b]);
  }

  /// Pairs at … at + count − 1, at most four: how they meet.
  ABUT_INLINE void compute_geometry(std::size_t at, std::size_t count,
                                    ContactBatch<Rough, Counts>& quad) {
    LaneIndices b;
    for (std::size_t j = 0; j < 4; ++j) {
      const Pair& pair = chunk.pairs[at + (j < count ? j : 0)];
      quad.a[j] = pair.a;
      b[j] = pair.b;
    }
    const LaneIndices& a = quad.a;
    Lanes radius_a;
    Lanes radius_b;
    VectorLanes apart =
        gather(particles.position, a, radius_a) - gather(particles.position, b, radius_b);
    if (chunk.image != nullptr) apply_image_shift(at, count, apart);
    const Lanes square = dot(apart, apart);
    const Lanes radii = radius_a + radius_b;
    ContactGeometry& touch = quad.contact;
    const Mask valid = count == 4 ? ~Mask{} : first_lanes(count);
    touch.touching = valid & (square < radii * radii);
    touch.in_range = touch.touching;
    if (parameters.has_cohesion) {
      CoefficientLanes own;
      const Lanes reach = radii + coefficients_for(a, b, own).cohesion_range;
      touch.in_range = valid & (square <= reach * reach);
    }
    const Lanes distance = square_root(square);
    const Lanes none = splat(0);
    const Lanes inverse = distance > none ? splat(1) / distance : none;
    touch.normal = inverse * apart;
    touch.overlap = radii - distance;
    Lanes inverse_mass_a;
    Lanes inverse_mass_b;
    touch.velocity = gather(particles.velocity, a, inverse_mass_a) -
                     gather(particles.velocity, b, inverse_mass_b);
    touch.mass = splat(1) / (inverse_mass_a + inverse_mass_b);
    if (Normal::needs_radius || parameters.has_rolling) touch.radius = radius_a * radius_b / radii;
    if constexpr (Rough) {
      Lanes inverse_a;
      Lanes inverse_b;
      const VectorLanes spin_a = gather(particles.angular_velocity, a, inverse_a);
      const VectorLanes spin_b = gather(particles.angular_velocity, b, inverse_b);
      touch.velocity = touch.velocity - cross(radius_a * spin_a + radius_b * spin_b, touch.normal);
      if (parameters.has_rolling) {
        touch.angular_velocity = spin_a - spin_b;
        touch.inertia = splat(1) / (inverse_a + inverse_b);
      }
      quad.radius_a = radius_a;
      quad.radius_b = radius_b;
    }
    quad.target_b = b;
    assign_targets(quad.target_b, count);
  }

  /// What the laws answer.
  ABUT_INLINE void compute_forces(std::size_t at, std::size_t count,
                                  ContactBatch<Rough, Counts>& quad) {
    const ContactGeometry& touch = quad.contact;
    LaneIndices b;
    for (std::size_t j = 0; j < 4; ++j) b[j] = chunk.pairs[at + (j < count ? j : 0)].b;
    CoefficientLanes own;
    const CoefficientLanes& law = coefficients_for(quad.a, b, own);
    ContactSprings spring{};
    if constexpr (Rough) {
      spring.friction = load_springs(chunk.spring.data(), at, count);
      if (parameters.has_rolling) spring.rolling = load_springs(chunk.spring.data() + 3, at, count);
    }
    const auto felt = contact_response<Normal, Rough, Counts>(parameters, law, touch, spring);
    quad.force = felt.normal_force * touch.normal;
    if constexpr (Rough) {
      quad.force = quad.force + felt.tangential_force;
      store_springs(spring.friction, chunk.spring.data(), at, count);
      if (parameters.has_rolling) store_springs(spring.rolling, chunk.spring.data() + 3, at, count);
      const VectorLanes lever = cross(felt.tangential_force, touch.normal);
      quad.torque_a = quad.radius_a * lever + felt.torque;
      quad.torque_b = quad.radius_b * lever - felt.torque;
    }
    if constexpr (Counts) {
      const Mask valid = first_lanes(count);
      accumulate(felt, valid, energy);
    }
  }

  ABUT_INLINE void scatter(std::size_t count, const ContactBatch<Rough, Counts>& quad) const {
    scatter_add(quad.force, splat(-1) * quad.force, particles.force, quad.a, quad.target_b, count);
    if constexpr (Rough)
      scatter_add(quad.torque_a, quad.torque_b, particles.torque, quad.a, quad.target_b, count);
  }

  /// Pairs first … last − 1, at most so many as there are quads for.
  ABUT_INLINE void process_block(std::size_t first, std::size_t last, Batches& quads) {
    const auto each = [&](const auto& stage) {
      std::size_t q = 0;
      for (std::size_t at = first; at + 4 <= last; at += 4) stage(at, 4, quads[q++]);
      if (const std::size_t rest = (last - first) % 4; rest > 0) stage(last - rest, rest, quads[q]);
    };
    for (std::size_t at = last; at < std::min(chunk.count, last + 4 * batches_per_block); ++at)
      prefetch(at);
    each([&](std::size_t at, std::size_t count, auto& quad) { compute_geometry(at, count, quad); });
    each([&](std::size_t at, std::size_t count, auto& quad) { compute_forces(at, count, quad); });
    each([&](std::size_t, std::size_t count, auto& quad) { scatter(count, quad); });
  }
};

template <class Normal, bool Rough, bool Counts>
ContactEnergy pair_forces(const ForceParameters& rules, const ParticleArrays& particles,
                          const PairChunk& run) {
  using Loop = PairKernel<Normal, Rough, Counts>;
  Loop loop{rules, particles, run, load_coefficients(rules.coefficients->pairs.front()),
            run.first_slot};
  typename Loop::Batches quads;
  for (std::size_t at = 0; at < run.count; at += 4 * Loop::batches_per_block)
    loop.process_block(at, std::min(run.count, at + 4 * Loop::batches_per_block), quads);
  return loop.energy;
}

#include "dem/wall_forces.inl"

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
