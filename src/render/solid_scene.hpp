#pragma once

#include <cstddef>
#include <optional>

#include "render/camera.hpp"
#include "render/solids.hpp"
#include "render/survey_of_run.hpp"
#include "show/shown.hpp"

namespace abut {

/// Halves a scene: what is in front of a plane across an axis is taken away.
struct CutPlane {
  std::size_t axis = 1;       ///< x, y, z
  std::optional<float> at{};  ///< through the middle if not given
};

/// How a frame becomes bodies.
struct SceneChoice {
  std::string colour{};
  bool chains = false;
  std::optional<CutPlane> cut{};
};

/// The side of the cut that is taken away: where the camera stands.
float cut_side(const CutPlane& cut);

SolidScene solid_scene(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
                       const Camera& camera);

}  // namespace abut
