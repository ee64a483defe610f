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

namespace abut {
namespace {

namespace fs = std::filesystem;

/// Of a run in `path`, if it is a file of its own: a link could lead anywhere.
bool has_regular_probes_file(const fs::path& path) {
  std::error_code unknown;
  const fs::path folder = fs::is_directory(path, unknown) ? path : path.parent_path();
  return fs::is_regular_file(fs::symlink_status(folder / "probes.csv", unknown));
}

/// Whether a run may begin here soon, or has only begun: a folder without frames.
bool is_waiting_for_frames(const fs::path& path) {
  std::error_code unknown;
  const auto is_frame = [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".vtp";
  };
  if (!fs::is_directory(path, unknown)) return false;
  if (fs::is_empty(path, unknown)) return true;
  const fs::directory_iterator files(path, unknown);
  return fs::exists(path / "case.toml", unknown) &&
         std::none_of(begin(files), end(files), is_frame);
}

}  // namespace

ViewSession::ViewSession(std::string path) : path_(std::move(path)) {}

const Dataset& ViewSession::open_dataset() {
  if (!dataset_) dataset_.emplace(path_);
  return *dataset_;
}

std::string ViewSession::summary(std::size_t from) {
  const std::scoped_lock lock(mutex_);
  nlohmann::ordered_json all{{"path", path_}};
  try {
    const bool is_new = !dataset_;
    open_dataset();
    if (!is_new) dataset_->refresh();
    const std::span<const double> times = dataset_->times();
    from = std::min(from, times.size());
    all["title"] = dataset_->title();
    all["frames"] = times.size();
    all["from"] = from;
    all["times"] = times.subspan(from);
    all["probes"] = has_regular_probes_file(path_);
  } catch (const std::exception& error) {
    dataset_.reset();  // looked at from the beginning next time
    cached_.reset();
    all["waiting"] = is_waiting_for_frames(path_);
    all["problem"] = error.what();
  }
  return to_json_text(all);
}

const FrameData& ViewSession::cached_frame(std::size_t number) {
  const std::vector<double>& times = open_dataset().times();
  if (number >= times.size())
    throw Error(message("there is no frame ", number, ": there are ", times.size()));
  if (!cached_ || cached_->index != number || cached_->time != times[number]) {
    cached_.reset();  // before the next is read: they are large
    cached_ = CachedFrame{number, times[number], dataset_->frame(number)};
  }
  return cached_->frame;
}

std::string ViewSession::frame(std::size_t number) {
  const std::scoped_lock lock(mutex_);
  return encode_frame(cached_frame(number));
}

std::string ViewSession::contacts(std::size_t number) {
  const std::scoped_lock lock(mutex_);
  return encode_contacts(cached_frame(number));
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
constexpr std::size_t worker_count =
    64;  // they mostly wait: slow visitors must not keep others out
constexpr std::size_t max_headers = 100;

constexpr const char* json_type = "application/json";
constexpr const char* binary_type = "application/octet-stream";

/// Nothing from elsewhere runs in the page, and nobody else may show or read it.
const httplib::Headers& security_headers() {
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

void reject(Response& answer, int status, std::string_view why) {
  answer.status = status;
  answer.set_content(to_json_text({{"problem", why}}), json_type);
}

/// A number in an address, of digits alone.
std::optional<std::size_t> parse_index(std::string_view text) {
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

void send(Response& answer, const EmbeddedFile& file) {
  answer.set_content_provider(
      file.content.size(), std::string(file.type),
      [content = file.content](std::size_t begin, std::size_t length, httplib::DataSink& sink) {
        return sink.write(content.data() + begin, length);
      });
}

}  // namespace

struct ViewServer::Service {
  Service(std::string path, std::span<const EmbeddedFile> files);

  void respond(const Request& request, Response& answer);
  /// Why a request is not for us, with its status.
  [[nodiscard]] std::optional<std::pair<int, const char*>> rejection_reason(
      const Request& request) const;
  void respond_api(std::string_view what, const Request& request, Response& answer);

  ViewSession session;
  std::span<const EmbeddedFile> page;
  std::array<std::string, 2> host_names;  ///< by which a browser here calls us
  httplib::Server server;
};

ViewServer::Service::Service(std::string path, std::span<const EmbeddedFile> files)
    : session(std::move(path)), page(files) {
  server.new_task_queue = [] { return new httplib::ThreadPool(worker_count); };
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
  server.set_default_headers(security_headers());
  // Every request is answered here: httplib's routes are regular expressions, which long addresses
  // can exhaust, and its handlers would read bodies first.
  server.set_pre_routing_handler([this](const Request& request, Response& reply) {
    respond(request, reply);
    return httplib::Server::HandlerResponse::Handled;
  });
}

std::optional<std::pair<int, const char*>> ViewServer::Service::rejection_reason(
    const Request& request) const {
  if (request.method != "GET" && request.method != "HEAD")
    return std::pair(405, "this server answers GET only");
  if (request.headers.size() > max_headers) return std::pair(431, "too many headers");
  const bool is_meant = request.get_header_value_count("Host") == 1 &&
                        std::ranges::count(host_names, request.get_header_value("Host")) > 0;
  // Otherwise a page of someone else could reach us by a name that leads here (DNS rebinding).
  if (!is_meant) return std::pair(421, "this server answers to 127.0.0.1 and localhost only");
  if (!request.ranges.empty()) return std::pair(416, "parts are not served");
  return {};
}

void ViewServer::Service::respond(const Request& request, Response& answer) {
  answer.status = 200;
  if (const auto no = rejection_reason(request)) {
    if (no->first == 405) answer.set_header("Allow", "GET, HEAD");
    return reject(answer, no->first, no->second);
  }
  constexpr std::string_view api = "/api/";
  if (request.path.starts_with(api))
    return respond_api(std::string_view(request.path).substr(api.size()), request, answer);
  const std::string_view asked = request.path;
  const std::string_view address = asked == "/" ? "/index.html" : asked;
  const auto file = std::ranges::find(page, address, &EmbeddedFile::url_path);
  if (file == page.end()) return reject(answer, 404, "there is nothing here");
  send(answer, *file);
}

void ViewServer::Service::respond_api(std::string_view what, const Request& request,
                                      Response& answer) try {
  constexpr std::string_view frame = "frame/";
  constexpr std::string_view contacts = "contacts/";
  const auto give = [&](std::string text, const char* type) {
    send(answer, std::make_shared<const std::string>(std::move(text)), type);
  };
  if (what == "run")
    return give(session.summary(parse_index(request.get_param_value("from")).value_or(0)),
                json_type);
  if (what == "probes") return give(session.probes(), "text/csv");
  if (what.starts_with(frame))
    if (const auto number = parse_index(what.substr(frame.size())))
      return give(session.frame(*number), binary_type);
  if (what.starts_with(contacts))
    if (const auto number = parse_index(what.substr(contacts.size())))
      return give(session.contacts(*number), binary_type);
  reject(answer, 404, "there is nothing here");
} catch (const std::bad_alloc&) {
  reject(answer, 200, "not enough memory to show this frame");
} catch (const std::exception& error) {
  reject(answer, 200, error.what());  // an answer like any other: the page tells its reader
}

ViewServer::ViewServer(std::string path, std::span<const EmbeddedFile> page)
    : service_(std::make_unique<Service>(std::move(path), page)) {}

ViewServer::~ViewServer() = default;

int ViewServer::bind_port(int port) {
  httplib::Server& server = service_->server;
  const auto taken = [&](int one) {
    service_->host_names = {message(loopback, ":", one), message("localhost:", one)};
    return one;
  };
  if (port != 0) {
    if (!server.bind_to_port(loopback, port))
      throw Error(
          message("port ", port, " is taken or not allowed; choose another --port, or none"));
    return taken(port);
  }
  for (int one = first_port; one < first_port + max_port_attempts; ++one)
    if (server.bind_to_port(loopback, one)) return taken(one);
  throw Error(message("ports ", first_port, " to ", first_port + max_port_attempts - 1,
                      " are all taken; choose another with --port"));
}

void ViewServer::serve() { service_->server.listen_after_bind(); }

void ViewServer::stop() { service_->server.stop(); }

}  // namespace abut
