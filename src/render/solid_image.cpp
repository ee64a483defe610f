// Tile by tile: which body each of nine samples a pixel shows, then the light on each body that a
// pixel shows, then glass in front of it.
#include "render/solid_image.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "render/seen_bodies.hpp"
#include "render/sky.hpp"

namespace abut {
namespace {

constexpr std::size_t fine = 3;  // samples along a side of a pixel
constexpr std::size_t samples = fine * SeenBodies::tile;
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr float nowhere = -std::numeric_limits<float>::max();

float sample_place(std::size_t pixel, std::size_t sample) {
  return static_cast<float>(pixel) + (static_cast<float>(sample) + 0.5F) / fine;
}

/// What the samples of a tile show.
struct Samples {
  std::array<float, samples * samples> depth;
  std::array<std::uint32_t, samples * samples> body;

  void clear() {
    depth.fill(nowhere);
    body.fill(nobody);
  }
};

class TilePainter {
 public:
  TilePainter(const SeenBodies& opaque, const SeenBodies& glass, const Sky& sky,
              const Camera& camera, const Colour& background)
      : opaque_(opaque), glass_(glass), sky_(sky), camera_(camera), background_(background) {}

  void paint(std::size_t number, Image& image) {
    left_ = number % opaque_.columns() * SeenBodies::tile;
    top_ = number / opaque_.columns() * SeenBodies::tile;
    show(opaque_, number, front_);
    show(glass_, number, veil_);
    const std::size_t right = std::min(left_ + SeenBodies::tile, image.width());
    const std::size_t bottom = std::min(top_ + SeenBodies::tile, image.height());
    for (std::size_t y = top_; y < bottom; ++y)
      for (std::size_t x = left_; x < right; ++x) image.set(x, y, pixel(x, y));
  }

 private:
  // Nearest bodies come first: once all samples show something, what is behind all is not asked.
  void show(const SeenBodies& bodies, std::size_t number, Samples& into) const {
    into.clear();
    float farthest = nowhere;
    std::size_t since = 0;
    for (const std::uint32_t body : bodies.of(number)) {
      if (bodies.extent(body).nearest <= farthest) break;
      show_body(bodies, body, into);
      if (++since % 16 == 0) farthest = *std::ranges::min_element(into.depth);
    }
  }

  void show_body(const SeenBodies& bodies, std::uint32_t body, Samples& into) const {
    const SeenBodies::Extent& extent = bodies.extent(body);
    const auto first = [](float x, std::size_t origin) {
      const float place = (x - static_cast<float>(origin)) * fine;
      return static_cast<std::size_t>(std::clamp(place, 0.0F, static_cast<float>(samples)));
    };
    const auto last = [](float x, std::size_t origin) {
      const float place = (x - static_cast<float>(origin)) * fine + 1;
      return static_cast<std::size_t>(std::clamp(place, 0.0F, static_cast<float>(samples)));
    };
    const std::size_t right = last(extent.right, left_);
    const std::size_t bottom = last(extent.bottom, top_);
    for (std::size_t y = first(extent.top, top_); y < bottom; ++y)
      for (std::size_t x = first(extent.left, left_); x < right; ++x) {
        const float depth = bodies.depth(body, sample_place(left_, x), sample_place(top_, y));
        const std::size_t at = y * samples + x;
        if (depth <= into.depth[at]) continue;
        into.depth[at] = depth;
        into.body[at] = body;
      }
  }

  [[nodiscard]] Colour pixel(std::size_t x, std::size_t y) {
    Float3 sum;
    lit_.clear();
    for (std::size_t j = 0; j < fine; ++j)
      for (std::size_t i = 0; i < fine; ++i) {
        const std::size_t at = ((y - top_) * fine + j) * samples + (x - left_) * fine + i;
        Float3 light = background_;
        if (front_.body[at] != nobody) light = lit(front_.body[at], x, y);
        if (veil_.body[at] != nobody && veil_.depth[at] > front_.depth[at])
          light = veiled(light, veil_.body[at], sample_place(x, i), sample_place(y, j));
        sum = sum + light;
      }
    return colour_of((1.0F / (fine * fine)) * sum);
  }

  /// Light does not change much within a pixel: it is looked up once for each body in it, where the
  /// samples that show the body have their middle.
  Float3 lit(std::uint32_t body, std::size_t x, std::size_t y) {
    const auto known = std::ranges::find(lit_, body, &Lit::body);
    if (known != lit_.end()) return known->light;
    float px = 0;
    float py = 0;
    float count = 0;
    for (std::size_t j = 0; j < fine; ++j)
      for (std::size_t i = 0; i < fine; ++i) {
        const std::size_t at = ((y - top_) * fine + j) * samples + (x - left_) * fine + i;
        if (front_.body[at] != body) continue;
        px += sample_place(x, i);
        py += sample_place(y, j);
        ++count;
      }
    const Float3 light = light_on(body, px / count, py / count);
    lit_.push_back({body, light});
    return light;
  }

  [[nodiscard]] Float3 light_on(std::uint32_t body, float x, float y) const {
    const std::optional<RayHit> hit = opaque_.hit(body, x, y);
    if (!hit) return background_;
    const Float3 normal = camera_.direction(hit->normal);
    const Sky::Light light = sky_.at(camera_.place({x, y, hit->z}), normal);
    const float shine = dot(normal, normalized(sky_.lamp() + camera_.toward));
    const float gloss = shine > 0 ? 0.10F * light.lamp * std::pow(shine, 40.0F) : 0;
    return light_of(opaque_.colour(body)) * light.all + Float3{gloss, gloss, gloss};
  }

  // Where it is seen from the side there is more of it in the way.
  [[nodiscard]] Float3 veiled(const Float3& behind, std::uint32_t body, float x, float y) const {
    const std::optional<RayHit> hit = glass_.hit(body, x, y);
    if (!hit) return behind;
    const float side = 1 - std::abs(hit->normal.z);
    const float alpha = 0.16F + 0.5F * side * side;
    const float bright = 0.75F + 0.35F * dot(camera_.direction(hit->normal), sky_.lamp());
    return (1 - alpha) * behind + (alpha * bright) * light_of(glass_.colour(body));
  }

  struct Lit {
    std::uint32_t body;
    Float3 light;
  };

  const SeenBodies& opaque_;
  const SeenBodies& glass_;
  const Sky& sky_;
  const Camera& camera_;
  Float3 background_;  // as light
  std::size_t left_ = 0;
  std::size_t top_ = 0;
  Samples front_{};
  Samples veil_{};
  std::vector<Lit> lit_;
};

}  // namespace

Image draw_solids(const SolidScene& scene, const Camera& camera, std::size_t width,
                  std::size_t height, const Colour& background, ThreadPool& pool) {
  Image image(width, height, background);
  const SeenBodies opaque(scene.opaque, camera, width, height);
  const SeenBodies glass(scene.glass, camera, width, height);
  const Sky sky(scene.opaque, camera, pool);
  std::vector<std::unique_ptr<TilePainter>> painters(pool.threads());
  for (auto& painter : painters)
    painter = std::make_unique<TilePainter>(opaque, glass, sky, camera, light_of(background));
  pool.run(opaque.columns() * opaque.rows(),
           [&](std::size_t number, unsigned worker) { painters[worker]->paint(number, image); });
  return image;
}

}  // namespace abut
