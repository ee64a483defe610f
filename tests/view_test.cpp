// What `abut view` serves, and what it does not, whatever comes to its door.
#include <gmock/gmock.h>

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

/// Particles, a secret beside them and a link to it, served for as long as this is there.
class TestServer {
 public:
  TestServer() {
    folder.write("shown/particles.csv", "x,y,z,r\n0,0,0,0.5\n1,0,0,0.5\n");
    folder.write("secret.txt", "the secret");
    std::filesystem::create_symlink(folder.path("secret.txt"), folder.path("shown/link.txt"));
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

  [[nodiscard]] std::string request(const std::string& line, const std::string& more = "") const {
    return line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" + more + "\r\n";
  }
  [[nodiscard]] bool is_responding() const {
    return body_of(response_to_get(port, "/")) == "<p>the page</p>";
  }

  Folder folder;
  ViewServer server{folder.path("shown"), small_page};
  int port = server.bind_port(0);

 private:
  std::thread thread_;
};

TEST(View, GivesThePageAndWhatItAsksFor) {
  const TestServer door;
  const std::string page = response_to_get(door.port, "/");
  EXPECT_EQ(body_of(page), "<p>the page</p>");
  EXPECT_THAT(page, HasSubstr("Content-Type: text/html; charset=utf-8"));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: default-src 'none'"));
  EXPECT_EQ(body_of(response_to_get(door.port, "/viewer.js")), "let script;");
  EXPECT_THAT(body_of(response_to_get(door.port, "/api/run")), HasSubstr("\"frames\":1"));
  EXPECT_EQ(body_of(response_to(door.port, door.request("HEAD /"))), "");
}

TEST(View, ListensOnLoopbackAlone) {
  const TestServer door;
  std::array<char, 16> port{};
  std::snprintf(port.data(), port.size(), ":%04X", static_cast<unsigned>(door.port));
  std::size_t found = 0;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    std::string number;
    std::string here;
    std::string there;
    std::string state;
    std::string rest;
    std::getline(lines, rest);
    while (lines >> number >> here >> there >> state && std::getline(lines, rest)) {
      if (state != "0A" || !here.ends_with(port.data())) continue;
      EXPECT_EQ(here, std::string("0100007F") + port.data());
      ++found;
    }
  }
  EXPECT_EQ(found, 1U);
}

