#pragma once

#include "render/camera.hpp"
#include "render/image.hpp"
#include "render/solid_scene.hpp"

namespace abut {

/// Draws discs, polygons and segments in the plane; the camera says where and how large.
Image draw_flat(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
                const Camera& camera, std::size_t width, std::size_t height,
                const Colour& background);

}  // namespace abut
