#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "frames/dataset.hpp"
#include "io/image_file.hpp"
#include "io/vtk_writer.hpp"
#include "program.hpp"
#include "render/color_field.hpp"
#include "render/image.hpp"
#include "render/run_renderer.hpp"
#include "render/stroke_font.hpp"
#include "render/view_extents.hpp"
#include "render_fixtures.hpp"

namespace abut {
namespace {

using testing::filled_cube;
using testing::Folder;
using testing::write_moving_sphere_run;

struct Pixel {
  int red, green, blue;
  [[nodiscard]] bool is_background() const { return red == 255 && green == 255 && blue == 255; }
  [[nodiscard]] bool is_yellow() const { return red > blue + 40 && green > blue + 40; }
  [[nodiscard]] bool is_violet() const { return blue > green + 25 && red > green; }
  [[nodiscard]] bool is_gray() const {
    return !is_background() && std::abs(red - green) < 30 && std::abs(blue - green) < 30;
  }
};

Pixel pixel(const Image& image, std::size_t x, std::size_t y) {
  const std::uint8_t* const bytes = &image.bytes()[3 * (y * image.width() + x)];
  return {bytes[0], bytes[1], bytes[2]};
}

/// The number of pixels in columns left … right − 1 that satisfy a predicate.
template <class Predicate>
std::size_t count_pixels(const Image& image, const Predicate& is, std::size_t left = 0,
                         std::size_t right = 9999) {
  std::size_t found = 0;
  for (std::size_t y = 0; y < image.height(); ++y)
    for (std::size_t x = left; x < std::min(right, image.width()); ++x)
      if (is(pixel(image, x, y))) ++found;
  return found;
}

constexpr std::size_t small_width = 180;  // too small for text
constexpr std::size_t small_height = 140;

RenderOptions small_options(SceneStyle style) {
  return {.width = small_width, .height = small_height, .style = std::move(style)};
}

/// The last frame of a dataset.
Image render_file(const std::string& path, const RenderOptions& options) {
  const Dataset dataset(path);
  return RunRenderer(dataset, options).render_frame(dataset.times().size() - 1);
}

TEST(Render, ClipPlaneShowsInterior) {
  const Folder folder;
  const std::string cube = filled_cube(folder);
  const Image whole = render_file(cube, small_options({.color_by = "radius"}));
  EXPECT_GT(count_pixels(whole, [](Pixel p) { return p.is_yellow(); }), 2000U);
  EXPECT_EQ(count_pixels(whole, [](Pixel p) { return p.is_violet(); }), 0U);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Image half =
        render_file(cube, small_options({.color_by = "radius", .clip = ClipPlane{axis}}));
    EXPECT_GT(count_pixels(half, [](Pixel p) { return p.is_violet(); }), 800U) << axis;
    EXPECT_GT(count_pixels(half, [](Pixel p) { return p.is_yellow(); }), 800U) << axis;
  }
  // A plane in front of the scene removes nothing, one behind it removes everything.
  const ClipPlane in_front{1, -9.0F};
  EXPECT_EQ(count_pixels(render_file(cube, small_options({.color_by = "radius", .clip = in_front})),
                         [](Pixel p) { return p.is_violet(); }),
            0U);
  const ClipPlane behind{1, 99.0F};
  EXPECT_EQ(count_pixels(render_file(cube, small_options({.color_by = "radius", .clip = behind})),
                         [](Pixel p) { return !p.is_background(); }),
            0U);
}

TEST(Render, ShadesSpheresAndCastsShadows) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "x,y,z,r\n0,0,0,1\n1.4,0.6,-1.2,1\n");
  const Image image = render_file(path, small_options({}));
  std::vector<int> greens;
  for (std::size_t y = 0; y < image.height(); ++y)
    for (std::size_t x = 0; x < image.width(); ++x)
      if (!pixel(image, x, y).is_background()) greens.push_back(pixel(image, x, y).green);
  std::ranges::sort(greens);
  ASSERT_GT(greens.size(), 1000U);
  EXPECT_GT(greens[greens.size() * 9 / 10], greens[greens.size() / 50] * 3 / 2);
}

