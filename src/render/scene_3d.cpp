#include <algorithm>
#include <array>

#include "render/image.hpp"
#include "render/scene.hpp"

namespace abut {
namespace {

constexpr Color wall_color{0.80F, 0.82F, 0.85F};
constexpr Color transparent_color{0.55F, 0.63F, 0.74F};

float component(const Float3& v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The part of a convex polygon where side · (x − bound) ≥ 0, x the coordinate along `axis`.
std::vector<Float3> clip_polygon(const std::vector<Float3>& polygon, std::size_t axis, float bound,
                                 float side) {
  std::vector<Float3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Float3& a = polygon[i];
    const Float3& b = polygon[(i + 1) % polygon.size()];
    const float distance_a = side * (component(a, axis) - bound);
    const float distance_b = side * (component(b, axis) - bound);
    if (distance_a >= 0) kept.push_back(a);
    if ((distance_a > 0 && distance_b < 0) || (distance_a < 0 && distance_b > 0))
      kept.push_back(a + (distance_a / (distance_a - distance_b)) * (b - a));
  }
  return kept;
}

class SceneBuilder {
 public:
  SceneBuilder(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
               const Camera& camera)
      : frame_(frame), extents_(extents), style_(style), camera_(camera) {
    if (!style.clip) return;
    clip_position_ =
        style.clip->position.value_or(component(extents.container_center, style.clip->axis));
    clip_side_ = removed_side(*style.clip);
  }

  RenderScene build() {
    add_particles();
    add_blocks();
    add_walls();
    if (style_.force_chains) add_force_chains();
    return std::move(scene_);
  }

 private:
  [[nodiscard]] bool is_clipped(const Float3& point) const {
    return style_.clip && clip_side_ * (component(point, style_.clip->axis) - clip_position_) > 0;
  }

  [[nodiscard]] static Color color_of(const ColorScale& scale, float value) {
    return map_color(scale.fraction(value));
  }

  /// Whether a point, the center of a fixed particle, lies between the center of the container and
  /// the camera.
  [[nodiscard]] bool is_in_front(const Float3& point) const {
    if (style_.clip) return false;
    const Float3 horizontal{camera_.toward.x, camera_.toward.y, 0};
    return dot(point - extents_.container_center, horizontal) > 0;
  }

  void add_particles() {
    const FrameParticles& particles = frame_.particles;
    if (particles.position.empty()) return;
    const std::vector<float> values = find_color_field(frame_, style_.color_by).values;
    const std::vector<bool> fixed = fixed_particles(frame_);
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
      const Float3 center = particles.position[i];
      if (is_clipped(center)) continue;
      const bool is_fixed = !fixed.empty() && fixed[i];
      if (is_fixed && !is_in_front(center))
        scene_.opaque.spheres.push_back({center, particles.radius[i], wall_color});
      else if (is_fixed || style_.force_chains)
        scene_.transparent.spheres.push_back({center, particles.radius[i], transparent_color});
      else
        scene_.opaque.spheres.push_back(
            {center, particles.radius[i], color_of(extents_.color_scale, values[i])});
    }
  }

  void add_blocks() {
    const FrameBlocks& blocks = frame_.blocks;
    if (blocks.triangles.empty()) return;
    const std::vector<float> values = find_color_field(frame_, style_.color_by).values;
    for (std::size_t i = 0; i < blocks.triangles.size(); ++i)
      add_triangle(
          {blocks.vertices[blocks.triangles[i][0]], blocks.vertices[blocks.triangles[i][1]],
           blocks.vertices[blocks.triangles[i][2]]},
          color_of(extents_.color_scale, values[i]), style_.force_chains);
  }

  void add_triangle(const std::array<Float3, 3>& vertices, const Color& color,
                    bool is_transparent) {
    std::vector<Float3> polygon(vertices.begin(), vertices.end());
    if (style_.clip)
      polygon = clip_polygon(polygon, style_.clip->axis, clip_position_, -clip_side_);
    add_polygon(polygon, color, is_transparent);
  }

  void add_polygon(const std::vector<Float3>& polygon, const Color& color, bool is_transparent) {
    Primitives& primitives = is_transparent ? scene_.transparent : scene_.opaque;
    for (std::size_t k = 2; k < polygon.size(); ++k)
      primitives.triangles.push_back({{polygon[0], polygon[k - 1], polygon[k]}, color});
  }

  // A wall triangle between the center of the scene and the camera is transparent. Walls are
  // clipped to the bounding box of the scene, because planes extend far beyond it.
  void add_walls() {
    const FrameWalls& walls = frame_.walls;
    const Float3 slack = 0.02F * (extents_.box.max - extents_.box.min);
    const Float3 min = extents_.box.min - slack;
    const Float3 max = extents_.box.max + slack;
    for (const auto& [a, b, c] : walls.triangles) {
      std::vector<Float3> polygon{walls.vertices[a], walls.vertices[b], walls.vertices[c]};
      const Float3 normal = cross_product(polygon[1] - polygon[0], polygon[2] - polygon[0]);
      const bool in_front =
          dot(normal, polygon[0] - extents_.box.center()) * dot(normal, camera_.toward) > 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        polygon = clip_polygon(polygon, axis, component(min, axis), 1);
        polygon = clip_polygon(polygon, axis, component(max, axis), -1);
      }
      if (style_.clip)
        polygon = clip_polygon(polygon, style_.clip->axis, clip_position_, -clip_side_);
      add_polygon(polygon, in_front ? transparent_color : wall_color, in_front);
    }
  }

  void add_force_chains() {
    const std::vector<float> values = find_force_chain_field(frame_).values;
    const FrameContacts& contacts = frame_.contacts;
    for (std::size_t i = 0; i < contacts.ends.size(); ++i) {
      const Float3 a = contacts.ends[i][0];
      const Float3 b = contacts.ends[i][1];
      if (is_clipped(0.5F * (a + b))) continue;
      const float fraction = std::clamp(extents_.force_chain_scale.fraction(values[i]), 0.0F, 1.3F);
      scene_.opaque.capsules.push_back({{a, b},
                                        extents_.typical_radius * (0.03F + 0.42F * fraction),
                                        color_of(extents_.force_chain_scale, values[i])});
    }
  }

  const FrameData& frame_;
  const ViewExtents& extents_;
  const SceneStyle& style_;
  const Camera& camera_;
  float clip_position_ = 0;
  float clip_side_ = 1;
  RenderScene scene_;
};

}  // namespace

float removed_side(const ClipPlane& clip) { return clip.axis == 1 ? -1.0F : 1.0F; }

RenderScene build_scene(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
                        const Camera& camera) {
  return SceneBuilder(frame, extents, style, camera).build();
}

}  // namespace abut
