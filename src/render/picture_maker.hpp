#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "core/thread_pool.hpp"
#include "render/image.hpp"
#include "render/solid_scene.hpp"
#include "render/survey_of_run.hpp"
#include "show/shown.hpp"

namespace abut {

struct PictureChoice {
  std::size_t width = 1600;
  std::size_t height = 1200;
  SceneChoice scene{};
  std::optional<std::array<float, 2>>
      view{};            ///< degrees around the vertical, and above the horizon
  unsigned threads = 0;  ///< 0 takes every core; no byte depends on it
};

/// Makes pictures of a run, or of particles and polygons: all from one place and in the same
/// colours, with title, time and a bar that says what the colours are.
class PictureMaker {
 public:
  /// Throws `Error` for a colour the frames do not have, and for a cut in the plane.
  PictureMaker(const Shown& shown, PictureChoice choice);

  /// A frame.
  [[nodiscard]] Image picture(std::size_t number);

  /// Frames at equal distances of time, side by side.
  [[nodiscard]] Image sheet(const std::function<void(double)>& progress = {});

 private:
  /// Pixels of a picture.
  struct Area {
    std::size_t left, top, width, height;
  };

  void aim();
  [[nodiscard]] Camera fitted(std::size_t width, std::size_t height) const;
  [[nodiscard]] Image view_of(const ShownFrame& frame, std::size_t width, std::size_t height);
  [[nodiscard]] Area inner_area() const;
  void decorate(Image& image, const std::string& subtitle) const;
  void draw_bar(Image& image) const;
  [[nodiscard]] float letter() const;
  [[nodiscard]] float bar_width() const;
  [[nodiscard]] bool has_writing() const;
  [[nodiscard]] const ColourScale& scale() const;
  [[nodiscard]] std::string time_text_of(double time) const;

  const Shown& shown_;
  PictureChoice choice_;
  RunSurvey survey_;
  Camera camera_;                ///< its directions
  std::array<float, 4> seen_{};  ///< left, right, bottom, top of all, as it sees them
  ThreadPool pool_;
};

}  // namespace abut