TEST(Render, IsBitwiseReproducibleForAnyThreadCount) {
  const Folder folder;
  RenderOptions options{
      .width = 300, .height = 200, .style = {.color_by = "id", .clip = ClipPlane{0}}};
  const std::string cube = filled_cube(folder);
  options.threads = 1;
  const std::vector<std::uint8_t> expected = render_file(cube, options).bytes();
  for (const unsigned threads : {2U, 3U, 5U}) {
    options.threads = threads;
    EXPECT_EQ(render_file(cube, options).bytes(), expected);
  }
}

TEST(Render, DrawsFixedSpheresTransparentInFrontOrClipped) {
  const Folder folder;
  const std::vector<std::array<double, 3>> positions{{0, 0, 0.1}, {0, -3, 0}, {0, 3, 0}};
  const std::vector<double> radii{0.8, 1.2, 1.2};
  const std::vector<std::int32_t> ids{0, 1, 2};
  const std::vector<std::uint8_t> fixed{0, 1, 1};
  write_vtk(folder.path("p.vtp"),
            {.points = positions,
             .has_vertices = true,
             .point_fields = {{"radius", radii}, {"id", ids}, {"speed", radii}, {"fixed", fixed}}});
  const auto colored = [](Pixel p) { return !p.is_background() && !p.is_gray(); };
  const auto gray = [](Pixel p) { return p.is_gray(); };
  RenderOptions options = small_options({});
  options.view = {0, 0};
  EXPECT_GT(count_pixels(render_file(folder.path("p.vtp"), options), colored), 500U);
  options.style.clip = ClipPlane{1, -1.0F};
  const Image clipped = render_file(folder.path("p.vtp"), options);
  EXPECT_GT(count_pixels(clipped, colored), 500U);
  EXPECT_GT(count_pixels(clipped, gray), 500U);
  options.view = {180, 0};  // from behind, the remaining fixed sphere hides the particle
  EXPECT_EQ(count_pixels(render_file(folder.path("p.vtp"), options), colored), 0U);
}

TEST(Render, DrawsWallTriangles) {
  const Folder folder;
  const std::vector<std::array<double, 3>> vertices{{-2, 1, -2}, {2, 1, -2}, {2, 1, 2}, {-2, 1, 2}};
  const std::vector<std::array<Index, 3>> triangles{{0, 1, 2}, {0, 2, 3}};
  const std::vector<std::int32_t> wall_id{0, 0};
  write_vtk(folder.path("w.vtp"),
            {.points = vertices, .triangles = triangles, .cell_fields = {{"wall_id", wall_id}}});
  EXPECT_GT(count_pixels(render_file(folder.path("w.vtp"), small_options({})),
                         [](Pixel p) { return p.is_gray(); }),
            3000U);
}

TEST(Render, DrawsDisksInUniformColor) {
  const Folder folder;
  const std::string path = folder.write("disks.csv", "x,y,r\n0,0,1\n4,0,0.5\n");
  const Image image = render_file(path, small_options({.color_by = "radius"}));
  // The scene is 5.5 wide: x = −1 … 4.5.
  const auto pixel_at = [&](double x) {
    const double scale = 0.97 * small_width / 5.5;
    return pixel(image, static_cast<std::size_t>(small_width / 2.0 + (x - 1.75) * scale),
                 small_height / 2);
  };
  EXPECT_TRUE(pixel_at(0).is_yellow());
  EXPECT_TRUE(pixel_at(4).is_violet());
  EXPECT_TRUE(pixel_at(2.2).is_background());
  EXPECT_EQ(pixel_at(0.1).red, pixel_at(-0.5).red);
}

