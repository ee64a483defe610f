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

/// Ctrl-C and SIGTERM, which all threads started from now on leave to the one that waits for them.
sigset_t block_termination_signals() {
  sigset_t endings;
  sigemptyset(&endings);
  sigaddset(&endings, SIGINT);
  sigaddset(&endings, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &endings, nullptr);
  return endings;
}

struct ViewCommand {
  std::string path;
  int port = 0;

  [[nodiscard]] int run() const;
};

int ViewCommand::run() const {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("cannot read " + path + ": there is no such file or folder");
  if (embedded_files().empty())
    throw Error(
        "this abut was built without its page: install npm and build again with -DABUT_VIEWER=ON");
  ViewServer server(path, embedded_files());
  const int taken = server.bind_port(port);
  std::signal(SIGPIPE, SIG_IGN);  // a browser that leaves is no reason to end
  const sigset_t endings = block_termination_signals();
  std::thread([&server] { server.serve(); }).detach();
  fmt::print("http://127.0.0.1:{}/ shows {}; Ctrl-C ends it\n", taken, path);
  if (std::fflush(stdout) != 0) return exit_success;  // nobody is there to see; flushed() tells
  int signal = 0;
  sigwait(&endings, &signal);
  server.stop();
  // Visitors that read slowly are not waited for: nothing is written that could be left undone.
  _exit(exit_success);
}

}  // namespace

Command view_command(CLI::App& program) {
  Arguments app(program, "view", "show a run, or what detect has found, in the browser");
  app.footer("Example: abut view silo   (then open the address it prints; Ctrl-C ends it)");
  const auto options = std::make_shared<ViewCommand>();
  app.add_option("path", options->path,
                 "the --out of a run, particles or polygons with contacts beside them, or a .vtp")
      .required();
  app.add_option("--port", options->port, "of 127.0.0.1; 0 takes a free one from 8080 on")
      .range(0, 65535);
  return {app, [options] { return options->run(); }};
}

}  // namespace abut
