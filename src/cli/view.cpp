#include <fmt/core.h>
#include <unistd.h>

#include <abut/error.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "cli/command.hpp"
#include "serve/view_server.hpp"

namespace abut {
namespace {

/// Blocks SIGINT and SIGTERM in this thread and all threads started from it later, so that only
/// `sigwait` receives them.
sigset_t block_termination_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

struct ViewCommand {
  std::string path;
  int port = 0;

  [[nodiscard]] int run() const;
};

int ViewCommand::run() const {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("cannot read " + path + ": no such file or folder");
  ViewServer server(path, embedded_files());
  server.check_readable();
  for (const std::string& warning : server.warnings()) fmt::print(stderr, "abut: {}\n", warning);
  if (embedded_files().empty())
    throw Error(
        "this abut was built without the viewer: install npm and rebuild with -DABUT_VIEWER=ON");
  const int bound_port = server.bind_port(port);
  std::signal(SIGPIPE, SIG_IGN);  // a browser may close its connection at any time
  const sigset_t signals = block_termination_signals();
  std::thread([&server] { server.serve(); }).detach();
  fmt::print("http://127.0.0.1:{}/ serving {}; Ctrl-C to stop\n", bound_port, path);
  if (std::fflush(stdout) != 0) return exit_success;  // main reports the error
  int signal = 0;
  sigwait(&signals, &signal);
  server.stop();
  // Exits without waiting for slow connections: the server writes no files.
  _exit(exit_success);
}

}  // namespace

Command view_command(CLI::App& program) {
  Arguments app(program, "view", "View a run, or particles and their contacts, in the browser");
  app.footer("Example: abut view silo   (then open the printed address; Ctrl-C to stop)");
  const auto options = std::make_shared<ViewCommand>();
  app.add_option(
         "path", options->path,
         "Folder of a run, a .vtp file, or particles or polygons with their contacts in the "
         "same folder")
      .metavar("PATH")
      .required();
  app.add_option("--port", options->port,
                 "Port on 127.0.0.1; 0: the first free port from 8080 (default: 0)")
      .metavar("PORT")
      .range(0, 65535);
  return {app, [options] { return options->run(); }};
}

}  // namespace abut