TEST(Render, DrawsConcavePolygons) {
  const Folder folder;
  const std::string path =
      folder.write("notch.csv", "particle,x,y\n1,0,0\n1,4,0\n1,4,4\n1,2,0.5\n1,0,4\n");
  const Image image = render_file(path, small_options({}));
  EXPECT_TRUE(pixel(image, small_width / 2, small_height / 2).is_background());
  EXPECT_FALSE(pixel(image, small_width / 2, small_height * 95 / 100).is_background());
}

TEST(Render, ForceChainThicknessGrowsWithForce) {
  const Folder folder;
  const std::string path = folder.write("disks.csv", "x,y,r\n0,0,1\n1.9,0,1\n3.5,0,1\n");
  folder.write("pairs.csv", "a,b,gap\n0,1,-0.1\n1,2,-0.4\n");
  const Image image = render_file(path, small_options({.force_chains = true}));
  const auto thickness = [&](double x) {
    const double scale = 0.97 * small_width / 5.5;
    const auto column = static_cast<std::size_t>(small_width / 2.0 + (x - 1.75) * scale);
    return count_pixels(
        image, [](Pixel p) { return !p.is_background() && !p.is_gray(); }, column, column + 1);
  };
  EXPECT_GT(thickness(0.8), 1U);
  EXPECT_GT(thickness(2.7), 2 * thickness(0.8));
}

TEST(Render, DrawsForceChainsIn3D) {
  const Folder folder;
  const std::string path = folder.write("spheres.csv", "x,y,z,r\n0,0,0,1\n1.9,0,0,1\n");
  folder.write("pairs.csv", "a,b,gap\n0,1,-0.1\n");
  const auto yellow = [](Pixel p) { return p.is_yellow(); };
  EXPECT_GT(count_pixels(render_file(path, small_options({.force_chains = true})), yellow), 50U);
  EXPECT_EQ(count_pixels(render_file(path, small_options({.color_by = "radius"})), yellow), 0U);
}

TEST(Render, DrawsColorBar) {
  const Folder folder;
  RenderOptions options{.width = 400, .height = 300, .style = {.color_by = "radius"}};
  const std::string path = folder.write("disks.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const Image constant = render_file(path, options);  // a single radius has a single color
  const auto count_in_bar = [](const Image& image, const auto& is) {
    return count_pixels(image, is, 330);
  };
  EXPECT_EQ(count_in_bar(constant, [](Pixel p) { return p.is_yellow(); }), 0U);
  folder.write("disks.csv", "x,y,r\n0,0,1\n1,0,0.5\n");
  const Image varying = render_file(path, options);
  EXPECT_GT(count_in_bar(varying, [](Pixel p) { return p.is_yellow(); }), 50U);
  EXPECT_GT(count_in_bar(varying, [](Pixel p) { return p.is_violet(); }), 50U);
  EXPECT_GT(count_in_bar(varying, [](Pixel p) { return p.red < 80 && p.green < 80; }),
            30U);  // tick labels
}

TEST(Render, LabelsHaveUnitsUnlessTheCaseSaysNone) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const auto label = [&](const std::string& path, const std::string& color_by) {
    return ViewExtents(Dataset(path), color_by, false).color_scale.label;
  };
  EXPECT_EQ(label(folder.path("run"), "velocity"), "speed (m/s)");
  EXPECT_EQ(label(folder.path("run"), "radius"), "radius (m)");
  EXPECT_EQ(label(folder.path("run"), "id"), "id");
  EXPECT_EQ(label(folder.path("run/particles-1.vtp"), "radius"), "radius (m)");
  folder.write("run/case.toml", "dimension = 3\nunits = \"none\"\n");
  EXPECT_EQ(label(folder.path("run"), "velocity"), "speed");
  EXPECT_EQ(label(folder.path("run/particles-1.vtp"), "radius"), "radius");
  EXPECT_EQ(label(folder.write("p.csv", "x,y,r\n0,0,1\n"), "radius"), "radius");
}

