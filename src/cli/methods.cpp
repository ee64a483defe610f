#include <fmt/core.h>

#include <abut/detector_options.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

void print_table() {
  Table table({"method", "number", "time", "memory [bytes]", "best for", "paper"});
  for (const MethodInfo& method : methods())
    table.add({std::string(method.name),
               method.demcda_number > 0 ? std::to_string(method.demcda_number) : "-",
               std::string(method.time), std::string(method.memory), std::string(method.best_for),
               std::string(method.paper)});
  fmt::print("{}", table.text());
}

void print_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const MethodInfo& method : methods())
    list.push_back({{"name", method.name},
                    {"number", method.demcda_number},
                    {"paper", method.paper},
                    {"time", method.time},
                    {"memory", method.memory},
                    {"best_for", method.best_for}});
  fmt::print("{}\n", list.dump(2));
}

}  // namespace

Command methods_command(CLI::App& program) {
  Arguments app(program, "methods", "List the search methods: cost, best use and paper");
  app.footer("Example: abut methods --json");
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print an array of objects instead of a table");
  return {app, [json] {
            *json ? print_json() : print_table();
            return exit_success;
          }};
}

}  // namespace abut
