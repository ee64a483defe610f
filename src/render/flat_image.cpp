#include "render/flat_image.hpp"

#include <algorithm>

#include "render/canvas.hpp"
#include "render/colour_map.hpp"

namespace abut {
namespace {

constexpr Colour ink{0.20F, 0.23F, 0.28F};
constexpr Colour wall_ink{0.36F, 0.40F, 0.46F};
constexpr Colour wall_body{0.80F, 0.82F, 0.85F};
constexpr Colour pale{0.90F, 0.92F, 0.94F};

class FlatPainter {
 public:
  FlatPainter(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
              const Camera& camera, Image& image)
      : frame_(frame), survey_(survey), choice_(choice), camera_(camera), canvas_(image) {}

  void paint() {
    if (!frame_.particles.place.empty()) paint_discs();
    if (frame_.blocks.outline_begins.size() > 1) paint_polygons();
    paint_walls();
    if (choice_.chains) paint_chains();
  }

 private:
  [[nodiscard]] Spot spot(const std::array<float, 3>& place) const {
    const Float3 seen = camera_.seen(place);
    return {seen.x, seen.y};
  }

  [[nodiscard]] static float edge(float size) { return std::clamp(0.05F * size, 0.25F, 1.6F); }

  [[nodiscard]] Colour filling(float value) const {
    return choice_.chains ? pale : mapped_colour(survey_.colours.part(value));
  }

  void paint_discs() {
    const ShownParticles& particles = frame_.particles;
    const std::vector<float> values = quantity_of(frame_, choice_.colour).values;
    const std::vector<bool> fixed = fixed_particles(frame_);
    for (std::size_t i = 0; i < particles.place.size(); ++i) {
      const float radius = particles.radius[i] * camera_.scale;
      const bool wall = !fixed.empty() && fixed[i];
      const Spot at = spot(particles.place[i]);
      canvas_.disc(at, radius, wall ? wall_body : filling(values[i]));
      const float width = edge(radius);
      canvas_.circle(at, radius - width / 2, width, ink, 0.7F);
    }
  }

  void paint_polygons() {
    const ShownBlocks& blocks = frame_.blocks;
    const std::vector<float> values = quantity_of(frame_, choice_.colour).values;
    for (std::size_t i = 0; i + 1 < blocks.outline_begins.size(); ++i) {
      std::vector<Spot> outline;
      for (std::uint32_t k = blocks.outline_begins[i]; k < blocks.outline_begins[i + 1]; ++k)
        outline.push_back(spot(blocks.corners[k]));
      if (outline.size() < 3) continue;
      canvas_.fill(outline, filling(values[i]));
      outline.push_back(outline.front());
      canvas_.stroke(outline, edge(survey_.typical_radius * camera_.scale * 4), ink, 0.8F);
    }
  }

  void paint_walls() {
    const ShownWalls& walls = frame_.walls;
    for (const auto& [a, b] : walls.segments)
      canvas_.stroke(std::array{spot(walls.corners[a]), spot(walls.corners[b])}, 3, wall_ink);
  }

  // The strongest on top.
  void paint_chains() {
    const std::vector<float> values = chain_quantity(frame_).values;
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    const float unit = survey_.typical_radius * camera_.scale;
    for (const std::size_t i : order) {
      const auto& [a, b] = frame_.contacts.ends[i];
      const float part = std::clamp(survey_.chains.part(values[i]), 0.0F, 1.3F);
      canvas_.stroke(std::array{spot(a), spot(b)}, std::max(0.7F, unit * (0.08F + 0.8F * part)),
                     mapped_colour(survey_.chains.part(values[i])));
    }
  }

  const ShownFrame& frame_;
  const RunSurvey& survey_;
  const SceneChoice& choice_;
  const Camera& camera_;
  Canvas canvas_;
};

}  // namespace

Image draw_flat(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
                const Camera& camera, std::size_t width, std::size_t height,
                const Colour& background) {
  Image image(width, height, background);
  FlatPainter(frame, survey, choice, camera, image).paint();
  return image;
}

}  // namespace abut
