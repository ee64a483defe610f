#include "dem/particles.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/buffers.hpp"
#include "core/message.hpp"

namespace abut {
namespace {

constexpr int bits_per_axis = 21;

std::uint32_t cell_coordinate(double coordinate, double cell_size) {
  constexpr double half = 1U << (bits_per_axis - 1);
  return static_cast<std::uint32_t>(
      std::clamp(std::floor(coordinate / cell_size) + half, 0.0, 2 * half - 1));
}

// Index of a cell along the Hilbert curve. Consecutive cells are adjacent, so a chunk of particles
// has few neighbors in other chunks. J. Skilling, Programming the Hilbert curve, AIP Conference
// Proceedings 707 (2004) 381.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> cell) {
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    for (std::uint32_t& axis : cell) {
      const std::uint32_t lower_bits = bit - 1;
      if ((axis & bit) != 0) {
        cell[0] ^= lower_bits;
      } else {
        const std::uint32_t exchanged = (cell[0] ^ axis) & lower_bits;
        cell[0] ^= exchanged;
        axis ^= exchanged;
      }
    }
  cell[1] ^= cell[0];
  cell[2] ^= cell[1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = 1U << (bits_per_axis - 1); bit > 1; bit >>= 1U)
    if ((cell[2] & bit) != 0) flips ^= bit - 1;
  std::uint64_t index = 0;
  for (int bit = bits_per_axis - 1; bit >= 0; --bit)
    for (const std::uint32_t axis : cell) index = index << 1U | ((axis ^ flips) >> bit & 1U);
  return index;
}

struct Center {
  std::array<double, 3> position;
  std::size_t id;
  bool fixed;
};

}  // namespace

std::size_t GlobalOrder::index_of(std::uint64_t rank) const {
  if (!is_partial_) return static_cast<std::size_t>(std::min(rank, total_));
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks_, rank) - ranks_.begin());
}

void Particles::reserve(std::size_t count) {
  for (auto* vectors : {&position_, &velocity_, &angular_velocity_})
    reserve_with_slack(*vectors, count);
  reserve_with_slack(id_, count);
  reserve_with_slack(material_, count);
  reserve_with_slack(index_by_id_, next_id_ + count - size());
}

void Particles::add(const Record& particle, bool is_fixed) {
  index_by_id_.push_back(static_cast<std::uint32_t>(size()));
  position_.push_back(particle.position);
  velocity_.push_back(particle.velocity);
  angular_velocity_.push_back(particle.angular_velocity);
  id_.push_back(next_id_++);
  material_.push_back(particle.material);
  if (!image_.empty()) image_.emplace_back();
  if (is_fixed) ++fixed_count_;
}

void Particles::renumber(std::span<const std::uint32_t> new_index, std::size_t remaining) {
  for (std::size_t i = 0; i < size(); ++i) index_by_id_[id_[i]] = new_index[i];
  permute_in_place(position_, new_index, remaining);
  permute_in_place(velocity_, new_index, remaining);
  permute_in_place(angular_velocity_, new_index, remaining);
  permute_in_place(id_, new_index, remaining);
  permute_in_place(material_, new_index, remaining);
  if (!image_.empty()) permute_in_place(image_, new_index, remaining);
}

template <std::size_t D>
std::vector<PeriodCounts> Particles::wrap(const PeriodicDomain<D>& domain) {
  if (!domain.any_periodic()) return {};
  image_.resize(size());
  std::vector<PeriodCounts> moved_back(size());
  for (std::size_t i = fixed_count_; i < size(); ++i)
    for (std::size_t k = 0; k < D; ++k) {
      if (!domain.is_periodic[k]) continue;
      double& coordinate = position_[i].*vec4_axes[k];
      const std::int32_t offset = domain.wrap_offset(k, coordinate);
      coordinate = domain.shifted(k, coordinate, offset);
      moved_back[i][k] = -offset;
      image_[i][k] -= offset;
    }
  return moved_back;
}

template std::vector<PeriodCounts> Particles::wrap(const PeriodicDomain<2>&);
template std::vector<PeriodCounts> Particles::wrap(const PeriodicDomain<3>&);

std::optional<std::size_t> Particles::find(ParticleId id) const {
  if (id.value() >= index_by_id_.size() || index_by_id_[id.value()] == removed_particle)
    return std::nullopt;
  return index_by_id_[id.value()];
}

std::size_t Particles::index_of(ParticleId id) const {
  if (const auto index = find(id)) return *index;
  throw Error(id.value() < next_id_
                  ? message("particle ", id.value(), " has been removed")
                  : message("particle ", id.value(), " does not exist; the next id is ", next_id_),
              ErrorCode::out_of_range);
}

