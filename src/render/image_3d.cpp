#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>

#include "render/ambient_light.hpp"
#include "render/scene.hpp"
#include "render/tile_bins.hpp"

namespace abut {
namespace {

constexpr float no_hit_depth = -std::numeric_limits<float>::max();

std::optional<RayHit> hit_sphere(const Float3& at, float radius, float x, float y) {
  const float dx = x - at.x;
  const float dy = y - at.y;
  const float rest = radius * radius - dx * dx - dy * dy;
  if (rest < 0) return {};
  const float height = std::sqrt(rest);
  return RayHit{at.z + height, (1 / radius) * Float3{dx, dy, height}};
}

std::optional<RayHit> hit_triangle(const TrianglePrimitive& triangle, float x, float y) {
  const auto& [a, b, c] = triangle.vertices;
  const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area == 0) return {};
  const float u = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
  const float v = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
  if (u < 0 || v < 0 || u + v > 1) return {};
  Float3 normal = normalized(cross_product(b - a, c - a));
  if (normal.z < 0) normal = -1.0F * normal;
  return RayHit{a.z + u * (b.z - a.z) + v * (c.z - a.z), normal};
}

}  // namespace

TileBins::TileBins(const Primitives& bodies, const Camera& camera, std::size_t width,
                   std::size_t height)
    : spheres_(bodies.spheres),
      capsules_(bodies.capsules),
      triangles_(bodies.triangles),
      columns_((width + tile_size - 1) / tile_size),
      rows_((height + tile_size - 1) / tile_size) {
  for (SpherePrimitive& ball : spheres_) {
    ball.center = camera.project(ball.center);
    ball.radius *= camera.scale;
  }
  for (CapsulePrimitive& rod : capsules_) {
    for (Float3& end : rod.ends) end = camera.project(end);
    rod.radius *= camera.scale;
  }
  for (TrianglePrimitive& triangle : triangles_)
    for (Float3& corner : triangle.vertices) corner = camera.project(corner);
  compute_extents();
  bin_into_tiles();
}

void TileBins::compute_extents() {
  for (const SpherePrimitive& b : spheres_)
    extents_.push_back({b.center.x - b.radius, b.center.x + b.radius, b.center.y - b.radius,
                        b.center.y + b.radius, b.center.z + b.radius});
  for (const CapsulePrimitive& rod : capsules_) {
    const auto& [a, b] = rod.ends;
    extents_.push_back({std::min(a.x, b.x) - rod.radius, std::max(a.x, b.x) + rod.radius,
                        std::min(a.y, b.y) - rod.radius, std::max(a.y, b.y) + rod.radius,
                        std::max(a.z, b.z) + rod.radius});
  }
  for (const TrianglePrimitive& triangle : triangles_) {
    const auto& [a, b, c] = triangle.vertices;
    extents_.push_back({std::min({a.x, b.x, c.x}), std::max({a.x, b.x, c.x}),
                        std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}),
                        std::max({a.z, b.z, c.z})});
  }
}

