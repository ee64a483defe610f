#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "render/ambient_light.hpp"
#include "render/scene.hpp"

// Renders a 3D scene by ray casting with an orthographic camera, tile by tile: find the nearest
// body for each of 9 samples per pixel, shade each visible body once per pixel, then blend
// transparent bodies over it.
namespace abut {
namespace {

/// The point where a ray hits a body, in camera coordinates.
struct RayHit {
  float z = 0;  ///< larger is nearer to the viewer
  Float3 normal;
};

/// The bodies of a scene in camera coordinates, and for each square tile of pixels the bodies that
/// may be visible in it.
class TileBins {
 public:
  static constexpr std::size_t tile_size = 32;  ///< pixels

  TileBins(const Primitives& primitives, const Camera& camera, std::size_t width,
           std::size_t height);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  struct ScreenExtent {
    float left, right, top, bottom;
    float nearest;  ///< largest z
  };
  struct BodyRange {
    const std::uint32_t* first;
    const std::uint32_t* last;
    [[nodiscard]] const std::uint32_t* begin() const { return first; }
    [[nodiscard]] const std::uint32_t* end() const { return last; }
  };
  /// The bodies of a tile, nearest first.
  [[nodiscard]] BodyRange bodies_in(std::size_t tile) const {
    return {tile_bodies_.data() + tile_offsets_[tile],
            tile_bodies_.data() + tile_offsets_[tile + 1]};
  }

  [[nodiscard]] const ScreenExtent& extent(std::uint32_t body) const { return extents_[body]; }
  /// The nearest intersection of a body with the ray through pixel position (x, y).
  [[nodiscard]] std::optional<RayHit> hit(std::uint32_t body, float x, float y) const;
  /// The z of that intersection, or `no_hit_depth`.
  [[nodiscard]] float depth(std::uint32_t body, float x, float y) const;
  [[nodiscard]] const Color& color(std::uint32_t body) const;

 private:
  void compute_extents();
  void bin_into_tiles();
  [[nodiscard]] static std::optional<RayHit> hit_capsule(const CapsulePrimitive& capsule, float x,
                                                         float y);

