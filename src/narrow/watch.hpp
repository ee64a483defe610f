#pragma once

namespace abut {

/// What a search for a common plane shows of itself: the gap of each plane it takes on the way.
/// This one does not look, so that nothing is computed for it. Passed by value: it costs nothing.
struct NoWatch {
  static constexpr bool looks = false;
  void took(double /*gap*/) {}
};

}  // namespace abut
