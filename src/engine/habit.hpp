#pragma once

#include <algorithm>
#include <string>

#include "core/message.hpp"

namespace abut {

/// What is known of how particles move from one update to the next, and what follows: how thick a
/// skin pays, and whether it is worth looking where they have gone. Lengths are in reaches of the
/// largest particle.
class Habit {
 public:
  /// Particles that moved a lot, or found no room for candidates, are not followed for a while.
  [[nodiscard]] bool worth_following() {
    if (wait_ == 0) return true;
    --wait_;
    return false;
  }

  [[nodiscard]] double skin() const { return skin_; }

  /// They were where the candidates of before are enough.
  void followed() {
    ++steps_;
    patience_ = 0;
  }

  /// They moved by so much, and have to be sorted.
  void moved(double motion) {
    constexpr double thickest = 0.06;  // more candidates than that cost more than sorting
    constexpr double thinnest = 0.005;
    constexpr double steps = 20;  // wanted before they are sorted again …
    constexpr double fewest = 2;  // … and what still pays
    steps_ = 0;
    if (fewest * motion > thickest) return give_up();
    skin_ = std::clamp(steps * motion, thinnest, thickest);
    patience_ = 0;
  }

  void too_many() { give_up(); }

  [[nodiscard]] std::string reason() const {
    if (steps_ > 0) return message("; candidates kept for ", steps_, " steps");
    return skin_ > 0 ? message("; sorted with a skin of ", static_cast<float>(skin_), " reaches")
                     : "";
  }

 private:
  void give_up() {
    skin_ = 0;
    patience_ = std::min(2 * patience_ + 1, 64);
    wait_ = patience_;
  }

  double skin_ = 0;
  int steps_ = 0;
  int patience_ = 0;
  int wait_ = 0;
};

}  // namespace abut
