#include "serve/limited_http_server.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <string>
#include <utility>

namespace abut {
namespace {

using Clock = std::chrono::steady_clock;

/// The stream of one connection. Reading fails after `request_bytes` bytes or `request_time`,
/// writing after `response_time`, counted from the first write.
class LimitedStream final : public httplib::Stream {
 public:
  LimitedStream(socket_t socket, const ViewLimits& limits)
      : socket_(socket),
        limits_(limits),
        remaining_bytes_(limits.request_bytes),
        receive_deadline_(Clock::now() + limits.request_time) {}

  [[nodiscard]] bool is_readable() const override {
    return begin_ != end_ || wait_for(POLLIN, receive_deadline_);
  }
  [[nodiscard]] bool is_writable() const override { return wait_for(POLLOUT, send_deadline_); }

  // httplib reads byte by byte.
  ssize_t read(char* bytes, std::size_t size) override {
    if (begin_ == end_ && !receive()) return -1;
    const std::size_t count = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, bytes);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, std::size_t size) override {
    if (send_deadline_ == Clock::time_point::max())
      send_deadline_ = Clock::now() + limits_.response_time;
    for (;;) {
      if (!wait_for(POLLOUT, send_deadline_)) return -1;
      const ssize_t sent = send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) return sent;
      if (errno != EAGAIN && errno != EINTR) return -1;
    }
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  [[nodiscard]] bool wait_for(short events, Clock::time_point deadline) const {
    for (;;) {
      const auto now = Clock::now();
      if (now >= deadline) return false;
      constexpr std::chrono::milliseconds max_wait(1000);  // then again
      const auto wait = std::min<std::chrono::milliseconds>(
          max_wait, std::chrono::ceil<std::chrono::milliseconds>(
                        std::min<Clock::duration>(deadline - now, max_wait)));
      pollfd file{socket_, events, 0};
      const int ready = poll(&file, 1, static_cast<int>(wait.count()));
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
    }
  }

  // Fills the empty buffer. Returns false at the end of the data, at a limit, or after an error.
  bool receive() {
    while (remaining_bytes_ > 0 && wait_for(POLLIN, receive_deadline_)) {
      const ssize_t got =
          recv(socket_, buffer_.data(), std::min(buffer_.size(), remaining_bytes_), MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0) return false;
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
      remaining_bytes_ -= end_;
      return true;
    }
    return false;
  }

  socket_t socket_;
  const ViewLimits& limits_;
  std::size_t remaining_bytes_;
  Clock::time_point receive_deadline_;
  Clock::time_point send_deadline_ = Clock::time_point::max();
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

/// The accepted connections and the threads that handle them.
class LimitedHttpServer::Connections final : public httplib::TaskQueue {
 public:
  explicit Connections(LimitedHttpServer& server) {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, server.limits_.connections); ++i)
      threads_.emplace_back([this, &server] { handle_connections(server); });
  }

  /// Runs the task of httplib at once, in the thread that accepts connections: it calls
  /// `process_and_close_socket`, which calls `add`.
  void enqueue(std::function<void()> task) override { task(); }

  /// Takes ownership of the socket. If there are too many connections, ends the oldest one.
  void add(socket_t socket) {
    {
      const std::scoped_lock lock(mutex_);
      if (is_stopped_) {
        close(socket);
        return;
      }
      if (active_.size() + waiting_.size() >= threads_.size() && !close_one()) {
        // Each active connection has been ended for one that waits until its thread has finished.
        close(waiting_.front());
        waiting_.pop_front();
      }
      waiting_.push_back(socket);
    }
    added_.notify_one();
  }

  void shutdown() override {
    {
      const std::scoped_lock lock(mutex_);
      is_stopped_ = true;
      for (const Connection& connection : active_) ::shutdown(connection.socket, SHUT_RDWR);
      for (const socket_t socket : waiting_) close(socket);
      waiting_.clear();
    }
    added_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  struct Connection {
    socket_t socket;
    bool is_receiving = true;
    bool is_closed = false;  // shut down, but its thread still uses the socket
  };

  // Ends the active connection that is to make room for another. Returns false if all have been
  // ended and their threads have not finished yet.
  bool close_one() {
    const auto find = [&](bool receiving) {
      return std::ranges::find_if(active_, [&](const Connection& connection) {
        return !connection.is_closed && (!receiving || connection.is_receiving);
      });
    };
    auto oldest = find(true);
    if (oldest == active_.end()) oldest = find(false);
    if (oldest == active_.end()) return false;
    ::shutdown(oldest->socket, SHUT_RDWR);
    oldest->is_closed = true;
    return true;
  }

  void handle_connections(LimitedHttpServer& server) {
    std::unique_lock lock(mutex_);
    for (;;) {
      added_.wait(lock, [&] { return is_stopped_ || !waiting_.empty(); });
      if (is_stopped_) return;
      const auto connection = active_.insert(active_.end(), {waiting_.front()});
      waiting_.pop_front();
      lock.unlock();
      server.respond(connection->socket, [&] {
        const std::scoped_lock received(mutex_);
        connection->is_receiving = false;
      });
      lock.lock();
      close(connection->socket);
      active_.erase(connection);
    }
  }

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<socket_t> waiting_;
  std::list<Connection> active_;  // the oldest first
  bool is_stopped_ = false;
  std::vector<std::thread> threads_;
};

LimitedHttpServer::LimitedHttpServer(const ViewLimits& limits) : limits_(limits) {
  new_task_queue = [this] { return connections_ = new Connections(*this); };
}

bool LimitedHttpServer::bind(const std::string& host, int port) {
  return bind_to_port(host, port) && ::listen(svr_sock_, SOMAXCONN) == 0;
}

bool LimitedHttpServer::process_and_close_socket(socket_t socket) {
  connections_->add(socket);
  return true;
}

template <class OnReceived>
void LimitedHttpServer::respond(socket_t socket, const OnReceived& on_received) {
  LimitedStream stream(socket, limits_);
  bool is_closed = false;
  (void)process_request(stream, true, is_closed, [&](httplib::Request&) { on_received(); });
  ::shutdown(socket, SHUT_RDWR);
}

void LimitedHttpServer::respond(socket_t socket) {
  respond(socket, [] {});
}

}  // namespace abut