TEST(Render, ColorScaleCoversNineTenthsOfTheValues) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 1000;
  ColorField field{"speed", "m/s", values, true, false};
  const ColorScale scale = make_color_scale(field, values, true);
  const auto covered =
      std::ranges::count_if(values, [&](float value) { return value <= scale.high; });
  EXPECT_GE(covered, 900);
  field.is_integer = true;
  EXPECT_EQ(make_color_scale(field, {1, 2, 2, 3, 12}, true).high, 12);
}

TEST(Render, ColorsByForceIfAFrameHasNoContacts) {
  const Folder folder;
  const std::vector<std::array<double, 3>> positions{{0, 0, 0}, {1.9, 0, 0}};
  const std::vector<double> radii{1, 1};
  const std::vector<std::int32_t> ids{0, 1};
  const VtkFrame particles{
      .points = positions, .has_vertices = true, .point_fields = {{"radius", radii}, {"id", ids}}};
  VtkSeries series(folder.path("run.pvd"));
  for (const std::size_t contact_count : {0U, 1U}) {
    const auto time = static_cast<double>(contact_count);
    const std::string name = std::to_string(contact_count) + ".vtp";
    const auto ends = std::span(positions).first(2 * contact_count);
    const std::vector<std::array<Index, 2>> lines(contact_count, {0, 1});
    const std::vector<std::int32_t> a(contact_count, 0);
    const std::vector<std::int32_t> b(contact_count, 1);
    const std::vector<double> force(contact_count, 7);
    write_vtk(folder.path("particles-" + name), particles);
    write_vtk(folder.path("contacts-" + name),
              {.points = ends,
               .lines = lines,
               .cell_fields = {{"a", a}, {"b", b}, {"force_magnitude", force}}});
    series.add({time, "particles", "particles-" + name});
    series.add({time, "contacts", "contacts-" + name});
  }
  series.write();
  const Dataset run(folder.path("."));
  const ViewExtents extents(run, "force", false);
  EXPECT_EQ(extents.color_scale.label, "contact force (N)");
  EXPECT_GE(extents.color_scale.high, 7);
  EXPECT_THAT(find_color_field(run.frame(0), "force").values, ::testing::ElementsAre(0, 0));
  EXPECT_THAT(find_color_field(run.frame(1), "force").values, ::testing::ElementsAre(7, 7));
}

TEST(Render, UsesTheSameCameraForAllFrames) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const Dataset run(folder.path("run"));
  RenderOptions options = small_options({});
  options.view = {0, 0};
  RunRenderer renderer(run, options);
  const auto is_sphere = [](Pixel p) { return !p.is_background(); };
  const Image first = renderer.render_frame(0);
  const Image last = renderer.render_frame(3);
  EXPECT_GT(count_pixels(first, is_sphere, 0, 50), 300U);
  EXPECT_EQ(count_pixels(first, is_sphere, 50), 0U);
  EXPECT_GT(count_pixels(last, is_sphere, 130), 300U);
  EXPECT_EQ(count_pixels(last, is_sphere, 0, 130), 0U);
}

TEST(Render, MontageContainsAllFrames) {
  const Folder folder;
  write_moving_sphere_run(folder);
  const Dataset run(folder.path("run"));
  RenderOptions options{.width = 320, .height = 640, .view = {{0, 0}}};
  const Image montage = RunRenderer(run, options).render_montage();
  // Four rows; the sphere moves to the right from row to row.
  std::vector<double> centers;
  for (std::size_t row = 0; row < 4; ++row) {
    double sum = 0;
    double count = 0;
    for (std::size_t y = 60 + row * 140; y < 60 + (row + 1) * 140 && y < montage.height(); ++y)
      for (std::size_t x = 0; x < 250; ++x)
        if (const Pixel p = pixel(montage, x, y); !p.is_background() && !p.is_gray()) {
          sum += static_cast<double>(x);
          ++count;
        }
    ASSERT_GT(count, 100) << row;
    centers.push_back(sum / count);
  }
  EXPECT_TRUE(std::ranges::is_sorted(centers));
  EXPECT_GT(centers.back() - centers.front(), 100);
}

