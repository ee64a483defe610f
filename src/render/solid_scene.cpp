#include "render/solid_scene.hpp"

#include <algorithm>
#include <array>

#include "render/colour_map.hpp"

namespace abut {
namespace {

constexpr Colour wall_colour{0.80F, 0.82F, 0.85F};
constexpr Colour glass_colour{0.55F, 0.63F, 0.74F};

float component(const Float3& v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The part of a flat polygon on one side of a plane across an axis.
std::vector<Float3> clipped(const std::vector<Float3>& polygon, std::size_t axis, float bound,
                            float side) {
  std::vector<Float3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Float3& a = polygon[i];
    const Float3& b = polygon[(i + 1) % polygon.size()];
    const float above = side * (component(a, axis) - bound);
    const float below = side * (component(b, axis) - bound);
    if (above >= 0) kept.push_back(a);
    if ((above > 0 && below < 0) || (above < 0 && below > 0))
      kept.push_back(a + (above / (above - below)) * (b - a));
  }
  return kept;
}

class SceneMaker {
 public:
  SceneMaker(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
             const Camera& camera)
      : frame_(frame), survey_(survey), choice_(choice), camera_(camera) {
    if (!choice.cut) return;
    cut_at_ = choice.cut->at.value_or(component(survey.axis, choice.cut->axis));
    cut_side_ = cut_side(*choice.cut);
  }

  SolidScene make() {
    add_balls();
    add_blocks();
    add_walls();
    if (choice_.chains) add_chains();
    return std::move(scene_);
  }

 private:
  [[nodiscard]] bool is_taken_away(const Float3& place) const {
    return choice_.cut && cut_side_ * (component(place, choice_.cut->axis) - cut_at_) > 0;
  }

  [[nodiscard]] static Colour colour(const ColourScale& scale, float value) {
    return mapped_colour(scale.part(value));
  }

  /// Balls that stand for a wall can be looked through where they are in front.
  [[nodiscard]] bool is_in_front(const Float3& place) const {
    if (choice_.cut) return false;
    const Float3 flat{camera_.toward.x, camera_.toward.y, 0};
    return dot(place - survey_.axis, flat) > 0;
  }

  void add_balls() {
    const ShownParticles& particles = frame_.particles;
    if (particles.place.empty()) return;
    const std::vector<float> values = quantity_of(frame_, choice_.colour).values;
    const std::vector<bool> fixed = fixed_particles(frame_);
    for (std::size_t i = 0; i < particles.place.size(); ++i) {
      const Float3 at = particles.place[i];
      if (is_taken_away(at)) continue;
      const bool wall = !fixed.empty() && fixed[i];
      if (wall && !is_in_front(at))
        scene_.opaque.balls.push_back({at, particles.radius[i], wall_colour});
      else if (wall || choice_.chains)
        scene_.glass.balls.push_back({at, particles.radius[i], glass_colour});
      else
        scene_.opaque.balls.push_back(
            {at, particles.radius[i], colour(survey_.colours, values[i])});
    }
  }

  void add_blocks() {
    const ShownBlocks& blocks = frame_.blocks;
    if (blocks.triangles.empty()) return;
    const std::vector<float> values = quantity_of(frame_, choice_.colour).values;
    for (std::size_t i = 0; i < blocks.triangles.size(); ++i)
      add_triangle({blocks.corners[blocks.triangles[i][0]], blocks.corners[blocks.triangles[i][1]],
                    blocks.corners[blocks.triangles[i][2]]},
                   colour(survey_.colours, values[i]), choice_.chains);
  }

  void add_triangle(const std::array<Float3, 3>& corners, const Colour& colour, bool glass) {
    std::vector<Float3> polygon(corners.begin(), corners.end());
    if (choice_.cut) polygon = clipped(polygon, choice_.cut->axis, cut_at_, -cut_side_);
    add_polygon(polygon, colour, glass);
  }

  void add_polygon(const std::vector<Float3>& polygon, const Colour& colour, bool glass) {
    Solids& to = glass ? scene_.glass : scene_.opaque;
    for (std::size_t k = 2; k < polygon.size(); ++k)
      to.triangles.push_back({{polygon[0], polygon[k - 1], polygon[k]}, colour});
  }

  // A wall that stands between the middle of all and the camera is glass. Planes that go on beyond
  // all that is shown end there.
  void add_walls() {
    const ShownWalls& walls = frame_.walls;
    const Float3 slack = 0.02F * (survey_.box.max - survey_.box.min);
    const Float3 least = survey_.box.min - slack;
    const Float3 most = survey_.box.max + slack;
    for (const auto& [a, b, c] : walls.triangles) {
      std::vector<Float3> polygon{walls.corners[a], walls.corners[b], walls.corners[c]};
      const Float3 normal = cross_product(polygon[1] - polygon[0], polygon[2] - polygon[0]);
      const bool in_front =
          dot(normal, polygon[0] - survey_.box.middle()) * dot(normal, camera_.toward) > 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        polygon = clipped(polygon, axis, component(least, axis), 1);
        polygon = clipped(polygon, axis, component(most, axis), -1);
      }
      if (choice_.cut) polygon = clipped(polygon, choice_.cut->axis, cut_at_, -cut_side_);
      add_polygon(polygon, in_front ? glass_colour : wall_colour, in_front);
    }
  }

  void add_chains() {
    const std::vector<float> values = chain_quantity(frame_).values;
    const ShownContacts& contacts = frame_.contacts;
    for (std::size_t i = 0; i < contacts.ends.size(); ++i) {
      const Float3 a = contacts.ends[i][0];
      const Float3 b = contacts.ends[i][1];
      if (is_taken_away(0.5F * (a + b))) continue;
      const float part = std::clamp(survey_.chains.part(values[i]), 0.0F, 1.3F);
      scene_.opaque.rods.push_back({{a, b},
                                    survey_.typical_radius * (0.03F + 0.42F * part),
                                    colour(survey_.chains, values[i])});
    }
  }

  const ShownFrame& frame_;
  const RunSurvey& survey_;
  const SceneChoice& choice_;
  const Camera& camera_;
  float cut_at_ = 0;
  float cut_side_ = 1;
  SolidScene scene_;
};

}  // namespace

float cut_side(const CutPlane& cut) { return cut.axis == 1 ? -1.0F : 1.0F; }

SolidScene solid_scene(const ShownFrame& frame, const RunSurvey& survey, const SceneChoice& choice,
                       const Camera& camera) {
  return SceneMaker(frame, survey, choice, camera).make();
}

}  // namespace abut
