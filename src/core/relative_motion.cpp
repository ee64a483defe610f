#include "core/relative_motion.hpp"

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

// Particles of a block are close to each other, so that a block has few near blocks, unless
// particles are not sorted yet.
constexpr std::size_t max_near_per_block = 64;

constexpr double rounding_slack = 1e-9;  // relative; larger than the rounding errors of all bounds

double square(double value) { return value * value; }

double squared_norm_of_largest(const Vec4& a, const Vec4& b) {
  return square(std::max(a.x, b.x)) + square(std::max(a.y, b.y)) + square(std::max(a.z, b.z));
}

Vec4 operator-(const Vec4& a, const Vec4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z, 0}; }

}  // namespace

void RelativeMotion::resize_blocks(std::size_t particle_count) {
  const std::size_t block_size = DisplacementBounds::block_size;
  const std::size_t count = (particle_count + block_size - 1) / block_size;
  for (auto* bounds : {&bounds_, &checked_, &marked_}) bounds->assign(count, {});
  checked_approach_ = 0;
  boxes_.resize(count);
}

void RelativeMotion::resize(std::size_t particle_count) {
  const std::size_t block_size = DisplacementBounds::block_size;
  for (auto* bounds : {&bounds_, &checked_, &marked_})
    bounds->resize((particle_count + block_size - 1) / block_size);
}

void RelativeMotion::set_box(std::size_t block, const BoxBounds& bounds,
                             std::size_t last_particle) {
  BlockBox& box = boxes_[block];
  for (std::size_t k = 0; k < 3; ++k) {
    box.center[k] = bounds.low[k] / 2 + bounds.high[k] / 2;
    // The coordinate is added because its rounding error may be larger than the box.
    box.half_size[k] =
        (bounds.high[k] / 2 - bounds.low[k] / 2) + rounding_slack * std::abs(box.center[k]);
  }
  box.is_fixed = last_particle <= parameters_.fixed_count;
}

// The boxes, with half of range and margin, along the axis along which they are spread most widely.
// A box across the boundary of a periodic axis is entered twice.
void RelativeMotion::list_intervals() {
  std::size_t axis = 0;
  double largest_spread = -1;
  for (std::size_t k = 0; k < 3 && !boxes_.empty(); ++k) {
    const auto [low, high] =
        std::ranges::minmax_element(boxes_, {}, [k](const BlockBox& box) { return box.center[k]; });
    const double spread = high->center[k] - low->center[k];
    if (spread > largest_spread) axis = k;
    largest_spread = std::max(largest_spread, spread);
  }
  const double period = parameters_.periods[axis];
  const double half_distance = near_distance_ / 2;
  intervals_.clear();
  for (std::uint32_t block = 0; block < boxes_.size(); ++block) {
    const double half = boxes_[block].half_size[axis] + half_distance;
    double begin = boxes_[block].center[axis] - half;
    double end = begin + 2 * half;
    if (period > 0) {
      begin -= period * std::floor(begin / period);
      end = begin + std::min(2 * half, period);
      if (end >= period) intervals_.push_back({begin - period, end - period, block});
    }
    intervals_.push_back({begin, end, block});
  }
}

void RelativeMotion::find_near_blocks() {
  has_near_blocks_ = false;
  near_distance_ = (parameters_.range + parameters_.margin) * (1 + rounding_slack);
  list_intervals();
  std::ranges::sort(intervals_, {}, &Interval::begin);
  near_.clear();
  for (auto first = intervals_.begin(); first != intervals_.end(); ++first)
    for (auto second = first; second != intervals_.end() && second->begin <= first->end; ++second) {
      const BlockBox& a = boxes_[first->block];
      const BlockBox& b = boxes_[second->block];
      if (!(a.is_fixed && b.is_fixed) && is_near(a, b))
        near_.push_back({first->block, second->block});
      if (near_.size() > max_near_per_block * boxes_.size()) return;
    }
  has_near_blocks_ = true;
}

bool RelativeMotion::is_near(const BlockBox& a, const BlockBox& b) const {
  for (std::size_t k = 0; k < 3; ++k) {
    const double limit = a.half_size[k] + b.half_size[k] + near_distance_;
    double distance = std::abs(a.center[k] - b.center[k]);
    if (distance <= limit) continue;
    const double period = parameters_.periods[k];
    if (period == 0) return false;
    if (distance > period) distance -= period * std::floor(distance / period);
    if (distance > limit && period - distance > limit) return false;
  }
  return true;
}

bool RelativeMotion::exceeds(double skin, double growth) {
  const double allowed = skin - 2 * growth;
  const double travel = max_travel();
  if (2 * travel <= allowed) return false;
  if (!has_near_blocks_ || 2 * (travel + growth) > parameters_.margin) return true;
  if (checked_approach_ + 2 * travel_since(checked_) <= allowed) return false;
  checked_approach_ = largest_approach();
  checked_ = bounds_;
  return !(checked_approach_ <= allowed);
}

double RelativeMotion::max_travel() const {
  double largest = 0;
  for (const DisplacementBounds& block : bounds_)
    largest = std::max(largest, squared_norm_of_largest(Vec4{} - block.low, block.high));
  return (1 + rounding_slack) * std::sqrt(largest);
}

double RelativeMotion::travel_since(const std::vector<DisplacementBounds>& earlier) const {
  double largest = 0;
  for (std::size_t block = 0; block < bounds_.size(); ++block) {
    // Bounds change in both directions.
    const Vec4 low = bounds_[block].low - earlier[block].low;
    const Vec4 high = bounds_[block].high - earlier[block].high;
    const auto larger = [](double a, double b) { return std::max(std::abs(a), std::abs(b)); };
    largest = std::max(largest, square(larger(low.x, high.x)) + square(larger(low.y, high.y)) +
                                    square(larger(low.z, high.z)));
  }
  return (1 + rounding_slack) * std::sqrt(largest);
}

double RelativeMotion::largest_approach() const {
  double largest = 0;
  for (const BlockPair& pair : near_) {
    const DisplacementBounds& a = bounds_[pair.a];
    const DisplacementBounds& b = bounds_[pair.b];
    largest = std::max(largest, squared_norm_of_largest(a.high - b.low, b.high - a.low));
  }
  return (1 + rounding_slack) * std::sqrt(largest);
}

}  // namespace abut