/// Decodes a PNG file independently of the encoder under test.
std::vector<std::uint8_t> decode_png(const std::string& file, std::size_t width,
                                     std::size_t height) {
  std::string compressed;
  for (std::size_t offset = 8; offset < file.size();) {
    const auto byte = [&](std::size_t i) {
      return std::size_t{static_cast<unsigned char>(file[i])};
    };
    const std::size_t size =
        byte(offset) << 24U | byte(offset + 1) << 16U | byte(offset + 2) << 8U | byte(offset + 3);
    if (file.substr(offset + 4, 4) == "IDAT") compressed += file.substr(offset + 8, size);
    offset += size + 12;
  }
  std::vector<Bytef> rows((3 * width + 1) * height);
  uLongf size = rows.size();
  const std::vector<Bytef> input(compressed.begin(), compressed.end());
  EXPECT_EQ(uncompress(rows.data(), &size, input.data(), input.size()), Z_OK);
  EXPECT_EQ(size, rows.size());
  std::vector<std::uint8_t> rgb(3 * width * height);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < 3 * width; ++i) {
      const std::size_t at = y * 3 * width + i;
      const int left = i < 3 ? 0 : rgb[at - 3];
      const int up = y == 0 ? 0 : rgb[at - 3 * width];
      const int corner = i < 3 || y == 0 ? 0 : rgb[at - 3 * width - 3];
      const int p = left + up - corner;
      const int a = std::abs(p - left);
      const int b = std::abs(p - up);
      const int c = std::abs(p - corner);
      const int paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      const std::array<int, 5> prediction{0, left, up, (left + up) / 2, paeth};
      const Bytef filter = rows[y * (3 * width + 1)];
      rgb[at] =
          static_cast<std::uint8_t>(rows[y * (3 * width + 1) + 1 + i] + prediction.at(filter));
    }
  return rgb;
}

TEST(Render, PngContainsTheImage) {
  const Folder folder;
  const Image image = render_file(filled_cube(folder), small_options({.color_by = "id"}));
  const std::string file = encode_png(image.width(), image.height(), image.bytes());
  EXPECT_EQ(decode_png(file, image.width(), image.height()), image.bytes());
}

TEST(Render, FontContainsAllAsciiCharacters) {
  const std::size_t box = find_glyph(U'\u4e00').strokes[0].size();
  for (char32_t character = U'!'; character <= U'~'; ++character) {
    const Glyph glyph = find_glyph(character);
    ASSERT_FALSE(glyph.strokes.empty()) << static_cast<unsigned>(character);
    const bool is_box = glyph.strokes.size() == 1 && glyph.strokes[0].size() == box &&
                        glyph.strokes[0] == find_glyph(U'\u4e00').strokes[0];
    EXPECT_FALSE(is_box) << static_cast<unsigned>(character);
  }
  EXPECT_EQ(decode_utf8("m\u00b2 \xff t").size(), 5U);  // invalid UTF-8 is ignored
  EXPECT_GT(text_width("Lazarevi\u0107", 10.0F), text_width("Lazarevi", 10.0F));
}

TEST(Render, ColorMapGrowsLighter) {
  float before = -1;
  for (int i = 0; i <= 20; ++i) {
    const Color light = to_linear(map_color(static_cast<float>(i) / 20));
    const float luminance = 0.2126F * light.x + 0.7152F * light.y + 0.0722F * light.z;
    EXPECT_GT(luminance, before) << i;
    before = luminance;
  }
}

}  // namespace
}  // namespace abut