void TileBins::bin_into_tiles() {
  std::vector<std::uint32_t> sorted(extents_.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::sort(sorted, [&](std::uint32_t a, std::uint32_t b) {
    return extents_[a].nearest != extents_[b].nearest ? extents_[a].nearest > extents_[b].nearest
                                                      : a < b;
  });
  const auto number = [](float x, std::size_t most) {
    return static_cast<std::size_t>(
        std::clamp(std::floor(x / tile_size), 0.0F, static_cast<float>(most)));
  };
  const auto each_tile = [&](std::uint32_t body, const auto& visit) {
    const ScreenExtent& e = extents_[body];
    if (e.right < 0 || e.bottom < 0) return;
    for (std::size_t y = number(e.top, rows_); y < std::min(rows_, number(e.bottom, rows_) + 1);
         ++y)
      for (std::size_t x = number(e.left, columns_);
           x < std::min(columns_, number(e.right, columns_) + 1); ++x)
        visit(y * columns_ + x);
  };
  tile_offsets_.assign(columns_ * rows_ + 1, 0);
  for (const std::uint32_t body : sorted)
    each_tile(body, [&](std::size_t at) { ++tile_offsets_[at + 1]; });
  std::partial_sum(tile_offsets_.begin(), tile_offsets_.end(), tile_offsets_.begin());
  tile_bodies_.resize(tile_offsets_.back());
  std::vector<std::size_t> next(tile_offsets_.begin(), tile_offsets_.end() - 1);
  for (const std::uint32_t body : sorted)
    each_tile(body, [&](std::size_t at) { tile_bodies_[next[at]++] = body; });
}

// Looked at along z, the side of the rod is met where the way across its axis is the radius; beyond
// its ends it is two balls.
std::optional<RayHit> TileBins::hit_capsule(const CapsulePrimitive& rod, float x, float y) {
  const auto& [a, b] = rod.ends;
  const Float3 axis = normalized(b - a);
  const Float3 from{x - a.x, y - a.y, 0};
  const float flat = 1 - axis.z * axis.z;
  if (flat > 1e-6F) {
    const float along = dot(from, axis);
    const float half = -along * axis.z;  // of (from + t·z) · z, without the part along the axis
    const float square = dot(from, from) - along * along - rod.radius * rod.radius;
    const float root = half * half - flat * square;
    if (root >= 0) {
      const float t = (-half + std::sqrt(root)) / flat;
      const float place = along + t * axis.z;
      if (place >= 0 && place <= length(b - a)) {
        const Float3 off = from + Float3{0, 0, t} - place * axis;
        return RayHit{a.z + t, (1 / rod.radius) * off};
      }
    }
  }
  const std::optional<RayHit> one = hit_sphere(a, rod.radius, x, y);
  const std::optional<RayHit> other = hit_sphere(b, rod.radius, x, y);
  if (!one || !other) return one ? one : other;
  return one->z > other->z ? one : other;
}

std::optional<RayHit> TileBins::hit(std::uint32_t body, float x, float y) const {
  if (body < spheres_.size()) return hit_sphere(spheres_[body].center, spheres_[body].radius, x, y);
  body -= static_cast<std::uint32_t>(spheres_.size());
  if (body < capsules_.size()) return hit_capsule(capsules_[body], x, y);
  body -= static_cast<std::uint32_t>(capsules_.size());
  return hit_triangle(triangles_[body], x, y);
}

float TileBins::depth(std::uint32_t body, float x, float y) const {
  if (body < spheres_.size()) {
    const SpherePrimitive& ball = spheres_[body];
    const float dx = x - ball.center.x;
    const float dy = y - ball.center.y;
    const float rest = ball.radius * ball.radius - dx * dx - dy * dy;
    return rest < 0 ? no_hit_depth : ball.center.z + std::sqrt(rest);
  }
  const std::optional<RayHit> found = hit(body, x, y);
  return found ? found->z : no_hit_depth;
}

const Color& TileBins::color(std::uint32_t body) const {
  if (body < spheres_.size()) return spheres_[body].color;
  body -= static_cast<std::uint32_t>(spheres_.size());
  if (body < capsules_.size()) return capsules_[body].color;
  return triangles_[body - capsules_.size()].color;
}

}  // namespace abut

// Tile by tile: which body each of nine samples a pixel shows, then the light on each body that a
// pixel shows, then glass in front of it.
namespace abut {
namespace {

constexpr std::size_t samples_per_axis = 3;  // samples along a side of a pixel
constexpr std::size_t tile_samples = samples_per_axis * TileBins::tile_size;
constexpr std::uint32_t no_body = std::numeric_limits<std::uint32_t>::max();
constexpr float background_depth = -std::numeric_limits<float>::max();

float sample_position(std::size_t pixel, std::size_t sample) {
  return static_cast<float>(pixel) + (static_cast<float>(sample) + 0.5F) / samples_per_axis;
}

/// What the samples of a tile show.
struct SampleBuffer {
  std::array<float, tile_samples * tile_samples> depth;
  std::array<std::uint32_t, tile_samples * tile_samples> body;

  void clear() {
    depth.fill(background_depth);
    body.fill(no_body);
  }
};

class TileRenderer {
 public:
  TileRenderer(const TileBins& opaque, const TileBins& glass, const AmbientLight& sky,
               const Camera& camera, const Color& background)
      : opaque_(opaque),
        transparent_(glass),
        ambient_light_(sky),
        camera_(camera),
        background_(background) {}

  void render(std::size_t number, Image& image) {
    left_ = number % opaque_.columns() * TileBins::tile_size;
    top_ = number / opaque_.columns() * TileBins::tile_size;
    rasterize(opaque_, number, opaque_samples_);
    rasterize(transparent_, number, transparent_samples_);
    const std::size_t right = std::min(left_ + TileBins::tile_size, image.width());
    const std::size_t bottom = std::min(top_ + TileBins::tile_size, image.height());
    for (std::size_t y = top_; y < bottom; ++y)
      for (std::size_t x = left_; x < right; ++x) image.set(x, y, shade_pixel(x, y));
  }

 private:
  // Nearest bodies come first: once all samples show something, what is behind all is not asked.
  void rasterize(const TileBins& bodies, std::size_t number, SampleBuffer& into) const {
    into.clear();
    float farthest = background_depth;
    std::size_t since = 0;
    for (const std::uint32_t body : bodies.bodies_in(number)) {
      if (bodies.extent(body).nearest <= farthest) break;
      rasterize_body(bodies, body, into);
      if (++since % 16 == 0) farthest = *std::ranges::min_element(into.depth);
    }
  }

