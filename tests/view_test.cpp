// The HTTP server of `abut view`: valid, invalid and malicious requests.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "core/message.hpp"
#include "error_line.hpp"
#include "expect_error.hpp"
#include "program.hpp"
#include "raw_http_client.hpp"
#include "serve/view_server.hpp"

namespace abut {
namespace {

using ::testing::AllOf;
using testing::body_of;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawHttpClient;
using testing::response_to;
using testing::response_to_get;
using testing::send_raw;
using testing::status_of;

constexpr std::array small_page{
    EmbeddedFile{"/index.html", "text/html; charset=utf-8", "<p>the page</p>"},
    EmbeddedFile{"/viewer.js", "text/javascript", "let script;"}};

/// Serves a folder of particles that contains a symbolic link to a secret file outside of it.
class TestServer {
 public:
  explicit TestServer(const ViewLimits& limits = {})
      : server(folder.path("data"), small_page, limits) {
    folder.write("data/particles.csv", "x,y,z,r\n0,0,0,0.5\n1,0,0,0.5\n");
    folder.write("secret.txt", "the secret");
    std::filesystem::create_symlink(folder.path("secret.txt"), folder.path("data/link.txt"));
    thread_ = std::thread([this] { server.serve(); });
    while (status_of(response_to_get(port, "/")) != 200)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~TestServer() {
    server.stop();
    thread_.join();
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  [[nodiscard]] std::string request(const std::string& line,
                                    const std::string& headers = "") const {
    return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + headers +
           "\r\n";
  }
  [[nodiscard]] bool is_responding() const {
    return body_of(response_to_get(port, "/")) == "<p>the page</p>";
  }

  Folder folder;
  ViewServer server;
  int port = server.bind_port(0);

 private:
  std::thread thread_;
};

TEST(ViewServer, ServesPageAndApi) {
  const TestServer server;
  const std::string page = response_to_get(server.port, "/");
  EXPECT_EQ(body_of(page), "<p>the page</p>");
  EXPECT_THAT(page, HasSubstr("Content-Type: text/html; charset=utf-8"));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_EQ(body_of(response_to_get(server.port, "/viewer.js")), "let script;");
  EXPECT_THAT(body_of(response_to_get(server.port, "/api/run")), HasSubstr("\"frames\":1"));
  EXPECT_EQ(body_of(response_to(server.port, server.request("HEAD /"))), "");
}

TEST(ViewServer, ListensOnLoopbackOnly) {
  const TestServer server;
  std::array<char, 16> port{};
  std::snprintf(port.data(), port.size(), ":%04X", static_cast<unsigned>(server.port));
  std::size_t found = 0;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    std::string number;
    std::string local;
    std::string remote;
    std::string state;
    std::string rest;
    std::getline(lines, rest);
    while (lines >> number >> local >> remote >> state && std::getline(lines, rest)) {
      if (state != "0A" || !local.ends_with(port.data())) continue;
      EXPECT_EQ(local, std::string("0100007F") + port.data());
      ++found;
    }
  }
  EXPECT_EQ(found, 1U);
}

TEST(ViewServer, ServesNoFilesForAnyUrl) {
  const TestServer server;
  for (const char* url : {"/../secret.txt",
                          "/../../../../../../etc/passwd",
                          "/%2e%2e/secret.txt",
                          "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                          "/..%2fsecret.txt",
                          "//etc/passwd",
                          "//../secret.txt",
                          "/./../secret.txt",
                          "/link.txt",
                          "/data/link.txt",
                          "/particles.csv",
                          "/api/../link.txt",
                          "/api/frame/../../link.txt",
                          "/api/frame/%2e%2e/link.txt",
                          "/..\\secret.txt",
                          "/%c0%ae%c0%ae/secret.txt",
                          "/index.html%00.txt",
                          "/index.html/../../secret.txt",
                          "/INDEX.HTML",
                          "/viewer.js/",
                          "file:///etc/passwd",
                          "http://127.0.0.1/link.txt",
                          "secret.txt",
                          "*",
                          "/api/frame/0/../../link.txt",
                          "/api/probes/../link.txt",
                          "/api",
                          "/api/",
                          "/favicon.ico"}) {
    const std::string response = response_to_get(server.port, url);
    EXPECT_THAT(status_of(response), ::testing::AnyOf(400, 404)) << url;
    EXPECT_THAT(response, AllOf(Not(HasSubstr("root:")), Not(HasSubstr("the secret")))) << url;
  }
}

TEST(ViewServer, RejectsInvalidFrameIndices) {
  const TestServer server;
  EXPECT_EQ(body_of(response_to_get(server.port, "/api/frame/0")).substr(0, 4), "ABUT");
  for (const char* number : {"", "-1", "+0", "0x0", "1e3", "0/", "one", "99999999999999999999999"})
    EXPECT_EQ(status_of(response_to_get(server.port, std::string("/api/frame/") + number)), 404)
        << number;
  EXPECT_EQ(body_of(response_to_get(server.port, "/api/frame/7")),
            R"({"error":"there is no frame 7; number of frames: 1"})");
}

TEST(ViewServer, DoesNotFollowLinksToProbes) {
  const TestServer server;
  std::filesystem::create_symlink(server.folder.path("secret.txt"),
                                  server.folder.path("data/probes.csv"));
  EXPECT_EQ(body_of(response_to_get(server.port, "/api/probes")), "");
}

// Prevents DNS rebinding: another site could map its name to 127.0.0.1 and read through the
// browser.
TEST(ViewServer, RejectsOtherHostNames) {
  const TestServer server;
  const std::string port = std::to_string(server.port);
  const auto status_for = [&](const std::string& hosts) {
    return status_of(response_to(server.port, "GET /api/run HTTP/1.1\r\n" + hosts + "\r\n"));
  };
  EXPECT_EQ(status_for("Host: 127.0.0.1:" + port + "\r\n"), 200);
  EXPECT_EQ(status_for("Host: localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(status_for(""), 421);
  EXPECT_EQ(status_for("Host: evil.example:" + port + "\r\n"), 421);
  EXPECT_EQ(status_for("Host: 127.0.0.1:1\r\n"), 421);
  EXPECT_EQ(status_for("Host: 127.0.0.1.evil.example:" + port + "\r\n"), 421);
  EXPECT_EQ(status_for("Host: localhost:" + port + "\r\nHost: evil.example\r\n"), 421);
}

TEST(ViewServer, RejectsOtherMethods) {
  const TestServer server;
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    EXPECT_EQ(status_of(response_to(server.port, server.request(std::string(method) + " /"))), 405)
        << method;
  for (const char* method : {"TRACE", "CONNECT", "PRI", "get", "BREW", "G E T"})
    EXPECT_NE(status_of(response_to(server.port, server.request(std::string(method) + " /"))), 200)
        << method;
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, RejectsLargeRequests) {
  const TestServer server;
  const std::string huge(1 << 20, 'a');
  std::string many;
  for (int i = 0; i < 2000; ++i) many += message("X-", i, ": ", i, "\r\n");
  std::string ranges = "Range: bytes=0-0";
  for (int i = 0; i < 1000; ++i) ranges += ",0-9";
  for (const std::string& request :
       {server.request("GET /" + huge), server.request("GET /", "X-Long: " + huge + "\r\n"),
        server.request("GET /", many), server.request("GET /", ranges + "\r\n"),
        server.request("POST /", "Content-Length: 1048576\r\n") + huge,
        server.request("POST /", "Content-Length: 99999999999999999999\r\n") + huge,
        server.request("POST /", "Transfer-Encoding: chunked\r\n") + "fffffffffffffff\r\n" +
            huge}) {
    EXPECT_NE(status_of(response_to(server.port, request)), 200) << request.substr(0, 200);
    EXPECT_TRUE(server.is_responding()) << request.substr(0, 200);
  }
}

// The body of a rejected request must not be parsed as a second request.
TEST(ViewServer, HandlesOneRequestPerConnection) {
  const TestServer server;
  const std::string hidden = server.request("GET /");
  const std::string response = response_to(
      server.port,
      server.request("POST /", message("Content-Length: ", hidden.size(), "\r\n")) + hidden);
  EXPECT_THAT(response, Not(HasSubstr("the page")));
}

TEST(ViewServer, SurvivesInvalidRequests) {
  const TestServer server;
  std::mt19937 random{7};  // NOLINT(cert-msc32-c,cert-msc51-cpp): deterministic
  for (int i = 0; i < 60; ++i) {
    std::string bytes(static_cast<std::size_t>(random() % 3000), '\0');
    std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
    if (i % 3 == 0) bytes = message("GET /", bytes, " HTTP/1.1\r\n\r\n");
    if (i % 3 == 1) bytes = server.request("GET /", bytes);
    send_raw(server.port, bytes);
  }
  for (const char* bytes :
       {"", "\r\n", "\r\n\r\n", "GET", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "\n\n\n\n",
        "GET /%zz%%% HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n:\r\n\r\n"})
    send_raw(server.port, bytes);
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, RespondsWhileOthersAreSlow) {
  const TestServer server;
  std::deque<RawHttpClient> slow;
  for (int i = 0; i < 40; ++i) {
    slow.emplace_back(server.port);
    if (i % 2 == 0) slow.back().send("GET / HT");
  }
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, RespondsWhileHundredsAreSlow) {
  const TestServer server;
  std::deque<RawHttpClient> slow;
  for (int i = 0; i < 300; ++i) {
    slow.emplace_back(server.port);
    slow.back().send("GET / HT");
  }
  for (int i = 0; i < 10; ++i) {
    for (const RawHttpClient& client : slow) client.send("T");
    EXPECT_TRUE(server.is_responding());
  }
}

// The server stops reading, so that not all bytes can be sent.
TEST(ViewServer, LimitsBytesOfRequest) {
  const TestServer server;
  const std::string line = "X-Long: " + std::string(4000, 'a') + "\r\n";
  std::string headers;
  while (headers.size() < (64U << 20U)) headers += line;
  for (const std::string& start : {"GET / HTTP/1.1\r\n" + headers, std::string(64U << 20U, 'a')}) {
    const RawHttpClient client(server.port);
    EXPECT_FALSE(client.send(start));
  }
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, LimitsTimeOfRequest) {
  const TestServer server(ViewLimits{.request_time = std::chrono::milliseconds(300)});
  const RawHttpClient client(server.port);
  const auto start = std::chrono::steady_clock::now();
  const auto waited = [&] { return std::chrono::steady_clock::now() - start; };
  for (client.send("GET /"); waited() < std::chrono::seconds(4) && client.send("a");)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LT(waited(), std::chrono::seconds(4));
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, LimitsTimeOfResponse) {
  const TestServer server(ViewLimits{.response_time = std::chrono::milliseconds(300)});
  std::string particles = "x,y,z,r\n";
  for (int i = 0; i < 500000; ++i) particles += "0,0,0,1\n";
  server.folder.write("data/particles.csv", particles);
  const RawHttpClient slow(server.port);
  slow.send(server.request("GET /api/frame/0"));
  std::this_thread::sleep_for(std::chrono::seconds(4));
  EXPECT_LT(slow.receive().size(), 500000U * 16);
  EXPECT_TRUE(server.is_responding());
}

TEST(ViewServer, HandlesConcurrentRequests) {
  const TestServer server;
  std::atomic<int> succeeded = 0;
  std::deque<std::thread> clients;
  for (int c = 0; c < 8; ++c)
    clients.emplace_back([&] {
      for (int i = 0; i < 40; ++i)
        if (status_of(response_to_get(server.port, i % 2 == 0 ? "/api/frame/0" : "/api/run")) ==
            200)
          ++succeeded;
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(succeeded, 320);
}

TEST(ViewServer, ReportsAPortInUse) {
  const TestServer server;
  ViewServer other(server.folder.path("data"), small_page);
  EXPECT_EQ(testing::error_message([&] { other.bind_port(server.port); }),
            message("--port = ", server.port,
                    ": port is in use or not permitted; choose another port or omit --port"));
  EXPECT_NE(other.bind_port(0), server.port);
}

TEST(ViewProgram, ReportsInvalidArguments) {
  const Folder folder;
  EXPECT_THAT(testing::error_line(folder, {"view", folder.path("missing")}),
              AllOf(HasSubstr("abut: cannot read " + folder.path("missing") + ": "),
                    HasSubstr("no such file or folder\n")));
  EXPECT_THAT(testing::error_line(folder, {"view", folder.path(""), "--port", "99999"}),
              HasSubstr("--port"));
}

TEST(ViewProgram, RefusesFilesThatCannotBeRead) {
  const Folder folder;
  const std::string pipe = folder.path("pipe.csv");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(testing::error_line(folder, {"view", pipe}),
            "abut: cannot read " + pipe + ": not a regular file\n");
  EXPECT_EQ(testing::error_line(folder, {"view", "/dev/zero"}),
            "abut: cannot read /dev/zero: not a regular file\n");
  EXPECT_EQ(testing::error_line(folder, {"view", "/proc/self/mem"}),
            "abut: cannot read /proc/self/mem: Input/output error\n");
}

}  // namespace
}  // namespace abut
