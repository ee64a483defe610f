#include "serve/view_server.hpp"

#include <httplib.h>
#include <sys/socket.h>

#include <abut/error.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "serve/binary_message.hpp"
#include "serve/limited_http_server.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

/// Whether probes.csv exists next to or in `path` and is a regular file: symbolic links, which
/// could lead anywhere, are not followed.
bool has_regular_probes_file(const fs::path& path) {
  std::error_code ignored;
  const fs::path folder = fs::is_directory(path, ignored) ? path : path.parent_path();
  return fs::is_regular_file(fs::symlink_status(folder / "probes.csv", ignored));
}

/// Whether `path` is the folder of a run that has not written a frame yet.
bool is_waiting_for_frames(const fs::path& path) {
  std::error_code ignored;
  const auto is_frame = [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".vtp";
  };
  if (!fs::is_directory(path, ignored)) return false;
  if (fs::is_empty(path, ignored)) return true;
  const fs::directory_iterator files(path, ignored);
  return fs::exists(path / "case.toml", ignored) &&
         std::none_of(begin(files), end(files), is_frame);
}

}  // namespace

ViewSession::ViewSession(std::string path) : path_(std::move(path)) {}

const Dataset& ViewSession::open_dataset() {
  if (!dataset_) dataset_.emplace(path_);
  return *dataset_;
}

void ViewSession::check_readable() {
  const std::scoped_lock lock(mutex_);
  try {
    open_dataset();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;
  }
}

std::vector<std::string> ViewSession::warnings() {
  const std::scoped_lock lock(mutex_);
  return dataset_ ? dataset_->warnings() : std::vector<std::string>{};
}

std::string ViewSession::summary(std::size_t from) {
  const std::scoped_lock lock(mutex_);
  nlohmann::ordered_json json{{"path", path_}};
  try {
    const bool was_open = dataset_.has_value();
    open_dataset();
    if (was_open) dataset_->refresh();
    const std::span<const double> times = dataset_->times();
    from = std::min(from, times.size());
    json["title"] = dataset_->title();
    json["units"] = dataset_->has_si_units() ? "SI" : "none";
    json["frames"] = times.size();
    json["from"] = from;
    json["times"] = times.subspan(from);
    json["probes"] = has_regular_probes_file(path_);
  } catch (const std::exception& error) {
    dataset_.reset();  // opened again at the next request
    cached_.reset();
    json["waiting"] = is_waiting_for_frames(path_);
    json["error"] = error.what();
  }
  return to_json_text(json);
}

const FrameData& ViewSession::cached_frame(std::size_t index) {
  const std::vector<double>& times = open_dataset().times();
  if (index >= times.size())
    throw Error(message("there is no frame ", index, "; number of frames: ", times.size()));
  if (!cached_ || cached_->index != index || cached_->time != times[index]) {
    cached_.reset();  // frees its memory before the next one is read
    cached_ = CachedFrame{index, times[index], dataset_->frame(index)};
  }
  return cached_->frame;
}

std::string ViewSession::frame(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  return encode_frame(cached_frame(index));
}

std::string ViewSession::contacts(std::size_t index) {
  const std::scoped_lock lock(mutex_);
  return encode_contacts(cached_frame(index));
}

std::string ViewSession::probes() {
  const std::scoped_lock lock(mutex_);
  return has_regular_probes_file(path_) ? open_dataset().probes() : std::string();
}

namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* loopback = "127.0.0.1";
constexpr int first_port = 8080;
constexpr int max_port_attempts = 100;
constexpr std::size_t max_headers = 100;

constexpr const char* json_type = "application/json";
constexpr const char* binary_type = "application/octet-stream";

/// The page may load nothing from other hosts, and other pages may neither embed nor read it.
const httplib::Headers& security_headers() {
  static const httplib::Headers headers{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
       "data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
       "'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"}};
  return headers;
}

void reject(Response& response, int status, std::string_view reason) {
  response.status = status;
  response.set_content(to_json_text({{"error", reason}}), json_type);
}

/// An index in a URL, which must consist of digits only.
std::optional<std::size_t> parse_index(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// Uses a content provider: other content is compressed by httplib, which would take seconds.
void send(Response& response, std::shared_ptr<const std::string> content, const char* type) {
  const std::size_t size = content->size();
  if (size == 0) return response.set_content("", type);
  response.set_content_provider(
      size, type, [content](std::size_t begin, std::size_t length, httplib::DataSink& sink) {
        return sink.write(content->data() + begin, length);
      });
}

void send(Response& response, const EmbeddedFile& file) {
  response.set_content_provider(
      file.content.size(), std::string(file.type),
      [content = file.content](std::size_t begin, std::size_t length, httplib::DataSink& sink) {
        return sink.write(content.data() + begin, length);
      });
}

}  // namespace

struct ViewServer::Service {
  Service(std::string path, std::span<const EmbeddedFile> files, const ViewLimits& limits);

