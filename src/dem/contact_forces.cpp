#include "dem/contact_forces.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/buffers.hpp"

namespace abut {
namespace {

constexpr PeriodCounts no_image{};

PeriodCounts opposite_image(const PeriodCounts& image) { return {-image[0], -image[1], -image[2]}; }

// With so many particles, a step finds most of its data in the caches (10 MB).
constexpr std::size_t cached_particles = 65'536;

constexpr std::uint32_t last_stamp = std::numeric_limits<std::uint32_t>::max();

}  // namespace

// ---- ForceSums

void ForceSums::allocate(std::size_t particles, std::size_t slots, ScratchArena& arena) {
  force_ = {};
  torque_ = {};
  arena.reset();
  particle_count_ = particles;
  force_ = arena.allocate<Vec4>(particles + slots);
  if (has_torque_) torque_ = arena.allocate<Vec4>(particles + slots);
}

void ForceSums::resize(std::size_t particles, ScratchArena& arena) {
  const std::size_t kept = std::min(particle_count_, particles);
  const std::vector<Vec4> force(force_.begin(), force_.begin() + static_cast<std::ptrdiff_t>(kept));
  std::vector<Vec4> torque;
  if (has_torque_)
    torque.assign(torque_.begin(), torque_.begin() + static_cast<std::ptrdiff_t>(kept));
  allocate(particles, 0, arena);
  std::ranges::copy(force, force_.begin());
  std::ranges::copy(torque, torque_.begin());
}

void ForceSums::renumber(std::span<const std::uint32_t> new_index, std::size_t remaining) {
  for (std::span<Vec4>* sums : {&force_, &torque_}) {
    if (sums->empty()) continue;
    permute_in_place(sums->first(particle_count_), new_index);
    *sums = sums->first(remaining);
  }
  particle_count_ = remaining;
}

// ---- history and list

void ContactForces::begin_rebuild(const PairRows& rows, ScratchArena& arena) {
  carried_ = {};
  if (is_detached_)
    carry_detached(arena);
  else if (!springs_[0].empty())
    carry_springs(rows, arena);
}

// The springs of the pairs that were touching in the last evaluation.
void ContactForces::carry_springs(const PairRows& rows, ScratchArena& arena) {
  std::size_t count = 0;
  for (const PairSpring& spring : springs_[0]) count += spring.stamp == stamp_ ? 1 : 0;
  carried_.row_begin = arena.allocate<Index>(rows.row_begin.size());
  for (std::size_t s = 0; s < model_->spring_count(); ++s)
    carried_.springs[s] = arena.allocate<CarriedSpring>(count);
  if (!rows.image_index.empty()) carried_.images = arena.allocate<PeriodCounts>(count);
  Index next = 0;
  for (std::size_t a = 0; a < rows.particle_count(); ++a) {
    carried_.row_begin[a] = next;
    for (Index k = rows.row_begin[a]; k < rows.row_begin[a + 1]; ++k) {
      if (!has_spring(k)) continue;
      for (std::size_t s = 0; s < model_->spring_count(); ++s) {
        const PairSpring& spring = springs_[s][k];
        carried_.springs[s][next] = {rows.neighbors[k], spring.x, spring.y, spring.z};
      }
      if (!carried_.images.empty()) carried_.images[next] = rows.image(k);
      ++next;
    }
  }
  carried_.row_begin.back() = next;
}

void ContactForces::carry_detached(ScratchArena& arena) {
  const std::size_t rows = detached_.empty() ? 0 : detached_.back().pair.a + std::size_t{1};
  carried_.row_begin = arena.allocate<Index>(rows + 1);
  for (std::size_t s = 0; s < model_->spring_count(); ++s)
    carried_.springs[s] = arena.allocate<CarriedSpring>(detached_.size());
  carried_.images = arena.allocate<PeriodCounts>(detached_.size());
  std::size_t a = 0;
  for (std::size_t k = 0; k < detached_.size(); ++k) {
    const PairHistory& entry = detached_[k];
    for (; a <= entry.pair.a; ++a) carried_.row_begin[a] = static_cast<Index>(k);
    for (std::size_t s = 0; s < model_->spring_count(); ++s)
      carried_.springs[s][k] = {entry.pair.b, entry.spring[3 * s], entry.spring[3 * s + 1],
                                entry.spring[3 * s + 2]};
    carried_.images[k] = entry.image;
  }
  carried_.row_begin.back() = static_cast<Index>(detached_.size());
  detached_ = {};
  is_detached_ = false;
}

void ContactForces::end_rebuild(const PairRows& rows, const GlobalOrder& order, ScratchArena& arena,
                                const ThreadPool& pool) {
  for (std::size_t s = 0; s < springs_.size(); ++s) {
    springs_[s].clear();
    if (s >= model_->spring_count()) continue;
    reserve_with_slack(springs_[s], rows.pair_count());
    springs_[s].resize(rows.pair_count());  // stamp 0: no spring
  }
  if (!carried_.springs[0].empty()) {
    const Chunks chunks(std::min(rows.row_begin.size(), carried_.row_begin.size()) - 1, 4096);
    const bool has_images = !rows.image_index.empty() || !carried_.images.empty();
    pool.run(chunks.size(), [&](std::size_t chunk, unsigned) {
      for (std::size_t a = chunks.first(chunk); a < chunks.last(chunk); ++a)
        has_images ? assign_row<true>(a, rows) : assign_row<false>(a, rows);
    });
  }
  carried_ = {};
  partition(rows, order, arena);
}

// The rows of both lists are sorted by neighbor and image.
template <bool HasImages>
void ContactForces::assign_row(std::size_t a, const PairRows& rows) {
  const std::size_t spring_count = model_->spring_count();
  const Index end = rows.row_begin[a + 1];
  Index k = rows.row_begin[a];
  for (Index at = carried_.row_begin[a]; at < carried_.row_begin[a + 1]; ++at) {
    const Index b = carried_.springs[0][at].b;
    while (k < end && rows.neighbors[k] < b) ++k;
    if constexpr (HasImages) {
      const PeriodCounts& image = carried_.images.empty() ? no_image : carried_.images[at];
      while (k < end && rows.neighbors[k] == b && rows.image(k) < image) ++k;
      if (k < end && rows.neighbors[k] == b && rows.image(k) != image) continue;
    }
    if (k == end) return;
    if (rows.neighbors[k] != b) continue;
    for (std::size_t s = 0; s < spring_count; ++s) {
      const CarriedSpring& spring = carried_.springs[s][at];
      springs_[s][k] = {spring.x, spring.y, spring.z, stamp_};
    }
  }
}

Spring ContactForces::spring(std::size_t pair) const {
  Spring spring{};
  if (!has_spring(pair)) return spring;
  for (std::size_t s = 0; s < model_->spring_count(); ++s) {
    const PairSpring& from = springs_[s][pair];
    spring[3 * s] = from.x;
    spring[3 * s + 1] = from.y;
    spring[3 * s + 2] = from.z;
  }
  return spring;
}

std::vector<PairHistory> ContactForces::history(const PairRows& rows) const {
  if (is_detached_) return detached_;
  std::vector<PairHistory> history;
  if (springs_[0].empty()) return history;
  rows.for_each_pair([&](Index k, const Pair& pair) {
    if (spring(k) != Spring{}) history.push_back({pair, rows.image(k), spring(k)});
  });
  return history;
}

void ContactForces::restore(std::vector<PairHistory> history) {
  detached_ = std::move(history);
  is_detached_ = true;
}

void ContactForces::renumber(const PairRows& rows, std::span<const std::uint32_t> new_index,
                             std::span<const PeriodCounts> moved_back) {
  std::vector<PairHistory> all = history(rows);
  for (PairHistory& entry : all) {
    for (std::size_t k = 0; k < 3 && !moved_back.empty(); ++k)
      entry.image[k] += moved_back[entry.pair.b][k] - moved_back[entry.pair.a][k];
    entry.pair = {new_index[entry.pair.a], new_index[entry.pair.b]};
    if (entry.pair.a <= entry.pair.b) continue;
    std::swap(entry.pair.a, entry.pair.b);
    entry.image = opposite_image(entry.image);
    for (float& component : entry.spring) component = -component;
  }
  std::ranges::sort(all, [](const PairHistory& x, const PairHistory& y) {
    return x.pair != y.pair ? x.pair < y.pair : x.image < y.image;
  });
  restore(std::move(all));
}

void ContactForces::remove(const PairRows& rows, std::span<const std::uint32_t> new_index) {
  const auto is_left = [&](const Pair& pair) {
    return new_index[pair.a] != removed_particle && new_index[pair.b] != removed_particle;
  };
  if (is_detached_) {
    std::erase_if(detached_, [&](const PairHistory& entry) { return !is_left(entry.pair); });
    for (PairHistory& entry : detached_)
      entry.pair = {new_index[entry.pair.a], new_index[entry.pair.b]};
    return;
  }
  if (springs_[0].empty()) return;
  std::size_t count = 0;
  rows.for_each_pair([&](Index k, const Pair& pair) {
    if (!is_left(pair)) return;
    for (std::size_t s = 0; s < model_->spring_count(); ++s) springs_[s][count] = springs_[s][k];
    ++count;
  });
  for (std::size_t s = 0; s < model_->spring_count(); ++s) springs_[s].resize(count);
}

// ---- chunks and slots

// At least eight chunks keep several threads busy; short chunks need many slots. Only the last
// chunks are short, so that threads finish together.
std::vector<std::uint64_t> chunk_boundaries(std::uint64_t particles) {
  const std::uint64_t length =
      std::clamp<std::uint64_t>(std::bit_floor(particles / 8 + 1), 256, 8192);
  std::vector<std::uint64_t> first{0};
  for (std::uint64_t at = 0; at < particles; first.push_back(at)) {
    const std::uint64_t remaining = particles - at;
    at += std::min(remaining, remaining > 2 * length ? length
                              : remaining > length   ? length / 2
                                                     : length / 4);
  }
  return first;
}

std::size_t ContactForces::chunk_of(Index particle) const {
  // All but the last chunks have the same length.
  const std::size_t guess = particle / std::max<std::size_t>(1, first_particle_[1]);
  if (guess + 1 < first_particle_.size() && particle >= first_particle_[guess] &&
      particle < first_particle_[guess + 1])
    return guess;
  const auto next = std::ranges::upper_bound(first_particle_, particle);
  return static_cast<std::size_t>(next - first_particle_.begin()) - 1;
}

// In a row, the pairs with particles of later chunks come last, so that their slots are
// consecutive. Slots are numbered in the order of pairs; each particle gets its transfers in the
// order of their slots.
void ContactForces::partition(const PairRows& rows, const GlobalOrder& order, ScratchArena& arena) {
  const std::size_t particle_count = rows.particle_count();
  first_particle_.clear();
  for (const std::uint64_t rank : chunk_boundaries(order.total()))
    first_particle_.push_back(order.index_of(rank));
  reserve_with_slack(slot_offset_, particle_count);
  slot_offset_.resize(particle_count);
  const std::span<Index> next = arena.allocate<Index>(particle_count);  // transfer of each particle
  std::ranges::fill(next, 0);
  dependencies_.resize(chunk_count());
  for (auto& chunks : dependencies_) chunks.clear();
  auto slot = static_cast<Index>(particle_count);
  for (std::size_t chunk = 0; chunk < chunk_count(); ++chunk) {
    const std::size_t end = last_particle(chunk);
    for (std::size_t a = first_particle(chunk); a < end; ++a) {
      Index k = rows.row_begin[a + 1];
      for (; k > rows.row_begin[a] && rows.neighbors[k - 1] >= end; --k) {
        ++next[rows.neighbors[k - 1]];
        add_dependency(chunk_of(rows.neighbors[k - 1]), chunk);
      }
      slot_offset_[a] = slot - k;
      slot += rows.row_begin[a + 1] - k;
    }
  }
  Index begin = 0;
  first_transfer_.assign(1, 0);
  for (std::size_t chunk = 0; chunk < chunk_count(); ++chunk) {
    for (std::size_t i = first_particle(chunk); i < last_particle(chunk); ++i)
      begin += std::exchange(next[i], begin);
    first_transfer_.push_back(begin);
  }
  reserve_with_slack(transfers_, begin);
  transfers_.resize(begin);
  for (std::size_t chunk = 0; chunk < chunk_count(); ++chunk) {
    const std::size_t end = last_particle(chunk);
    for (std::size_t a = first_particle(chunk); a < end; ++a) {
      Index k = rows.row_begin[a + 1];
      while (k > rows.row_begin[a] && rows.neighbors[k - 1] >= end) --k;
      for (; k < rows.row_begin[a + 1]; ++k)
        transfers_[next[rows.neighbors[k]]++] = {rows.neighbors[k], k + slot_offset_[a]};
    }
  }
}

void ContactForces::add_dependency(std::size_t chunk, std::size_t on) {
  if (dependencies_[chunk].empty() || dependencies_[chunk].back() != on)
    dependencies_[chunk].push_back(static_cast<std::uint32_t>(on));
}

// ---- evaluation

void ContactForces::begin_evaluation() { stamp_ = stamp_ == last_stamp ? 1 : stamp_ + 1; }

PairChunk ContactForces::pair_chunk(std::size_t chunk, const PairRows& rows) {
  const auto data = [](auto& values) { return values.empty() ? nullptr : values.data(); };
  return {static_cast<Index>(first_particle(chunk)),
          static_cast<Index>(last_particle(chunk)),
          static_cast<Index>(rows.particle_count() - 1),
          static_cast<Index>(std::max<std::size_t>(rows.pair_count(), 1) - 1),
          rows.particle_count() > cached_particles,
          rows.row_begin.data(),
          rows.neighbors.data(),
          slot_offset_.data(),
          data(rows.image_index),
          rows.shifts.data(),
          data(springs_[0]),
          data(springs_[1]),
          stamp_ == 1 ? last_stamp : stamp_ - 1,
          stamp_};
}

ContactEnergy ContactForces::add_pair_forces(std::size_t chunk, const PairRows& rows,
                                             const Particles& particles, double spring_time_step,
                                             ForceSums& sums) {
  return model_->kernels().pairs(model_->parameters(spring_time_step),
                                 kernel_arrays(particles, sums), pair_chunk(chunk, rows));
}

void ContactForces::add_stored_forces(std::size_t chunk, ForceSums& sums) const {
  const auto transfers =
      std::span(transfers_)
          .subspan(first_transfer_[chunk], first_transfer_[chunk + 1] - first_transfer_[chunk]);
  for (const std::span<Vec4> all : {sums.force(), sums.torque()}) {
    if (all.empty()) continue;
    constexpr std::size_t distance = 16;  // slots are often in the cache of another core
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      if (k + distance < transfers.size())
        __builtin_prefetch(&all[transfers[k + distance].slot], 1);
      Vec4& sum = all[transfers[k].particle];
      Vec4& slot = all[transfers[k].slot];
      sum = {sum.x + slot.x, sum.y + slot.y, sum.z + slot.z, 0};
      slot = {};
    }
  }
}

