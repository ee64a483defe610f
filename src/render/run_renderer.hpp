#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "core/machine.hpp"
#include "frames/dataset.hpp"
#include "render/image.hpp"
#include "render/scene.hpp"
#include "render/view_extents.hpp"

namespace abut {

struct RenderOptions {
  std::size_t width = 1600;  ///< pixels
  std::size_t height = 1200;
  SceneStyle style{};
  /// Azimuth and elevation of the camera in degrees, as for `camera_at`; 3D only.
  std::optional<std::array<float, 2>> view{};
  unsigned threads = 0;  ///< 0: all cores; images do not depend on it
};

/// Renders frames of a dataset, all with the same camera and color scale, with title, time and
/// color bar. Images smaller than 200×150 pixels have no text.
class RunRenderer {
 public:
  /// Reads several frames to find the extents. `dataset` must outlive the renderer. Throws `Error`
  /// if the frames lack the field to color by, and for a clip plane or view in 2D.
  RunRenderer(const Dataset& dataset, RenderOptions options);

  [[nodiscard]] Image render_frame(std::size_t index);

  /// Up to 12 frames at equidistant times side by side. `progress` is called with fractions up
  /// to 1.
  [[nodiscard]] Image render_montage(const std::function<void(double)>& progress = {});

 private:
  /// A rectangle of the image in pixels.
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
  Camera camera_;  ///< directions and center; `fit_camera` sets scale and image center
  /// Left, right, bottom and top of the scene relative to the camera center, in world units.
  std::array<float, 4> projected_bounds_{};
  ThreadPool pool_;
};

}  // namespace abut
