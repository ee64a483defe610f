// The loops over pairs that touch, four at a time. Included once for processors with AVX2 and once
// for any, in a namespace of its own each, after  Lanes  (four doubles), Mask, and  root  of them.

// NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): that is how vectors are loaded

ABUT_INLINE Lanes splat(double value) { return Lanes{value, value, value, value}; }
ABUT_INLINE Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
ABUT_INLINE Lanes smaller(const Lanes& a, const Lanes& b) { return a < b ? a : b; }

// The first of them has what the others use.
// clang-format off
#include "dem/laws/touch.inl"
#include "dem/laws/hooke.inl"
#include "dem/laws/hertz.inl"
#include "dem/laws/give_way.inl"
#include "dem/laws/coulomb.inl"
#include "dem/laws/rolling.inl"
#include "dem/laws/cohesion.inl"
// clang-format on

using Four = std::array<Index, 4>;

/// Four doubles anywhere in memory, seen as lanes.
using Loose [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

ABUT_INLINE Lanes lanes_of(const Record& record) {
  return *reinterpret_cast<const Loose*>(&record);
}

struct Rows {
  Lanes at[4];  // NOLINT(modernize-avoid-c-arrays): std::array drops what makes a type a vector
};

/// Rows to columns, and back.
ABUT_INLINE void transpose(Rows& rows) {
  auto& [a, b, c, d] = rows.at;
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
using Half [[gnu::vector_size(16)]] = double;
using LooseHalf [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = double;

/// The same half of two records: the processor joins them as it loads.
ABUT_INLINE Lanes halves_of(const double* low, const double* high) {
  const Half first = *reinterpret_cast<const LooseHalf*>(low);
  const Half second = *reinterpret_cast<const LooseHalf*>(high);
  return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

ABUT_INLINE Vector gather(const Record* from, const Four& which, Lanes& w) {
  const Record& a = from[which[0]];
  const Record& b = from[which[1]];
  const Record& c = from[which[2]];
  const Record& d = from[which[3]];
  const Lanes xy_even = halves_of(&a.x, &c.x);
  const Lanes xy_odd = halves_of(&b.x, &d.x);
  const Lanes zw_even = halves_of(&a.z, &c.z);
  const Lanes zw_odd = halves_of(&b.z, &d.z);
  w = __builtin_shufflevector(zw_even, zw_odd, 1, 5, 3, 7);
  return {__builtin_shufflevector(xy_even, xy_odd, 0, 4, 2, 6),
          __builtin_shufflevector(xy_even, xy_odd, 1, 5, 3, 7),
          __builtin_shufflevector(zw_even, zw_odd, 0, 4, 2, 6)};
}

/// To one particle after the other: some of the four may be the same.
ABUT_INLINE void add(const Vector& what, Record* to, const Four& which, std::size_t count) {
  Rows rows{what.x, what.y, what.z, splat(0)};
  transpose(rows);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum = *reinterpret_cast<Loose*>(&to[which[j]]);
    sum = sum + rows.at[j];
  }
}

/// To a and b of one pair after the other: then sums do not depend on which four come together.
ABUT_INLINE void add(const Vector& to_a, const Vector& to_b, Record* to, const Four& a,
                     const Four& b, std::size_t count) {
  Rows rows_a{to_a.x, to_a.y, to_a.z, splat(0)};
  Rows rows_b{to_b.x, to_b.y, to_b.z, splat(0)};
  transpose(rows_a);
  transpose(rows_b);
  for (std::size_t j = 0; j < count; ++j) {
    auto& sum_a = *reinterpret_cast<Loose*>(&to[a[j]]);
    sum_a = sum_a + rows_a.at[j];
    auto& sum_b = *reinterpret_cast<Loose*>(&to[b[j]]);
    sum_b = sum_b + rows_b.at[j];
  }
}

/// The same four times.
ABUT_INLINE Constants constants_of(const LawConstants& law) {
  return {splat(law.stiffness),
          splat(law.tangential_stiffness),
          splat(law.damping),
          splat(law.damping_rate),
          splat(law.damping_factor),
          splat(law.tangential_damping),
          splat(law.give),
          splat(law.friction),
          splat(law.rolling_friction),
          splat(law.reach),
          splat(law.least_force)};
}

ABUT_INLINE Constants constants_of(const std::array<const LawConstants*, 4>& laws) {
  if (laws[1] == laws[0] && laws[2] == laws[0] && laws[3] == laws[0]) return constants_of(*laws[0]);
  const auto each = [&](double LawConstants::*field) {
    return Lanes{laws[0]->*field, laws[1]->*field, laws[2]->*field, laws[3]->*field};
  };
  return {each(&LawConstants::stiffness),
          each(&LawConstants::tangential_stiffness),
          each(&LawConstants::damping),
          each(&LawConstants::damping_rate),
          each(&LawConstants::damping_factor),
          each(&LawConstants::tangential_damping),
          each(&LawConstants::give),
          each(&LawConstants::friction),
          each(&LawConstants::rolling_friction),
          each(&LawConstants::reach),
          each(&LawConstants::least_force)};
}

/// The laws, one after the other.
template <class Normal, bool Rough, bool Counts>
ABUT_INLINE Answered<Counts> answer(const ForceRules& rules, const Constants& law,
                                    const Touch& touch, ContactSprings& spring) {
  const Lanes none = splat(0);
  const Stiffness stiff = Normal::stiffness(rules, law, touch);
  const Lanes parting = dot(touch.velocity, touch.normal);
  const Lanes elastic = touch.touching ? stiff.normal * touch.overlap : none;
  Answered<Counts> result{};
  result.normal_force =
      touch.touching ? larger(elastic - stiff.damping * parting, law.least_force) : none;
  if constexpr (Counts) {
    result.stored = splat(Normal::stored) * elastic * touch.overlap;
    result.lost = splat(rules.step) * (elastic - result.normal_force) * parting;
  }
  if constexpr (Rough) {
    rub(law, touch, stiff, rules.step, spring.friction, result);
    if (rules.rolls) resist_rolling(law, touch, stiff, rules.step, spring.rolling, result);
  }
  if (rules.coheres) cohere(touch, stiff, parting, rules.step, result);
  return result;
}

/// One lane after the other: those of contacts that do not touch, of which there are more or fewer
/// with every search, then change no bit.
ABUT_INLINE void add_up(const Answered<true>& felt, const Mask& valid, ContactEnergy& sum) {
  for (std::size_t j = 0; j < 4; ++j)
    if (valid[j] != 0) sum += {felt.stored[j], felt.across[j], felt.lost[j]};
}

/// Four numbers of single precision anywhere in memory.
using LooseFloats [[gnu::vector_size(16), gnu::aligned(4), gnu::may_alias]] = float;

ABUT_INLINE Lanes some_of(const float* from, std::size_t count) {
  if (count == 4)
    return __builtin_convertvector(*reinterpret_cast<const LooseFloats*>(from), Lanes);
  Lanes lanes = splat(0);
  for (std::size_t j = 0; j < count; ++j) lanes[j] = static_cast<double>(from[j]);
  return lanes;
}

ABUT_INLINE void put_some(const Lanes& lanes, float* to, std::size_t count) {
  if (count == 4)
    *reinterpret_cast<LooseFloats*>(to) = __builtin_convertvector(lanes, LooseFloats);
  else
    for (std::size_t j = 0; j < count; ++j) to[j] = static_cast<float>(lanes[j]);
}

/// The springs of four pairs, or of the last ones of a run: three axes of them.
ABUT_INLINE Vector springs_of(float* const* axes, std::size_t at, std::size_t count) {
  return {some_of(axes[0] + at, count), some_of(axes[1] + at, count), some_of(axes[2] + at, count)};
}

ABUT_INLINE void put_springs(const Vector& spring, float* const* axes, std::size_t at,
                             std::size_t count) {
  put_some(spring.x, axes[0] + at, count);
  put_some(spring.y, axes[1] + at, count);
  put_some(spring.z, axes[2] + at, count);
}

/// The first so many lanes.
ABUT_INLINE Mask first_lanes(std::size_t count) {
  const auto many = static_cast<std::int64_t>(count);
  return Lanes{0, 1, 2, 3} < splat(static_cast<double>(many));
}

/// Four pairs on their way through the stages of a loop.
template <bool Rough, bool Counts>
struct Quad {
  Four a;
  Four to;  ///< where what b feels is put
  Lanes radius_a, radius_b;
  Touch touch;
  Vector force;
  Vector twist_a, twist_b;
};

/// Pairs go through the loop some dozens at a time, stage by stage: first who meets whom, then the
/// laws, then the sums. Within a stage one four does not wait for another, so that roots and
/// quotients of several are under way at once.
template <class Normal, bool Rough, bool Counts>
struct PairLoop {
  static constexpr std::size_t most = 16;  ///< fours at a time: they stay in the nearest cache
  using Quads = std::array<Quad<Rough, Counts>, most>;

  const ForceRules& rules;
  const ParticleRecords& particles;
  const PairRun& run;
  Constants common;  ///< of all pairs, where there is one material
  Index slot;
  ContactEnergy energy{};

  /// The constants of four pairs, in a place of their own unless they are those of all.
  ABUT_INLINE const Constants& constants(const Four& a, const Four& b, Constants& own) const {
    if (rules.laws->materials == 1) return common;
    std::array<const LawConstants*, 4> laws;
    for (std::size_t j = 0; j < 4; ++j)
      laws[j] = &rules.laws->between(particles.material[a[j]], particles.material[b[j]]);
    own = constants_of(laws);
    return own;
  }

  /// Where what b feels is put: with b, or in the next slot if it is not of this run.
  ABUT_INLINE void aim(Four& b, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      const bool own = b[j] < run.end;
      b[j] = own ? b[j] : slot;
      slot += own ? 0 : 1;
    }
  }

  ABUT_INLINE void shift(std::size_t at, std::size_t count, Vector& apart) const {
    Four images{};
    for (std::size_t j = 0; j < count; ++j) images[j] = run.image[at + j];
    Lanes unused;
    apart = apart - gather(run.shifts, images, unused);
  }

  /// Asks for what a pair will need some time later.
  ABUT_INLINE void ask_for(std::size_t at) const {
    const Index b = run.pairs[at].b;
    __builtin_prefetch(&particles.place[b]);
    __builtin_prefetch(&particles.velocity[b]);
    if constexpr (Rough) __builtin_prefetch(&particles.spin[b]);
  }

  /// Pairs at … at + count − 1, at most four: how they meet.
  ABUT_INLINE void meet(std::size_t at, std::size_t count, Quad<Rough, Counts>& quad) {
    Four b;
    for (std::size_t j = 0; j < 4; ++j) {
      const Pair& pair = run.pairs[at + (j < count ? j : 0)];
      quad.a[j] = pair.a;
      b[j] = pair.b;
    }
    const Four& a = quad.a;
    Lanes radius_a;
    Lanes radius_b;
    Vector apart = gather(particles.place, a, radius_a) - gather(particles.place, b, radius_b);
    if (run.image != nullptr) shift(at, count, apart);
    const Lanes square = dot(apart, apart);
    const Lanes radii = radius_a + radius_b;
    Touch& touch = quad.touch;
    const Mask valid = count == 4 ? ~Mask{} : first_lanes(count);
    touch.touching = valid & (square < radii * radii);
    touch.reached = touch.touching;
    if (rules.coheres) {
      Constants own;
      const Lanes reach = radii + constants(a, b, own).reach;
      touch.reached = valid & (square <= reach * reach);
    }
    const Lanes distance = root(square);
    const Lanes none = splat(0);
    const Lanes inverse = distance > none ? splat(1) / distance : none;
    touch.normal = inverse * apart;
    touch.overlap = radii - distance;
    Lanes inverse_mass_a;
    Lanes inverse_mass_b;
    touch.velocity = gather(particles.velocity, a, inverse_mass_a) -
                     gather(particles.velocity, b, inverse_mass_b);
    touch.mass = splat(1) / (inverse_mass_a + inverse_mass_b);
    if (Normal::needs_radius || rules.rolls) touch.radius = radius_a * radius_b / radii;
    if constexpr (Rough) {
      Lanes inverse_a;
      Lanes inverse_b;
      const Vector spin_a = gather(particles.spin, a, inverse_a);
      const Vector spin_b = gather(particles.spin, b, inverse_b);
      touch.velocity = touch.velocity - cross(radius_a * spin_a + radius_b * spin_b, touch.normal);
      if (rules.rolls) {
        touch.spin = spin_a - spin_b;
        touch.inertia = splat(1) / (inverse_a + inverse_b);
      }
      quad.radius_a = radius_a;
      quad.radius_b = radius_b;
    }
    quad.to = b;
    aim(quad.to, count);
  }

  /// What the laws answer.
  ABUT_INLINE void answer_to(std::size_t at, std::size_t count, Quad<Rough, Counts>& quad) {
    const Touch& touch = quad.touch;
    Four b;
    for (std::size_t j = 0; j < 4; ++j) b[j] = run.pairs[at + (j < count ? j : 0)].b;
    Constants own;
    const Constants& law = constants(quad.a, b, own);
    ContactSprings spring{};
    if constexpr (Rough) {
      spring.friction = springs_of(run.spring.data(), at, count);
      if (rules.rolls) spring.rolling = springs_of(run.spring.data() + 3, at, count);
    }
    const auto felt = answer<Normal, Rough, Counts>(rules, law, touch, spring);
    quad.force = felt.normal_force * touch.normal;
    if constexpr (Rough) {
      quad.force = quad.force + felt.tangential_force;
      put_springs(spring.friction, run.spring.data(), at, count);
      if (rules.rolls) put_springs(spring.rolling, run.spring.data() + 3, at, count);
      const Vector lever = cross(felt.tangential_force, touch.normal);
      quad.twist_a = quad.radius_a * lever + felt.torque;
      quad.twist_b = quad.radius_b * lever - felt.torque;
    }
    if constexpr (Counts) {
      const Mask valid = first_lanes(count);
      add_up(felt, valid, energy);
    }
  }

  ABUT_INLINE void hand_out(std::size_t count, const Quad<Rough, Counts>& quad) const {
    add(quad.force, splat(-1) * quad.force, particles.push, quad.a, quad.to, count);
    if constexpr (Rough) add(quad.twist_a, quad.twist_b, particles.twist, quad.a, quad.to, count);
  }

  /// Pairs first … last − 1, at most so many as there are quads for.
  ABUT_INLINE void some(std::size_t first, std::size_t last, Quads& quads) {
    const auto each = [&](const auto& stage) {
      std::size_t q = 0;
      for (std::size_t at = first; at + 4 <= last; at += 4) stage(at, 4, quads[q++]);
      if (const std::size_t rest = (last - first) % 4; rest > 0) stage(last - rest, rest, quads[q]);
    };
    for (std::size_t at = last; at < std::min(run.count, last + 4 * most); ++at) ask_for(at);
    each([&](std::size_t at, std::size_t count, auto& quad) { meet(at, count, quad); });
    each([&](std::size_t at, std::size_t count, auto& quad) { answer_to(at, count, quad); });
    each([&](std::size_t, std::size_t count, auto& quad) { hand_out(count, quad); });
  }
};

template <class Normal, bool Rough, bool Counts>
ContactEnergy pair_forces(const ForceRules& rules, const ParticleRecords& particles,
                          const PairRun& run) {
  using Loop = PairLoop<Normal, Rough, Counts>;
  Loop loop{rules, particles, run, constants_of(rules.laws->pairs.front()), run.first_slot};
  typename Loop::Quads quads;
  for (std::size_t at = 0; at < run.count; at += 4 * Loop::most)
    loop.some(at, std::min(run.count, at + 4 * Loop::most), quads);
  return loop.energy;
}

#include "dem/wall_forces.inl"

// NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