std::size_t Particles::index_of_moving(ParticleId id) const {
  const std::size_t index = index_of(id);
  if (index < fixed_count_) throw Error(message("particle ", id.value(), " is fixed"));
  return index;
}

std::vector<std::uint32_t> Particles::spatial_order() const {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t particle;
    auto operator<=>(const Keyed&) const = default;
  };
  const double cell_size = size() == 0 ? 1 : 4 * position_.back().w;
  std::vector<Keyed> keyed(size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const Vec4& center = position_[i];
    keyed[i] = {
        hilbert_index({cell_coordinate(center.x, cell_size), cell_coordinate(center.y, cell_size),
                       cell_coordinate(center.z, cell_size)}),
        static_cast<std::uint32_t>(i)};
  }
  const auto first_moving = keyed.begin() + static_cast<std::ptrdiff_t>(fixed_count_);
  std::sort(keyed.begin(), first_moving);
  std::sort(first_moving, keyed.end());
  std::vector<std::uint32_t> new_index(keyed.size());
  for (std::size_t rank = 0; rank < keyed.size(); ++rank)
    new_index[keyed[rank].particle] = static_cast<std::uint32_t>(rank);
  return new_index;
}

double Particles::mean_radius() const {
  double sum = 0;
  for (const Vec4& center : position_) sum += center.w;
  return size() == 0 ? 1 : sum / static_cast<double>(size());
}

void Particles::save(SavedState& saved) const {
  saved.fixed = fixed_count_;
  saved.next_id = next_id_;
  saved.id = id_;
  saved.material = material_;
  for (const PeriodCounts& image : image_)
    saved.image.insert(saved.image.end(), image.begin(), image.end());
  saved.position = flatten(position_, size());
  saved.velocity = flatten(velocity_, size());
  saved.angular_velocity = flatten(angular_velocity_, size());
}

void Particles::restore(const SavedState& saved) {
  fixed_count_ = saved.fixed;
  next_id_ = static_cast<std::uint32_t>(saved.next_id);
  id_ = saved.id;
  material_ = saved.material;
  position_ = unflatten(saved.position);
  velocity_ = unflatten(saved.velocity);
  angular_velocity_ = unflatten(saved.angular_velocity);
  image_.resize(saved.image.size() / 3);
  for (std::size_t i = 0; i < image_.size(); ++i)
    std::copy_n(saved.image.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, image_[i].begin());
  index_by_id_.assign(next_id_, removed_particle);
  for (std::size_t i = 0; i < size(); ++i) index_by_id_[id_[i]] = static_cast<std::uint32_t>(i);
}

std::vector<double> flatten(std::span<const Vec4> vectors, std::size_t count) {
  std::vector<double> values;
  count = std::min(count, vectors.size());
  values.reserve(4 * count);
  for (std::size_t i = 0; i < count; ++i)
    values.insert(values.end(), {vectors[i].x, vectors[i].y, vectors[i].z, vectors[i].w});
  return values;
}

std::vector<Vec4> unflatten(const std::vector<double>& values) {
  std::vector<Vec4> vectors(values.size() / 4);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = {values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]};
  return vectors;
}

template <std::size_t D>
void check_coincident_centers(const Particles& existing, const NewParticles<D>& added) {
  std::vector<Center> centers;
  centers.reserve(existing.size() + added.spheres.size());
  for (std::size_t i = 0; i < existing.size(); ++i)
    centers.push_back(
        {to_point<3>(existing.position()[i]), existing.id()[i], i < existing.fixed_count()});
  for (std::size_t i = 0; i < added.spheres.size(); ++i) {
    Center center{{}, existing.next_id() + i, added.fixed};
    for (std::size_t k = 0; k < D; ++k) center.position[k] = added.spheres.coordinate(k, i);
    centers.push_back(center);
  }
  std::sort(centers.begin(), centers.end(), [](const Center& a, const Center& b) {
    return a.position != b.position ? a.position < b.position : a.id < b.id;
  });
  const auto coincident =
      std::adjacent_find(centers.begin(), centers.end(), [](const Center& a, const Center& b) {
        return a.position == b.position && !(a.fixed && b.fixed);
      });
  if (coincident == centers.end()) return;
  const auto& position = coincident->position;
  throw Error(message("particles ", coincident->id, " and ", (coincident + 1)->id,
                      " have the same center (", position[0], ", ", position[1],
                      D == 3 ? message(", ", position[2]) : "", "); move one of them"));
}

template void check_coincident_centers(const Particles&, const NewParticles<2>&);
template void check_coincident_centers(const Particles&, const NewParticles<3>&);

}  // namespace abut