  // A body is numbered by its position in spheres_, capsules_, triangles_, one after the other.
  std::vector<SpherePrimitive> spheres_;
  std::vector<CapsulePrimitive> capsules_;
  std::vector<TrianglePrimitive> triangles_;
  std::vector<ScreenExtent> extents_;
  std::size_t columns_;
  std::size_t rows_;
  std::vector<std::size_t> tile_offsets_;
  std::vector<std::uint32_t> tile_bodies_;
};

constexpr float no_hit_depth = -std::numeric_limits<float>::max();

std::optional<RayHit> hit_sphere(const Float3& center, float radius, float x, float y) {
  const float dx = x - center.x;
  const float dy = y - center.y;
  const float square = radius * radius - dx * dx - dy * dy;
  if (square < 0) return {};
  const float height = std::sqrt(square);
  return RayHit{center.z + height, (1 / radius) * Float3{dx, dy, height}};
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

TileBins::TileBins(const Primitives& primitives, const Camera& camera, std::size_t width,
                   std::size_t height)
    : spheres_(primitives.spheres),
      capsules_(primitives.capsules),
      triangles_(primitives.triangles),
      columns_((width + tile_size - 1) / tile_size),
      rows_((height + tile_size - 1) / tile_size) {
  for (SpherePrimitive& sphere : spheres_) {
    sphere.center = camera.project(sphere.center);
    sphere.radius *= camera.scale;
  }
  for (CapsulePrimitive& capsule : capsules_) {
    for (Float3& end : capsule.ends) end = camera.project(end);
    capsule.radius *= camera.scale;
  }
  for (TrianglePrimitive& triangle : triangles_)
    for (Float3& vertex : triangle.vertices) vertex = camera.project(vertex);
  compute_extents();
  bin_into_tiles();
}

void TileBins::compute_extents() {
  for (const SpherePrimitive& b : spheres_)
    extents_.push_back({b.center.x - b.radius, b.center.x + b.radius, b.center.y - b.radius,
                        b.center.y + b.radius, b.center.z + b.radius});
  for (const CapsulePrimitive& capsule : capsules_) {
    const auto& [a, b] = capsule.ends;
    extents_.push_back({std::min(a.x, b.x) - capsule.radius, std::max(a.x, b.x) + capsule.radius,
                        std::min(a.y, b.y) - capsule.radius, std::max(a.y, b.y) + capsule.radius,
                        std::max(a.z, b.z) + capsule.radius});
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
  const auto tile_at = [](float x, std::size_t max) {
    return static_cast<std::size_t>(
        std::clamp(std::floor(x / tile_size), 0.0F, static_cast<float>(max)));
  };
  const auto for_each_tile = [&](std::uint32_t body, const auto& visit) {
    const ScreenExtent& e = extents_[body];
    if (e.right < 0 || e.bottom < 0) return;
    for (std::size_t y = tile_at(e.top, rows_); y < std::min(rows_, tile_at(e.bottom, rows_) + 1);
         ++y)
      for (std::size_t x = tile_at(e.left, columns_);
           x < std::min(columns_, tile_at(e.right, columns_) + 1); ++x)
        visit(y * columns_ + x);
  };
  tile_offsets_.assign(columns_ * rows_ + 1, 0);
  for (const std::uint32_t body : sorted)
    for_each_tile(body, [&](std::size_t tile) { ++tile_offsets_[tile + 1]; });
  std::partial_sum(tile_offsets_.begin(), tile_offsets_.end(), tile_offsets_.begin());
  tile_bodies_.resize(tile_offsets_.back());
  std::vector<std::size_t> next(tile_offsets_.begin(), tile_offsets_.end() - 1);
  for (const std::uint32_t body : sorted)
    for_each_tile(body, [&](std::size_t tile) { tile_bodies_[next[tile]++] = body; });
}

// With p = (x, y, t) − a and the axis n, the ray along z hits the side of the cylinder where
// |p − (p·n) n|² = r², a quadratic equation for t. Beyond the ends it may hit one of the
// hemispheres.
std::optional<RayHit> TileBins::hit_capsule(const CapsulePrimitive& capsule, float x, float y) {
  const auto& [a, b] = capsule.ends;
  const Float3 axis = normalized(b - a);
  const Float3 origin{x - a.x, y - a.y, 0};
  const float quadratic = 1 - axis.z * axis.z;
  if (quadratic > 1e-6F) {
    const float axial = dot(origin, axis);
    const float half_linear = -axial * axis.z;
    const float constant = dot(origin, origin) - axial * axial - capsule.radius * capsule.radius;
    const float discriminant = half_linear * half_linear - quadratic * constant;
    if (discriminant >= 0) {
      const float t = (-half_linear + std::sqrt(discriminant)) / quadratic;
      const float axial_hit = axial + t * axis.z;
      if (axial_hit >= 0 && axial_hit <= length(b - a)) {
        const Float3 radial = origin + Float3{0, 0, t} - axial_hit * axis;
        return RayHit{a.z + t, (1 / capsule.radius) * radial};
      }
    }
  }
  const std::optional<RayHit> hit_a = hit_sphere(a, capsule.radius, x, y);
  const std::optional<RayHit> hit_b = hit_sphere(b, capsule.radius, x, y);
  if (!hit_a || !hit_b) return hit_a ? hit_a : hit_b;
  return hit_a->z > hit_b->z ? hit_a : hit_b;
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
    const SpherePrimitive& sphere = spheres_[body];
    const float dx = x - sphere.center.x;
    const float dy = y - sphere.center.y;
    const float square = sphere.radius * sphere.radius - dx * dx - dy * dy;
    return square < 0 ? no_hit_depth : sphere.center.z + std::sqrt(square);
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

constexpr std::size_t samples_per_axis = 3;  // of a pixel
constexpr std::size_t tile_samples = samples_per_axis * TileBins::tile_size;
constexpr std::uint32_t no_body = std::numeric_limits<std::uint32_t>::max();
constexpr float background_depth = -std::numeric_limits<float>::max();

/// The x or y in pixels of a sample of a pixel.
float sample_position(std::size_t pixel, std::size_t sample) {
  return static_cast<float>(pixel) + (static_cast<float>(sample) + 0.5F) / samples_per_axis;
}

/// The nearest body at each sample of a tile.
struct SampleBuffer {
  std::array<float, tile_samples * tile_samples> depth;
  std::array<std::uint32_t, tile_samples * tile_samples> body;

  void clear() {
    depth.fill(background_depth);
    body.fill(no_body);
  }
};

/// Renders one tile after another; each thread has its own. `background` is linear.
class TileRenderer {
 public:
  TileRenderer(const TileBins& opaque, const TileBins& transparent, const AmbientLight& light,
               const Camera& camera, const Color& background)
      : opaque_(opaque),
        transparent_(transparent),
        ambient_light_(light),
        camera_(camera),
        background_(background) {}

  void render(std::size_t tile, Image& image) {
    left_ = tile % opaque_.columns() * TileBins::tile_size;
    top_ = tile / opaque_.columns() * TileBins::tile_size;
    rasterize(opaque_, tile, opaque_samples_);
    rasterize(transparent_, tile, transparent_samples_);
    const std::size_t right = std::min(left_ + TileBins::tile_size, image.width());
    const std::size_t bottom = std::min(top_ + TileBins::tile_size, image.height());
    for (std::size_t y = top_; y < bottom; ++y)
      for (std::size_t x = left_; x < right; ++x) image.set(x, y, shade_pixel(x, y));
  }

 private:
  // Bodies are sorted by depth: stop at the first body that lies behind all samples.
  void rasterize(const TileBins& bodies, std::size_t tile, SampleBuffer& buffer) const {
    buffer.clear();
    float farthest = background_depth;
    std::size_t drawn = 0;
    for (const std::uint32_t body : bodies.bodies_in(tile)) {
      if (bodies.extent(body).nearest <= farthest) break;
      rasterize_body(bodies, body, buffer);
      if (++drawn % 16 == 0) farthest = *std::ranges::min_element(buffer.depth);
    }
  }

  void rasterize_body(const TileBins& bodies, std::uint32_t body, SampleBuffer& buffer) const {
    const TileBins::ScreenExtent& extent = bodies.extent(body);
    const auto first = [](float x, std::size_t origin) {
      const float sample = (x - static_cast<float>(origin)) * samples_per_axis;
      return static_cast<std::size_t>(std::clamp(sample, 0.0F, static_cast<float>(tile_samples)));
    };
    const auto last = [](float x, std::size_t origin) {
      const float sample = (x - static_cast<float>(origin)) * samples_per_axis + 1;
      return static_cast<std::size_t>(std::clamp(sample, 0.0F, static_cast<float>(tile_samples)));
    };
    const std::size_t right = last(extent.right, left_);
    const std::size_t bottom = last(extent.bottom, top_);
    for (std::size_t y = first(extent.top, top_); y < bottom; ++y)
      for (std::size_t x = first(extent.left, left_); x < right; ++x) {
        const float depth = bodies.depth(body, sample_position(left_, x), sample_position(top_, y));
        const std::size_t index = y * tile_samples + x;
        if (depth <= buffer.depth[index]) continue;
        buffer.depth[index] = depth;
        buffer.body[index] = body;
      }
  }

  /// Index of sample (i, j) of pixel (x, y) in a `SampleBuffer`.
  [[nodiscard]] std::size_t sample_index(std::size_t x, std::size_t y, std::size_t i,
                                         std::size_t j) const {
    return ((y - top_) * samples_per_axis + j) * tile_samples + (x - left_) * samples_per_axis + i;
  }

  [[nodiscard]] Color shade_pixel(std::size_t x, std::size_t y) {
    Float3 sum;
    shaded_bodies_.clear();
    for (std::size_t j = 0; j < samples_per_axis; ++j)
      for (std::size_t i = 0; i < samples_per_axis; ++i) {
        const std::size_t index = sample_index(x, y, i, j);
        Float3 light = background_;
        if (opaque_samples_.body[index] != no_body)
          light = surface_light(opaque_samples_.body[index], x, y);
        if (transparent_samples_.body[index] != no_body &&
            transparent_samples_.depth[index] > opaque_samples_.depth[index])
          light = blend(light, transparent_samples_.body[index], sample_position(x, i),
                        sample_position(y, j));
        sum = sum + light;
      }
    return to_srgb((1.0F / (samples_per_axis * samples_per_axis)) * sum);
  }

  /// The light reflected by a body. It varies little within a pixel, so it is computed once per
  /// pixel and body, at the mean position of the samples that show the body.
  Float3 surface_light(std::uint32_t body, std::size_t x, std::size_t y) {
    const auto cached = std::ranges::find(shaded_bodies_, body, &ShadedBody::body);
    if (cached != shaded_bodies_.end()) return cached->light;
    float px = 0;
    float py = 0;
    float count = 0;
    for (std::size_t j = 0; j < samples_per_axis; ++j)
      for (std::size_t i = 0; i < samples_per_axis; ++i) {
        const std::size_t index = sample_index(x, y, i, j);
        if (opaque_samples_.body[index] != body) continue;
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
    const float highlight =
        dot(normal, normalized(ambient_light_.lamp_direction() + camera_.toward));
    const float gloss =
        highlight > 0 ? 0.10F * light.lamp_fraction * std::pow(highlight, 40.0F) : 0;
    return to_linear(opaque_.color(body)) * light.total + Float3{gloss, gloss, gloss};
  }

  // The opacity grows toward grazing angles, where the ray passes through more material.
  [[nodiscard]] Float3 blend(const Float3& behind, std::uint32_t body, float x, float y) const {
    const std::optional<RayHit> hit = transparent_.hit(body, x, y);
    if (!hit) return behind;
    const float grazing = 1 - std::abs(hit->normal.z);
    const float alpha = 0.16F + 0.5F * grazing * grazing;
    const float brightness =
        0.75F + 0.35F * dot(camera_.to_world(hit->normal), ambient_light_.lamp_direction());
    return (1 - alpha) * behind + (alpha * brightness) * to_linear(transparent_.color(body));
  }

  struct ShadedBody {
    std::uint32_t body;
    Float3 light;
  };

  const TileBins& opaque_;
  const TileBins& transparent_;
  const AmbientLight& ambient_light_;
  const Camera& camera_;
  Float3 background_;  // linear
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
  const TileBins transparent(scene.transparent, camera, width, height);
  const AmbientLight light(scene.opaque, camera, pool);
  std::vector<std::unique_ptr<TileRenderer>> renderers(pool.threads());
  for (auto& renderer : renderers)
    renderer =
        std::make_unique<TileRenderer>(opaque, transparent, light, camera, to_linear(background));
  pool.run(opaque.columns() * opaque.rows(),
           [&](std::size_t tile, unsigned worker) { renderers[worker]->render(tile, image); });
  return image;
}

}  // namespace abut
