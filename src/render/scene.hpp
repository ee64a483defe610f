#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/machine.hpp"
#include "frames/dataset.hpp"
#include "render/geometry.hpp"
#include "render/image.hpp"
#include "render/view_extents.hpp"

namespace abut {

// Primitives are in world coordinates.

struct SpherePrimitive {
  Float3 center;
  float radius;
  Color color;
};

/// A cylinder with hemispherical ends.
struct CapsulePrimitive {
  std::array<Float3, 2> ends;
  float radius;
  Color color;
};

struct TrianglePrimitive {
  std::array<Float3, 3> vertices;
  Color color;
};

struct Primitives {
  std::vector<SpherePrimitive> spheres;
  std::vector<CapsulePrimitive> capsules;
  std::vector<TrianglePrimitive> triangles;
};

struct RenderScene {
  Primitives opaque;
  Primitives transparent;
};

/// A plane normal to a coordinate axis; particles and surfaces between it and the default camera
/// are removed.
struct ClipPlane {
  std::size_t axis = 1;             ///< 0, 1, 2: x, y, z
  std::optional<float> position{};  ///< coordinate; default: through `container_center`
};

struct SceneStyle {
  std::string color_by{};     ///< name of a field as in `find_color_field`
  bool force_chains = false;  ///< draws contacts as capsules and makes particles transparent
  std::optional<ClipPlane> clip{};
};

/// The side that is removed: −1 for smaller coordinates, +1 for larger ones.
float removed_side(const ClipPlane& clip);

/// Converts a 3D frame to primitives. Walls between the scene and the camera become transparent.
RenderScene build_scene(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
                        const Camera& camera);

/// Draws the disks, polygons, wall segments and force chains of a 2D frame.
Image draw_2d(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
              const Camera& camera, std::size_t width, std::size_t height, const Color& background);

/// Draws a 3D scene with ambient occlusion and soft shadows. The result is bitwise identical for
/// any number of threads.
Image draw_3d(const RenderScene& scene, const Camera& camera, std::size_t width, std::size_t height,
              const Color& background, ThreadPool& pool);

}  // namespace abut
