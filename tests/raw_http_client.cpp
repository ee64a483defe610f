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
  const timeval timeout{10, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): required by the socket API
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(socket_);
    throw std::runtime_error("connection refused");
  }
}

RawHttpClient::~RawHttpClient() { close(socket_); }

bool RawHttpClient::send(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

void RawHttpClient::finish_sending() const { shutdown(socket_, SHUT_WR); }

std::string RawHttpClient::receive() const {
  std::string text;
  std::array<char, 65536> buffer{};
  for (ssize_t count = 0; (count = recv(socket_, buffer.data(), buffer.size(), 0)) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  return text;
}

std::string response_to(int port, const std::string& bytes) {
  const RawHttpClient client(port);
  client.send(bytes);
  return client.receive();
}

void send_raw(int port, const std::string& bytes) {
  const RawHttpClient client(port);
  client.send(bytes);
  client.finish_sending();
  (void)client.receive();
}

std::string response_to_get(int port, const std::string& url) {
  return response_to(port, "GET " + url + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                               "\r\nConnection: close\r\n\r\n");
}

std::string body_of(const std::string& response) {
  const std::size_t end = response.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : response.substr(end + 4);
}

int status_of(const std::string& response) {
  int status = 0;
  if (response.starts_with("HTTP/1.1 ") && response.size() > 12)
    std::from_chars(response.data() + 9, response.data() + 12, status);
  return status;
}

}  // namespace abut::testing
