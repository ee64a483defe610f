#pragma once

#include <string>

namespace abut::testing {

/// A connection to a port of this machine that sends what it likes, not only what HTTP allows.
class RawHttpClient {
 public:
  /// Throws if nobody listens there.
  explicit RawHttpClient(int port);
  ~RawHttpClient();
  RawHttpClient(const RawHttpClient&) = delete;
  RawHttpClient& operator=(const RawHttpClient&) = delete;

  /// Whether all of it went out: a server may hang up before.
  bool send(const std::string& bytes) const;
  /// No more will come.
  void finish_sending() const;
  /// All that comes until the server hangs up, or nothing has come for ten seconds.
  [[nodiscard]] std::string receive() const;

 private:
  int socket_;
};

/// The answer to these bytes, which are all of a request.
std::string response_to(int port, const std::string& bytes);

/// These bytes, whatever they are, and no more.
void send_raw(int port, const std::string& bytes);

/// The answer to a request as browsers make it.
std::string response_to_get(int port, const std::string& address);

/// Without its head.
std::string body_of(const std::string& answer);

/// 200, …; 0 if there is no answer.
int status_of(const std::string& answer);

}  // namespace abut::testing
