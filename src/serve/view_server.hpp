#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frames/dataset.hpp"

namespace abut {

/// A file of the page, as the browser asks for it.
struct EmbeddedFile {
  std::string_view url_path;  ///< "/viewer.js"
  std::string_view type;      ///< "text/javascript"
  std::string_view content;
};

/// The page that was built from viewer/; empty if the program was built without it.
std::span<const EmbeddedFile> embedded_files();

/// What a page is told about one path, where there may be nothing yet, or a run that goes on. Any
/// number of threads may ask; one at a time reads.
class ViewSession {
 public:
  explicit ViewSession(std::string path);

  /// JSON: title, number of frames, times from this frame on, whether there are probes; or a
  /// problem.
  [[nodiscard]] std::string summary(std::size_t from);

  // Messages for the page; throw `Error` if there is no such frame, or its file is damaged.
  [[nodiscard]] std::string frame(std::size_t number);
  [[nodiscard]] std::string contacts(std::size_t number);
  [[nodiscard]] std::string probes();

 private:
  const Dataset& open_dataset();
  /// From the memory of the last one read, if it is this one.
  const FrameData& cached_frame(std::size_t number);

  struct CachedFrame {
    std::size_t index;
    double time;
    FrameData frame;
  };

  std::mutex mutex_;
  std::string path_;
  std::optional<Dataset> dataset_;
  std::optional<CachedFrame> cached_;
};

/// Serves what can be looked at under a path to browsers on this machine: the page and, under /api,
/// messages made from frames. No file is served as such, so no address can lead to one.
class ViewServer {
 public:
  ViewServer(std::string path, std::span<const EmbeddedFile> page);
  ~ViewServer();
  ViewServer(ViewServer&&) = delete;

  /// Takes this port of 127.0.0.1, or a free one from 8080 on if it is 0. Throws `Error` if it is
  /// taken, or none is free.
  int bind_port(int port);
  /// Serves until `stop`.
  void serve();
  void stop();

 private:
  struct Service;
  std::unique_ptr<Service> service_;
};

}  // namespace abut
