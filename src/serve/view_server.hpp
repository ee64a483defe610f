#pragma once

#include <memory>
#include <span>
#include <string>

#include "serve/page_file.hpp"

namespace abut {

/// Serves what can be looked at under a path to browsers on this machine: the page and, under /api,
/// messages made from frames. No file is served as such, so no address can lead to one.
class ViewServer {
 public:
  ViewServer(std::string path, std::span<const PageFile> page);
  ~ViewServer();
  ViewServer(ViewServer&&) = delete;

  /// Takes this port of 127.0.0.1, or a free one from 8080 on if it is 0. Throws `Error` if it is
  /// taken, or none is free.
  int take_port(int port);
  /// Serves until `stop`.
  void serve();
  void stop();

 private:
  struct Service;
  std::unique_ptr<Service> service_;
};

}  // namespace abut
