#pragma once

#include <string>

namespace abut::testing {

/// A TCP connection to a port of this machine that can send arbitrary bytes, not only valid HTTP.
class RawHttpClient {
 public:
  /// Throws if the connection is refused.
  explicit RawHttpClient(int port);
  ~RawHttpClient();
  RawHttpClient(const RawHttpClient&) = delete;
  RawHttpClient& operator=(const RawHttpClient&) = delete;

  /// Returns whether all bytes were sent: the server may close the connection before.
  bool send(const std::string& bytes) const;
  /// Closes the sending direction.
  void finish_sending() const;
  /// Receives until the server closes the connection, or for 10 s without data.
  [[nodiscard]] std::string receive() const;

 private:
  int socket_;
};

/// Sends a complete request and returns the response.
std::string response_to(int port, const std::string& bytes);

/// Sends arbitrary bytes, closes the sending direction and discards the response.
void send_raw(int port, const std::string& bytes);

/// The response to a valid GET request.
std::string response_to_get(int port, const std::string& url);

/// A response without its header.
std::string body_of(const std::string& response);

/// The HTTP status of a response; 0 if it is empty or invalid.
int status_of(const std::string& response);

}  // namespace abut::testing
