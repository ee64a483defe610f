#include "raw_http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace abut::testing {

RawHttpClient::RawHttpClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{10, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as sockets are
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(socket_);
    throw std::runtime_error("nobody listens");
  }
}

RawHttpClient::~RawHttpClient() { close(socket_); }

bool RawHttpClient::send(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t more = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (more <= 0) return false;
    sent += static_cast<std::size_t>(more);
  }
  return true;
}

void RawHttpClient::finish_sending() const { shutdown(socket_, SHUT_WR); }

std::string RawHttpClient::receive() const {
  std::string text;
  std::array<char, 65536> part{};
  for (ssize_t got = 0; (got = recv(socket_, part.data(), part.size(), 0)) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

std::string response_to(int port, const std::string& bytes) {
  const RawHttpClient visitor(port);
  visitor.send(bytes);
  return visitor.receive();
}

void send_raw(int port, const std::string& bytes) {
  const RawHttpClient visitor(port);
  visitor.send(bytes);
  visitor.finish_sending();
  (void)visitor.receive();
}

std::string response_to_get(int port, const std::string& address) {
  return response_to(port, "GET " + address + " HTTP/1.1\r\nHost: 127.0.0.1:" +
                               std::to_string(port) + "\r\nConnection: close\r\n\r\n");
}

std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : answer.substr(end + 4);
}

int status_of(const std::string& answer) {
  int status = 0;
  if (answer.starts_with("HTTP/1.1 ") && answer.size() > 12)
    std::from_chars(answer.data() + 9, answer.data() + 12, status);
  return status;
}

}  // namespace abut::testing
