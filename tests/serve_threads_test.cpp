// A simulation in one thread while another serves frames, also run with the thread sanitizer.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "raw_http_client.hpp"
#include "serve/view_server.hpp"
#include "sphere_fixtures.hpp"

namespace abut::testing {
namespace {

constexpr std::array served_page{
    EmbeddedFile{"/index.html", "text/html; charset=utf-8", "<p>the page</p>"}};

/// A folder with a file of 500 particles, removed by the destructor.
class ServedFolder {
 public:
  ServedFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("abut-serve-threads-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
    std::ofstream file(path_ / "particles.csv");
    file << "x,y,z,r\n";
    for (int i = 0; i < 500; ++i) file << i << ",0,0,0.5\n";
  }
  ~ServedFolder() { std::filesystem::remove_all(path_); }
  ServedFolder(const ServedFolder&) = delete;
  ServedFolder& operator=(const ServedFolder&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(ServeThreads, SimulationRunsWhileFramesAreServed) {
  const ServedFolder folder;
  ViewServer server(folder.path(), served_page);
  const int port = server.bind_port(0);
  std::thread serving([&] { server.serve(); });
  while (status_of(response_to_get(port, "/")) != 200) std::this_thread::yield();
  std::atomic<bool> has_ended = false;
  std::vector<double> result;
  std::thread simulating([&] {
    Model<3> model = frictional_model<3>();
    model.threads = 2;
    result = run_packing<3>(model, 300, 600);
    has_ended = true;
  });
  int succeeded = 0;
  int requests = 0;
  do {
    ++requests;
    if (status_of(response_to_get(port, requests % 2 == 0 ? "/api/frame/0" : "/api/run")) == 200)
      ++succeeded;
  } while (!has_ended || requests < 20);
  simulating.join();
  server.stop();
  serving.join();
  EXPECT_EQ(succeeded, requests);
  EXPECT_EQ(result, run_packing<3>(frictional_model<3>(), 300, 600));
}

}  // namespace
}  // namespace abut::testing
