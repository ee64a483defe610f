#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frames/dataset.hpp"

namespace abut {

/// A file of the web page, embedded in the program.
struct EmbeddedFile {
  std::string_view url_path;  ///< such as "/viewer.js"
  std::string_view type;      ///< MIME type, such as "text/javascript"
  std::string_view content;
};

/// The page built from viewer/; empty if the program was built with ABUT_VIEWER=OFF.
std::span<const EmbeddedFile> embedded_files();

/// Answers the requests of the page for the dataset at one path, which may not exist yet or may be
/// a run in progress. Thread-safe; requests are processed one at a time.
class ViewSession {
 public:
  explicit ViewSession(std::string path);

  /// Opens the dataset. Throws `Error` (code io) if a file of it cannot be read; files that are
  /// missing or damaged may still be written.
  void check_readable();

  /// JSON with title, units ("SI" or "none"), number of frames, times of the frames from index
  /// `from` on, and whether there are probes; or, if the dataset cannot be opened, with "error"
  /// (the message) and "waiting" (whether a run has not written frames yet).
  [[nodiscard]] std::string summary(std::size_t from);

  // Messages for the page. They throw `Error` if the frame does not exist or a file is damaged.
  [[nodiscard]] std::string frame(std::size_t index);
  [[nodiscard]] std::string contacts(std::size_t index);
  [[nodiscard]] std::string probes();

  /// Of the dataset, if it is open.
  [[nodiscard]] std::vector<std::string> warnings();

 private:
  const Dataset& open_dataset();
  /// Reads a frame unless it is the one read last.
  const FrameData& cached_frame(std::size_t index);

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

/// Limits of a request and its response. A connection that exceeds one is closed.
struct ViewLimits {
  std::chrono::milliseconds request_time{10000};    ///< for receiving a request
  std::chrono::milliseconds response_time{120000};  ///< for sending the response
  std::size_t request_bytes = 64U << 10U;           ///< of the request line and the headers
  std::size_t connections = 64;                     ///< handled at the same time
};

/// An HTTP server for browsers on this machine: it serves the page and, under /api, messages
/// generated from the dataset at a path. It never serves files, so no URL can lead to one.
class ViewServer {
 public:
  /// `page` must outlive the server.
  ViewServer(std::string path, std::span<const EmbeddedFile> page, const ViewLimits& limits = {});
  ~ViewServer();
  ViewServer(ViewServer&&) = delete;

  /// As `ViewSession::check_readable`.
  void check_readable();
  /// Warnings about the files that have been opened, one line each.
  [[nodiscard]] std::vector<std::string> warnings();
  /// Binds a port of 127.0.0.1 and returns it; if `port` is 0, the first free one of 8080 … 8179.
  /// Throws `Error` if the port is in use, or if none is free.
  int bind_port(int port);
  /// Blocks until `stop` is called from another thread.
  void serve();
  void stop();
  /// Receives a request from a connected socket, which stays open, and sends the response. A port
  /// must have been bound: requests state it in their header Host.
  void respond(int socket);

 private:
  struct Service;
  std::unique_ptr<Service> service_;
};

}  // namespace abut
