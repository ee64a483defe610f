#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "core/thread_pool.hpp"
#include "frames/dataset.hpp"
#include "render/image.hpp"
#include "render/scene.hpp"
#include "render/view_extents.hpp"

namespace abut {

struct RenderOptions {
  std::size_t width = 1600;
  std::size_t height = 1200;
  SceneStyle style{};
  std::optional<std::array<float, 2>>
      view{};            ///< degrees around the vertical, and above the horizon
  unsigned threads = 0;  ///< 0 takes every core; no byte depends on it
};

/// Makes pictures of a run, or of particles and polygons: all from one place and in the same
/// colours, with title, time and a bar that says what the colours are.
class RunRenderer {
 public:
  /// Throws `Error` for a colour the frames do not have, and for a cut in the plane.
  RunRenderer(const Dataset& shown, RenderOptions choice);

  /// A frame.
  [[nodiscard]] Image render_frame(std::size_t number);

  /// Frames at equal distances of time, side by side.
  [[nodiscard]] Image render_montage(const std::function<void(double)>& progress = {});

 private:
  /// Pixels of a picture.
  struct PixelArea {
    std::size_t left, top, width, height;
  };

  void set_up_camera();
  [[nodiscard]] Camera fit_camera(std::size_t width, std::size_t height) const;
  [[nodiscard]] Image render_view(const FrameData& frame, std::size_t width, std::size_t height);
  [[nodiscard]] PixelArea view_area() const;
  void draw_annotations(Image& image, const std::string& subtitle) const;
  void draw_color_bar(Image& image) const;
  [[nodiscard]] float text_height() const;
  [[nodiscard]] float color_bar_width() const;
  [[nodiscard]] bool has_annotations() const;
  [[nodiscard]] const ColorScale& color_scale() const;
  [[nodiscard]] std::string time_label(double time) const;

  const Dataset& dataset_;
  RenderOptions options_;
  ViewExtents extents_;
  Camera camera_;                            ///< its directions
  std::array<float, 4> projected_bounds_{};  ///< left, right, bottom, top of all, as it sees them
  ThreadPool pool_;
};

}  // namespace abut