// Calls the kernel for a list of one pair, with copies of the data of its particles; the entries
// after the pair are read, but not used.
ContactForces::PairContact ContactForces::evaluate(std::size_t k, const Pair& pair,
                                                   const PairRows& rows,
                                                   const Particles& particles) const {
  const auto both = [&](const auto& values) { return std::array{values[pair.a], values[pair.b]}; };
  const auto position = both(particles.position());
  const auto velocity = both(particles.velocity());
  const auto angular_velocity = both(particles.angular_velocity());
  const auto material = both(particles.material());
  std::array<Vec4, 2> force{};
  std::array<Vec4, 2> torque{};
  const Vec4 shift = rows.shift(k);
  const std::array<Vec4, 2> shifts{Vec4{}, shift};
  const std::array<ImageIndex, 4> image_index{1};
  const std::array<Index, 3> row_begin{0, 1, 1};
  const std::array<Index, 4> neighbors{1};
  const std::array<Index, 2> slot_offset{};
  constexpr std::uint32_t stamp = 1;
  const Spring saved = spring(k);
  PairSpring friction_spring{saved[0], saved[1], saved[2], stamp};
  PairSpring rolling_spring{saved[3], saved[4], saved[5], stamp};
  model_->kernels().pairs(
      model_->parameters(0),
      {position.data(), velocity.data(), angular_velocity.data(), material.data(), force.data(),
       torque.data()},
      {0, 2, 1, 0, false, row_begin.data(), neighbors.data(), slot_offset.data(),
       image_index.data(), shifts.data(), &friction_spring, &rolling_spring, stamp, stamp});
  // From b to a, rounded as in the kernels.
  const std::array<double, 3> difference{position[0].x - position[1].x - shift.x,
                                         position[0].y - position[1].y - shift.y,
                                         position[0].z - position[1].z - shift.z};
  const double distance = std::sqrt(difference[0] * difference[0] + difference[1] * difference[1] +
                                    difference[2] * difference[2]);
  PairContact contact{position[0].w + position[1].w - distance, {}, force[0]};
  for (std::size_t axis = 0; axis < 3; ++axis) contact.normal[axis] = -difference[axis] / distance;
  return contact;
}

}  // namespace abut
