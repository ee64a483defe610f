#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/thread_pool.hpp"
#include "frames/dataset.hpp"
#include "render/geometry.hpp"
#include "render/image.hpp"
#include "render/view_extents.hpp"

namespace abut {

struct SpherePrimitive {
  Float3 center;
  float radius;
  Color color;
};

/// A cylinder with round ends.
struct CapsulePrimitive {
  std::array<Float3, 2> ends;
  float radius;
  Color color;
};

struct TrianglePrimitive {
  std::array<Float3, 3> vertices;
  Color color;
};

/// Bodies in space.
struct Primitives {
  std::vector<SpherePrimitive> spheres;
  std::vector<CapsulePrimitive> capsules;
  std::vector<TrianglePrimitive> triangles;
};

/// What is drawn: bodies one cannot look through, and those one can.
struct RenderScene {
  Primitives opaque;
  Primitives transparent;
};

/// Halves a scene: what is in front of a plane across an axis is taken away.
struct ClipPlane {
  std::size_t axis = 1;             ///< x, y, z
  std::optional<float> position{};  ///< through the middle if not given
};

/// How a frame becomes bodies.
struct SceneStyle {
  std::string color_by{};
  bool force_chains = false;
  std::optional<ClipPlane> clip{};
};

/// The side of the cut that is taken away: where the camera stands.
float removed_side(const ClipPlane& cut);

RenderScene build_scene(const FrameData& frame, const ViewExtents& survey, const SceneStyle& choice,
                        const Camera& camera);

/// Draws discs, polygons and segments in the plane; the camera says where and how large.
Image draw_2d(const FrameData& frame, const ViewExtents& survey, const SceneStyle& choice,
              const Camera& camera, std::size_t width, std::size_t height, const Color& background);

/// Draws bodies as the camera sees them. The same bytes for any number of threads.
Image draw_3d(const RenderScene& scene, const Camera& camera, std::size_t width, std::size_t height,
              const Color& background, ThreadPool& pool);

}  // namespace abut
