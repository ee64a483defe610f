#include <algorithm>

#include "render/image.hpp"
#include "render/scene.hpp"

namespace abut {
namespace {

constexpr Color outline_color{0.20F, 0.23F, 0.28F};
constexpr Color wall_line_color{0.36F, 0.40F, 0.46F};
constexpr Color wall_fill_color{0.80F, 0.82F, 0.85F};
constexpr Color pale_fill_color{0.90F, 0.92F, 0.94F};

class Painter2D {
 public:
  Painter2D(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
            const Camera& camera, Image& image)
      : frame_(frame), extents_(extents), style_(style), camera_(camera), canvas_(image) {}

  void draw() {
    if (!frame_.particles.position.empty()) draw_disks();
    if (frame_.blocks.outline_offsets.size() > 1) draw_polygons();
    draw_walls();
    if (style_.force_chains) draw_force_chains();
  }

 private:
  [[nodiscard]] PixelPosition to_pixel(const std::array<float, 3>& point) const {
    const Float3 pixel = camera_.project(point);
    return {pixel.x, pixel.y};
  }

  [[nodiscard]] static float outline_width(float radius) {
    return std::clamp(0.05F * radius, 0.25F, 1.6F);
  }

  [[nodiscard]] Color fill_color(float value) const {
    return style_.force_chains ? pale_fill_color : map_color(extents_.color_scale.fraction(value));
  }

  void draw_disks() {
    const FrameParticles& particles = frame_.particles;
    const std::vector<float> values = find_color_field(frame_, style_.color_by).values;
    const std::vector<bool> fixed = fixed_particles(frame_);
    for (std::size_t i = 0; i < particles.position.size(); ++i) {
      const float radius = particles.radius[i] * camera_.scale;
      const bool is_fixed = !fixed.empty() && fixed[i];
      const PixelPosition center = to_pixel(particles.position[i]);
      canvas_.disk(center, radius, is_fixed ? wall_fill_color : fill_color(values[i]));
      const float width = outline_width(radius);
      canvas_.circle(center, radius - width / 2, width, outline_color, 0.7F);
    }
  }

  void draw_polygons() {
    const FrameBlocks& blocks = frame_.blocks;
    const std::vector<float> values = find_color_field(frame_, style_.color_by).values;
    for (std::size_t i = 0; i + 1 < blocks.outline_offsets.size(); ++i) {
      std::vector<PixelPosition> outline;
      for (std::uint32_t k = blocks.outline_offsets[i]; k < blocks.outline_offsets[i + 1]; ++k)
        outline.push_back(to_pixel(blocks.vertices[k]));
      if (outline.size() < 3) continue;
      canvas_.fill(outline, fill_color(values[i]));
      outline.push_back(outline.front());
      canvas_.stroke(outline, outline_width(extents_.typical_radius * camera_.scale * 4),
                     outline_color, 0.8F);
    }
  }

  void draw_walls() {
    const FrameWalls& walls = frame_.walls;
    for (const auto& [a, b] : walls.segments)
      canvas_.stroke(std::array{to_pixel(walls.vertices[a]), to_pixel(walls.vertices[b])}, 3,
                     wall_line_color);
  }

  // In order of increasing force, so that the strongest contacts are drawn on top.
  void draw_force_chains() {
    const std::vector<float> values = find_force_chain_field(frame_).values;
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    const float radius = extents_.typical_radius * camera_.scale;
    for (const std::size_t i : order) {
      const auto& [a, b] = frame_.contacts.ends[i];
      const float fraction = std::clamp(extents_.force_chain_scale.fraction(values[i]), 0.0F, 1.3F);
      canvas_.stroke(std::array{to_pixel(a), to_pixel(b)},
                     std::max(0.7F, radius * (0.08F + 0.8F * fraction)),
                     map_color(extents_.force_chain_scale.fraction(values[i])));
    }
  }

  const FrameData& frame_;
  const ViewExtents& extents_;
  const SceneStyle& style_;
  const Camera& camera_;
  Canvas canvas_;
};

}  // namespace

Image draw_2d(const FrameData& frame, const ViewExtents& extents, const SceneStyle& style,
              const Camera& camera, std::size_t width, std::size_t height,
              const Color& background) {
  Image image(width, height, background);
  Painter2D(frame, extents, style, camera, image).draw();
  return image;
}

}  // namespace abut