  void rasterize_body(const TileBins& bodies, std::uint32_t body, SampleBuffer& into) const {
    const TileBins::ScreenExtent& extent = bodies.extent(body);
    const auto first = [](float x, std::size_t origin) {
      const float place = (x - static_cast<float>(origin)) * samples_per_axis;
      return static_cast<std::size_t>(std::clamp(place, 0.0F, static_cast<float>(tile_samples)));
    };
    const auto last = [](float x, std::size_t origin) {
      const float place = (x - static_cast<float>(origin)) * samples_per_axis + 1;
      return static_cast<std::size_t>(std::clamp(place, 0.0F, static_cast<float>(tile_samples)));
    };
    const std::size_t right = last(extent.right, left_);
    const std::size_t bottom = last(extent.bottom, top_);
    for (std::size_t y = first(extent.top, top_); y < bottom; ++y)
      for (std::size_t x = first(extent.left, left_); x < right; ++x) {
        const float depth = bodies.depth(body, sample_position(left_, x), sample_position(top_, y));
        const std::size_t at = y * tile_samples + x;
        if (depth <= into.depth[at]) continue;
        into.depth[at] = depth;
        into.body[at] = body;
      }
  }

  [[nodiscard]] Color shade_pixel(std::size_t x, std::size_t y) {
    Float3 sum;
    shaded_bodies_.clear();
    for (std::size_t j = 0; j < samples_per_axis; ++j)
      for (std::size_t i = 0; i < samples_per_axis; ++i) {
        const std::size_t at =
            ((y - top_) * samples_per_axis + j) * tile_samples + (x - left_) * samples_per_axis + i;
        Float3 light = background_;
        if (opaque_samples_.body[at] != no_body)
          light = surface_light(opaque_samples_.body[at], x, y);
        if (transparent_samples_.body[at] != no_body &&
            transparent_samples_.depth[at] > opaque_samples_.depth[at])
          light = blend(light, transparent_samples_.body[at], sample_position(x, i),
                        sample_position(y, j));
        sum = sum + light;
      }
    return to_srgb((1.0F / (samples_per_axis * samples_per_axis)) * sum);
  }

  /// Light does not change much within a pixel: it is looked up once for each body in it, where the
  /// samples that show the body have their middle.
  Float3 surface_light(std::uint32_t body, std::size_t x, std::size_t y) {
    const auto known = std::ranges::find(shaded_bodies_, body, &ShadedBody::body);
    if (known != shaded_bodies_.end()) return known->light;
    float px = 0;
    float py = 0;
    float count = 0;
    for (std::size_t j = 0; j < samples_per_axis; ++j)
      for (std::size_t i = 0; i < samples_per_axis; ++i) {
        const std::size_t at =
            ((y - top_) * samples_per_axis + j) * tile_samples + (x - left_) * samples_per_axis + i;
        if (opaque_samples_.body[at] != body) continue;
        px += sample_position(x, i);
        py += sample_position(y, j);
        ++count;
      }
    const Float3 light = shade(body, px / count, py / count);
    shaded_bodies_.push_back({body, light});
    return light;
  }

  [[nodiscard]] Float3 shade(std::uint32_t body, float x, float y) const {
    const std::optional<RayHit> hit = opaque_.hit(body, x, y);
    if (!hit) return background_;
    const Float3 normal = camera_.to_world(hit->normal);
    const AmbientLight::Illumination light =
        ambient_light_.illumination(camera_.unproject({x, y, hit->z}), normal);
    const float shine = dot(normal, normalized(ambient_light_.lamp_direction() + camera_.toward));
    const float gloss = shine > 0 ? 0.10F * light.lamp_fraction * std::pow(shine, 40.0F) : 0;
    return to_linear(opaque_.color(body)) * light.total + Float3{gloss, gloss, gloss};
  }

  // Where it is seen from the side there is more of it in the way.
  [[nodiscard]] Float3 blend(const Float3& behind, std::uint32_t body, float x, float y) const {
    const std::optional<RayHit> hit = transparent_.hit(body, x, y);
    if (!hit) return behind;
    const float side = 1 - std::abs(hit->normal.z);
    const float alpha = 0.16F + 0.5F * side * side;
    const float bright =
        0.75F + 0.35F * dot(camera_.to_world(hit->normal), ambient_light_.lamp_direction());
    return (1 - alpha) * behind + (alpha * bright) * to_linear(transparent_.color(body));
  }

  struct ShadedBody {
    std::uint32_t body;
    Float3 light;
  };

  const TileBins& opaque_;
  const TileBins& transparent_;
  const AmbientLight& ambient_light_;
  const Camera& camera_;
  Float3 background_;  // as light
  std::size_t left_ = 0;
  std::size_t top_ = 0;
  SampleBuffer opaque_samples_{};
  SampleBuffer transparent_samples_{};
  std::vector<ShadedBody> shaded_bodies_;
};

}  // namespace

Image draw_3d(const RenderScene& scene, const Camera& camera, std::size_t width, std::size_t height,
              const Color& background, ThreadPool& pool) {
  Image image(width, height, background);
  const TileBins opaque(scene.opaque, camera, width, height);
  const TileBins glass(scene.transparent, camera, width, height);
  const AmbientLight sky(scene.opaque, camera, pool);
  std::vector<std::unique_ptr<TileRenderer>> painters(pool.threads());
  for (auto& painter : painters)
    painter = std::make_unique<TileRenderer>(opaque, glass, sky, camera, to_linear(background));
  pool.run(opaque.columns() * opaque.rows(),
           [&](std::size_t number, unsigned worker) { painters[worker]->render(number, image); });
  return image;
}

}  // namespace abut
