#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/survey.hpp"
#include "core/vec.hpp"
#include "walls/cap.hpp"
#include "walls/touch.hpp"

namespace abut {

/// Some particles side by side, as a body sees them: in its own frame, with how far each reaches.
template <std::size_t D>
struct Block {
  static constexpr std::size_t most = 256;
  std::size_t size = 0;
  std::array<const double*, D> axes;  ///< of the caller, or `own`
  alignas(32) std::array<double, most> reach;
  std::array<std::uint16_t, most> id = in_order();
  alignas(32) std::array<std::array<double, most>, D> own;

  [[nodiscard]] Point<D> centre(std::size_t i) const {
    Point<D> point;
    for (std::size_t k = 0; k < D; ++k) point[k] = axes[k][i];
    return point;
  }

 private:
  static constexpr std::array<std::uint16_t, most> in_order() {
    std::array<std::uint16_t, most> ids{};
    for (std::size_t i = 0; i < most; ++i) ids[i] = static_cast<std::uint16_t>(i);
    return ids;
  }
};

/// Places in a block.
struct Picked {
  std::size_t size = 0;
  std::array<std::uint16_t, Block<3>::most + 4> places;  // four may be written at a time
  bool with_caps = false;
  std::array<Cap, Block<3>::most + 1> caps;  // of those that are left, if they are known

  /// Without a branch, which would be guessed wrong every now and then.
  void offer(std::size_t place, bool taken) {
    places[size] = static_cast<std::uint16_t>(place);
    size += taken ? 1U : 0U;
  }
};

/// Which pieces a query has seen already: a piece is in several leaves, and looked at once.
class Seen {
 public:
  void at_least(std::size_t pieces) {
    if (last_.size() < pieces) last_.resize(pieces, 0);
  }
  void begin() {
    if (++query_ != 0) return;
    std::ranges::fill(last_, 0);  // the numbers of queries begin anew
    query_ = 1;
  }
  bool first_time(std::size_t piece) {
    const bool first = last_[piece] != query_;
    last_[piece] = query_;
    return first;
  }

 private:
  std::vector<std::uint32_t> last_;
  std::uint32_t query_ = 0;
};

/// Nothing within reach; one face, and nothing else that could push (see `Resolution`); or more
/// than can be told at a glance.
enum class Glance : std::uint8_t { nothing, face, more };

/// Pieces of a body.
struct NearPieces {
  static constexpr std::size_t most = 24;
  std::size_t size;
  std::array<std::uint32_t, most> pieces;
  [[nodiscard]] std::span<const std::uint32_t> all() const { return std::span(pieces).first(size); }
};

/// Somebody who looks, and what there is to see.
template <std::size_t D>
struct Looking {
  static constexpr std::size_t most = 16;  ///< at once
  Point<D> centre;
  double reach;
  double rounding;  ///< how exact distances are
  Cap cap;
  Glance glance;
  Touch<D> touch;   ///< the face
  NearPieces near;  ///< if there is more: all that may be within reach; none if that is not known
};

/// A mesh or a shape, in the frame it was given in.
template <std::size_t D>
class WallBody {
 public:
  WallBody() = default;
  virtual ~WallBody() = default;
  WallBody(const WallBody&) = delete;
  WallBody& operator=(const WallBody&) = delete;

  /// Particles of the block that may be within reach; those left out are not.
  virtual void pick(const Block<D>& block, Picked& picked) const = 0;

  /// Adds every piece within reach of the centre.
  virtual void touches(const Point<D>& centre, double reach, Seen& seen,
                       std::vector<Touch<D>>& found) const = 0;

  /// Adds those of some pieces that are within reach of the centre.
  virtual void touches_of(std::span<const std::uint32_t> /*pieces*/, const Point<D>& /*centre*/,
                          double /*reach*/, std::vector<Touch<D>>& /*found*/) const {}

  /// What there is to see at a glance, for up to `Looking::most` at once: what one needs can be on
  /// its way from memory while others are dealt with.
  virtual void glance(std::span<Looking<D>> all) const {
    for (Looking<D>& one : all) {
      one.glance = Glance::more;
      one.near.size = 0;
    }
  }

  /// The distance of the nearest piece.
  [[nodiscard]] virtual double distance(const Point<D>& centre) const = 0;

  /// The box around the body where it stands; infinite where the body is endless.
  [[nodiscard]] virtual Box<D> box(const Placement<D>& where) const = 0;

  /// Whether moving the body along an axis leaves it what it is.
  [[nodiscard]] virtual bool unchanged_along(std::size_t /*axis*/,
                                             const Placement<D>& /*where*/) const {
    return false;
  }

  [[nodiscard]] virtual std::size_t pieces() const { return 1; }
};

/// A body and where it stands.
template <std::size_t D>
struct PlacedBody {
  std::unique_ptr<WallBody<D>> body;
  Placement<D> where{};
  bool moved = false;  ///< it is not where it was given
};

/// The box around a box that was turned and moved.
template <std::size_t D>
Box<D> placed(const Box<D>& box, const Placement<D>& where) {
  const Point<D> middle = scaled(sum(box.min, box.max), 0.5);
  const Point<D> half = scaled(difference(box.max, box.min), 0.5);
  Box<D> result;
  for (std::size_t k = 0; k < D; ++k) {
    const double at = dot(where.rotation[k], middle) + where.shift[k];
    double wide = 0;
    for (std::size_t j = 0; j < D; ++j) wide += std::abs(where.rotation[k][j]) * half[j];
    const double slack = 1e-12 * (wide + std::abs(at) + std::abs(where.shift[k]));
    result.min[k] = at - wide - slack;
    result.max[k] = at + wide + slack;
  }
  return result;
}

template <std::size_t D>
Point<D> rotated(const Placement<D>& where, const Point<D>& vector) {
  Point<D> result;
  for (std::size_t k = 0; k < D; ++k) result[k] = dot(where.rotation[k], vector);
  return result;
}

/// A point of the world as the body sees it.
template <std::size_t D>
Point<D> into_body(const Placement<D>& where, const Point<D>& point) {
  const Point<D> from = difference(point, where.shift);
  Point<D> result{};
  for (std::size_t j = 0; j < D; ++j)
    for (std::size_t k = 0; k < D; ++k) result[k] += where.rotation[j][k] * from[j];
  return result;
}

}  // namespace abut