TEST(View, NoAddressLeadsToAFile) {
  const TestServer door;
  for (const char* address : {"/../secret.txt",
                              "/../../../../../../etc/passwd",
                              "/%2e%2e/secret.txt",
                              "/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                              "/..%2fsecret.txt",
                              "//etc/passwd",
                              "//../secret.txt",
                              "/./../secret.txt",
                              "/link.txt",
                              "/shown/link.txt",
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
    const std::string answer = response_to_get(door.port, address);
    EXPECT_THAT(status_of(answer), ::testing::AnyOf(400, 404)) << address;
    EXPECT_THAT(answer, AllOf(Not(HasSubstr("root:")), Not(HasSubstr("the secret")))) << address;
  }
}

TEST(View, FramesHaveNumbers) {
  const TestServer door;
  EXPECT_EQ(body_of(response_to_get(door.port, "/api/frame/0")).substr(0, 4), "ABUT");
  for (const char* number : {"", "-1", "+0", "0x0", "1e3", "0/", "one", "99999999999999999999999"})
    EXPECT_EQ(status_of(response_to_get(door.port, std::string("/api/frame/") + number)), 404)
        << number;
  EXPECT_EQ(body_of(response_to_get(door.port, "/api/frame/7")),
            R"({"problem":"there is no frame 7: there are 1"})");
}

TEST(View, LinksAreNoProbes) {
  const TestServer door;
  std::filesystem::create_symlink(door.folder.path("secret.txt"),
                                  door.folder.path("shown/probes.csv"));
  EXPECT_EQ(body_of(response_to_get(door.port, "/api/probes")), "");
}

// Another site could give its own name this machine's address, and read us through the browser.
TEST(View, AnswersToItsOwnNamesAlone) {
  const TestServer door;
  const std::string port = std::to_string(door.port);
  const auto status_for = [&](const std::string& hosts) {
    return status_of(response_to(door.port, "GET /api/run HTTP/1.1\r\n" + hosts + "\r\n"));
  };
  EXPECT_EQ(status_for("Host: 127.0.0.1:" + port + "\r\n"), 200);
  EXPECT_EQ(status_for("Host: localhost:" + port + "\r\n"), 200);
  EXPECT_EQ(status_for(""), 421);
  EXPECT_EQ(status_for("Host: evil.example:" + port + "\r\n"), 421);
  EXPECT_EQ(status_for("Host: 127.0.0.1:1\r\n"), 421);
  EXPECT_EQ(status_for("Host: 127.0.0.1.evil.example:" + port + "\r\n"), 421);
  EXPECT_EQ(status_for("Host: localhost:" + port + "\r\nHost: evil.example\r\n"), 421);
}

TEST(View, RefusesOtherMethods) {
  const TestServer door;
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    EXPECT_EQ(status_of(response_to(door.port, door.request(std::string(method) + " /"))), 405)
        << method;
  for (const char* method : {"TRACE", "CONNECT", "PRI", "get", "BREW", "G E T"})
    EXPECT_NE(status_of(response_to(door.port, door.request(std::string(method) + " /"))), 200)
        << method;
  EXPECT_TRUE(door.is_responding());
}

TEST(View, RefusesWhatIsTooLarge) {
  const TestServer door;
  const std::string huge(1 << 20, 'a');
  std::string many;
  for (int i = 0; i < 2000; ++i) many += message("X-", i, ": ", i, "\r\n");
  std::string ranges = "Range: bytes=0-0";
  for (int i = 0; i < 1000; ++i) ranges += ",0-9";
  for (const std::string& request :
       {door.request("GET /" + huge), door.request("GET /", "X-Long: " + huge + "\r\n"),
        door.request("GET /", many), door.request("GET /", ranges + "\r\n"),
        door.request("POST /", "Content-Length: 1048576\r\n") + huge,
        door.request("POST /", "Content-Length: 99999999999999999999\r\n") + huge,
        door.request("POST /", "Transfer-Encoding: chunked\r\n") + "fffffffffffffff\r\n" + huge}) {
    EXPECT_NE(status_of(response_to(door.port, request)), 200) << request.substr(0, 200);
    EXPECT_TRUE(door.is_responding()) << request.substr(0, 200);
  }
}

// What comes after a refused request must not be taken for a second one.
TEST(View, AnswersOneRequestAConnection) {
  const TestServer door;
  const std::string hidden = door.request("GET /");
  const std::string answer = response_to(
      door.port,
      door.request("POST /", message("Content-Length: ", hidden.size(), "\r\n")) + hidden);
  EXPECT_THAT(answer, Not(HasSubstr("the page")));
}

TEST(View, SurvivesGarbage) {
  const TestServer door;
  std::mt19937 random{7};  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  for (int i = 0; i < 60; ++i) {
    std::string bytes(static_cast<std::size_t>(random() % 3000), '\0');
    std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
    if (i % 3 == 0) bytes = message("GET /", bytes, " HTTP/1.1\r\n\r\n");
    if (i % 3 == 1) bytes = door.request("GET /", bytes);
    send_raw(door.port, bytes);
  }
  for (const char* bytes :
       {"", "\r\n", "\r\n\r\n", "GET", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "\n\n\n\n",
        "GET /%zz%%% HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n:\r\n\r\n"})
    send_raw(door.port, bytes);
  EXPECT_TRUE(door.is_responding());
}

TEST(View, SlowVisitorsKeepNobodyOut) {
  const TestServer door;
  std::deque<RawHttpClient> slow;
  for (int i = 0; i < 40; ++i) {
    slow.emplace_back(door.port);
    if (i % 2 == 0) slow.back().send("GET / HT");
  }
  EXPECT_TRUE(door.is_responding());
}

TEST(View, ManyAskAtOnce) {
  const TestServer door;
  std::atomic<int> answered = 0;
  std::deque<std::thread> visitors;
  for (int v = 0; v < 8; ++v)
    visitors.emplace_back([&] {
      for (int i = 0; i < 40; ++i)
        if (status_of(response_to_get(door.port, i % 2 == 0 ? "/api/frame/0" : "/api/run")) == 200)
          ++answered;
    });
  for (std::thread& visitor : visitors) visitor.join();
  EXPECT_EQ(answered, 320);
}

TEST(View, ATakenPortIsNamed) {
  const TestServer door;
  ViewServer other(door.folder.path("shown"), small_page);
  EXPECT_EQ(
      testing::error_message([&] { other.bind_port(door.port); }),
      message("port ", door.port, " is taken or not allowed; choose another --port, or none"));
  EXPECT_NE(other.bind_port(0), door.port);
}

TEST(ViewProgram, NamesWhatIsNotThere) {
  const Folder folder;
  EXPECT_EQ(testing::error_line(folder, {"view", folder.path("nothing")}),
            "abut: cannot read " + folder.path("nothing") + ": there is no such file or folder\n");
  EXPECT_THAT(testing::error_line(folder, {"view", folder.path(""), "--port", "99999"}),
              HasSubstr("--port"));
}

}  // namespace
}  // namespace abut
