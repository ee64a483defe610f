#include "serve/view_server.hpp"

#include <httplib.h>
#include <sys/socket.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "serve/message_bytes.hpp"
#include "serve/showroom.hpp"

namespace abut {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* here = "127.0.0.1";
constexpr int first_port = 8080;
constexpr int ports_tried = 100;
constexpr std::size_t workers = 64;  // they mostly wait: slow visitors must not keep others out
constexpr std::size_t most_headers = 100;

constexpr const char* json_type = "application/json";
constexpr const char* bytes_type = "application/octet-stream";

/// Nothing from elsewhere runs in the page, and nobody else may show or read it.
const httplib::Headers& manners() {
  static const httplib::Headers all{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
       "data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
       "'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  return all;
}

void refuse(Response& answer, int status, std::string_view why) {
  answer.status = status;
  answer.set_content(json_text({{"problem", why}}), json_type);
}

/// A number in an address, of digits alone.
std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t value = 0;
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || trouble != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// Sent as it is: httplib would spend seconds to compress it.
void send(Response& answer, std::shared_ptr<const std::string> content, const char* type) {
  const std::size_t size = content->size();
  if (size == 0) return answer.set_content("", type);
  answer.set_content_provider(
      size, type, [content](std::size_t begin, std::size_t length, httplib::DataSink& sink) {
        return sink.write(content->data() + begin, length);
      });
}

void send(Response& answer, const PageFile& file) {
  answer.set_content_provider(
      file.content.size(), std::string(file.type),
      [content = file.content](std::size_t begin, std::size_t length, httplib::DataSink& sink) {
        return sink.write(content.data() + begin, length);
      });
}

}  // namespace

struct ViewServer::Service {
  Service(std::string path, std::span<const PageFile> files);

  void answer(const Request& request, Response& answer);
  /// Why a request is not for us, with its status.
  [[nodiscard]] std::optional<std::pair<int, const char*>> objection(const Request& request) const;
  void answer_api(std::string_view what, const Request& request, Response& answer);

  Showroom room;
  std::span<const PageFile> page;
  std::array<std::string, 2> names;  ///< by which a browser here calls us
  httplib::Server server;
};

ViewServer::Service::Service(std::string path, std::span<const PageFile> files)
    : room(std::move(path)), page(files) {
  server.new_task_queue = [] { return new httplib::ThreadPool(workers); };
  server.set_socket_options([](int socket) {  // its default would share a port that is taken
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_keep_alive_max_count(1);  // what is left of a refused request is never taken for one
  server.set_keep_alive_timeout(5);
  server.set_read_timeout(5);
  server.set_write_timeout(20);
  server.set_payload_max_length(0);
  server.set_tcp_nodelay(true);
  server.set_default_headers(manners());
  // Every request is answered here: httplib's routes are regular expressions, which long addresses
  // can exhaust, and its handlers would read bodies first.
  server.set_pre_routing_handler([this](const Request& request, Response& reply) {
    answer(request, reply);
    return httplib::Server::HandlerResponse::Handled;
  });
}

std::optional<std::pair<int, const char*>> ViewServer::Service::objection(
    const Request& request) const {
  if (request.method != "GET" && request.method != "HEAD")
    return std::pair(405, "this server answers GET only");
  if (request.headers.size() > most_headers) return std::pair(431, "too many headers");
  const bool is_meant = request.get_header_value_count("Host") == 1 &&
                        std::ranges::count(names, request.get_header_value("Host")) > 0;
  // Otherwise a page of someone else could reach us by a name that leads here (DNS rebinding).
  if (!is_meant) return std::pair(421, "this server answers to 127.0.0.1 and localhost only");
  if (!request.ranges.empty()) return std::pair(416, "parts are not served");
  return {};
}

void ViewServer::Service::answer(const Request& request, Response& answer) {
  answer.status = 200;
  if (const auto no = objection(request)) {
    if (no->first == 405) answer.set_header("Allow", "GET, HEAD");
    return refuse(answer, no->first, no->second);
  }
  constexpr std::string_view api = "/api/";
  if (request.path.starts_with(api))
    return answer_api(std::string_view(request.path).substr(api.size()), request, answer);
  const std::string_view asked = request.path;
  const std::string_view address = asked == "/" ? "/index.html" : asked;
  const auto file = std::ranges::find(page, address, &PageFile::address);
  if (file == page.end()) return refuse(answer, 404, "there is nothing here");
  send(answer, *file);
}

void ViewServer::Service::answer_api(std::string_view what, const Request& request,
                                     Response& answer) try {
  constexpr std::string_view frame = "frame/";
  constexpr std::string_view contacts = "contacts/";
  const auto give = [&](std::string text, const char* type) {
    send(answer, std::make_shared<const std::string>(std::move(text)), type);
  };
  if (what == "run")
    return give(room.summary(number_in(request.get_param_value("from")).value_or(0)), json_type);
  if (what == "probes") return give(room.probes(), "text/csv");
  if (what.starts_with(frame))
    if (const auto number = number_in(what.substr(frame.size())))
      return give(room.frame(*number), bytes_type);
  if (what.starts_with(contacts))
    if (const auto number = number_in(what.substr(contacts.size())))
      return give(room.contacts(*number), bytes_type);
  refuse(answer, 404, "there is nothing here");
} catch (const std::bad_alloc&) {
  refuse(answer, 200, "not enough memory to show this frame");
} catch (const std::exception& error) {
  refuse(answer, 200, error.what());  // an answer like any other: the page tells its reader
}

ViewServer::ViewServer(std::string path, std::span<const PageFile> page)
    : service_(std::make_unique<Service>(std::move(path), page)) {}

ViewServer::~ViewServer() = default;

int ViewServer::take_port(int port) {
  httplib::Server& server = service_->server;
  const auto taken = [&](int one) {
    service_->names = {message(here, ":", one), message("localhost:", one)};
    return one;
  };
  if (port != 0) {
    if (!server.bind_to_port(here, port))
      throw Error(
          message("port ", port, " is taken or not allowed; choose another --port, or none"));
    return taken(port);
  }
  for (int one = first_port; one < first_port + ports_tried; ++one)
    if (server.bind_to_port(here, one)) return taken(one);
  throw Error(message("ports ", first_port, " to ", first_port + ports_tried - 1,
                      " are all taken; choose another with --port"));
}

void ViewServer::serve() { service_->server.listen_after_bind(); }

void ViewServer::stop() { service_->server.stop(); }

}  // namespace abut
