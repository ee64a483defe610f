#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "show/shown.hpp"

namespace abut {

/// What a page is told about one path, where there may be nothing yet, or a run that goes on. Any
/// number of threads may ask; one at a time reads.
class Showroom {
 public:
  explicit Showroom(std::string path);

  /// JSON: title, number of frames, times from this frame on, whether there are probes; or a
  /// problem.
  [[nodiscard]] std::string summary(std::size_t from);

  // Messages for the page; throw `Error` if there is no such frame, or its file is damaged.
  [[nodiscard]] std::string frame(std::size_t number);
  [[nodiscard]] std::string contacts(std::size_t number);
  [[nodiscard]] std::string probes();

 private:
  const Shown& open();
  /// From the memory of the last one read, if it is this one.
  const ShownFrame& read(std::size_t number);

  struct Kept {
    std::size_t number;
    double time;
    ShownFrame frame;
  };

  std::mutex one_at_a_time_;
  std::string path_;
  std::optional<Shown> shown_;
  std::optional<Kept> kept_;
};

}  // namespace abut
