#pragma once

#include "core/thread_pool.hpp"
#include "render/camera.hpp"
#include "render/image.hpp"
#include "render/solids.hpp"

namespace abut {

/// Draws bodies as the camera sees them. The same bytes for any number of threads.
Image draw_solids(const SolidScene& scene, const Camera& camera, std::size_t width,
                  std::size_t height, const Colour& background, ThreadPool& pool);

}  // namespace abut