  void respond(const Request& request, Response& response);
  /// The HTTP status and message if a request must be rejected.
  [[nodiscard]] std::optional<std::pair<int, const char*>> rejection_reason(
      const Request& request) const;
  void respond_api(std::string_view path, const Request& request, Response& response);

  ViewSession session;
  std::span<const EmbeddedFile> page;
  std::array<std::string, 2> host_names;  ///< accepted values of the header Host
  LimitedHttpServer server;
};

ViewServer::Service::Service(std::string path, std::span<const EmbeddedFile> files,
                             const ViewLimits& limits)
    : session(std::move(path)), page(files), server(limits) {
  server.set_socket_options(
      [](int socket) {  // httplib's default, SO_REUSEPORT, shares a port in use
        const int enabled = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &enabled, sizeof enabled);
      });
  server.set_payload_max_length(0);
  server.set_tcp_nodelay(true);
  server.set_default_headers(security_headers());
  // Every request is handled here: httplib's routes are regular expressions, on which long URLs can
  // exhaust the stack, and its handlers would read request bodies first.
  server.set_pre_routing_handler([this](const Request& request, Response& response) {
    respond(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
}

std::optional<std::pair<int, const char*>> ViewServer::Service::rejection_reason(
    const Request& request) const {
  if (request.method != "GET" && request.method != "HEAD")
    return std::pair(405, "only GET and HEAD are supported");
  if (request.headers.size() > max_headers) return std::pair(431, "too many headers");
  const bool is_own_host = request.get_header_value_count("Host") == 1 &&
                           std::ranges::count(host_names, request.get_header_value("Host")) > 0;
  // Otherwise a page of another site could reach this server by DNS rebinding.
  if (!is_own_host) return std::pair(421, "only 127.0.0.1 and localhost are accepted as host");
  if (!request.ranges.empty()) return std::pair(416, "ranges are not supported");
  return {};
}

void ViewServer::Service::respond(const Request& request, Response& response) {
  response.status = 200;
  if (const auto rejection = rejection_reason(request)) {
    if (rejection->first == 405) response.set_header("Allow", "GET, HEAD");
    return reject(response, rejection->first, rejection->second);
  }
  constexpr std::string_view api = "/api/";
  if (request.path.starts_with(api))
    return respond_api(std::string_view(request.path).substr(api.size()), request, response);
  const std::string_view path =
      request.path == "/" ? "/index.html" : std::string_view(request.path);
  const auto file = std::ranges::find(page, path, &EmbeddedFile::url_path);
  if (file == page.end()) return reject(response, 404, "not found");
  send(response, *file);
}

void ViewServer::Service::respond_api(std::string_view path, const Request& request,
                                      Response& response) try {
  constexpr std::string_view frame = "frame/";
  constexpr std::string_view contacts = "contacts/";
  const auto send_text = [&](std::string text, const char* type) {
    send(response, std::make_shared<const std::string>(std::move(text)), type);
  };
  if (path == "run")
    return send_text(session.summary(parse_index(request.get_param_value("from")).value_or(0)),
                     json_type);
  if (path == "probes") return send_text(session.probes(), "text/csv");
  if (path.starts_with(frame))
    if (const auto index = parse_index(path.substr(frame.size())))
      return send_text(session.frame(*index), binary_type);
  if (path.starts_with(contacts))
    if (const auto index = parse_index(path.substr(contacts.size())))
      return send_text(session.contacts(*index), binary_type);
  reject(response, 404, "not found");
} catch (const std::bad_alloc&) {
  reject(response, 200, "not enough memory for this frame");
} catch (const std::exception& error) {
  reject(response, 200, error.what());  // status 200: the page displays the message
}

ViewServer::ViewServer(std::string path, std::span<const EmbeddedFile> page,
                       const ViewLimits& limits)
    : service_(std::make_unique<Service>(std::move(path), page, limits)) {}

ViewServer::~ViewServer() = default;

int ViewServer::bind_port(int port) {
  LimitedHttpServer& server = service_->server;
  const auto set_host_names = [&](int bound) {
    service_->host_names = {message(loopback, ":", bound), message("localhost:", bound)};
    return bound;
  };
  if (port != 0) {
    if (!server.bind(loopback, port))
      throw Error(message("--port = ", port,
                          ": port is in use or not permitted; choose another port or omit --port"));
    return set_host_names(port);
  }
  for (int candidate = first_port; candidate < first_port + max_port_attempts; ++candidate)
    if (server.bind(loopback, candidate)) return set_host_names(candidate);
  throw Error(message("ports ", first_port, " to ", first_port + max_port_attempts - 1,
                      " are all in use; choose another port with --port"));
}

void ViewServer::check_readable() { service_->session.check_readable(); }

std::vector<std::string> ViewServer::warnings() { return service_->session.warnings(); }

void ViewServer::serve() { service_->server.listen_after_bind(); }

void ViewServer::stop() { service_->server.stop(); }

void ViewServer::respond(int socket) { service_->server.respond(socket); }

}  // namespace abut
