#pragma once

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/view_server.hpp"

namespace abut {

/// A server of httplib that limits the bytes of a request, the total time for receiving it and for
/// sending the response, and the number of connections. It handles one request per connection.
///
/// Each connection is handled by one of `connections` threads. If all are busy, the connection that
/// has been sending its request for the longest time is closed, or, if all requests have been
/// received, the oldest connection. Clients that send slowly or not at all therefore never block
/// others.
class LimitedHttpServer : public httplib::Server {
 public:
  explicit LimitedHttpServer(const ViewLimits& limits);
  ~LimitedHttpServer() override = default;

  /// As `bind_to_port`, with a longer queue of connections to accept: httplib's has 5, and clients
  /// wait a second before they try again.
  bool bind(const std::string& host, int port);

  /// Handles the request of a connected socket in the calling thread.
  void respond(socket_t socket);

 private:
  class Connections;  // the task queue of httplib, deleted by it

  bool process_and_close_socket(socket_t socket) override;
  /// Receives a request and sends the response. `on_received` is called in between.
  template <class OnReceived>
  void respond(socket_t socket, const OnReceived& on_received);

  ViewLimits limits_;
  Connections* connections_ = nullptr;
};

}  // namespace abut
