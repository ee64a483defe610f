#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace abut {
namespace {

std::string joined_values(const CLI::Option& option) {
  std::string joined;
  for (const std::string& value : option.results()) joined += (joined.empty() ? "" : ",") + value;
  return joined;
}

}  // namespace

Argument& Argument::metavar(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::hidden() {
  option_->group("");
  return *this;
}

Argument& Argument::comma_separated() {
  option_->delimiter(',');
  return *this;
}

Argument& Argument::expected(int min, int max) {
  option_->expected(min, max);
  return *this;
}

Argument& Argument::range(int min, int max) {
  option_->check(CLI::Range(min, max).description(""));
  return *this;
}

Argument& Argument::non_negative() {
  option_->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  return *this;
}

Argument& Argument::one_of(std::initializer_list<int> values) {
  option_->check(CLI::IsMember(values).description(""));
  return *this;
}

Argument& Argument::excludes(const std::string& other) {
  option_->excludes(other);
  return *this;
}

bool Argument::is_given() const { return option_->count() > 0; }

Arguments::Arguments(CLI::App& program, const std::string& name, const std::string& description)
    : app_(program.add_subcommand(name, description)) {}

void Arguments::footer(const std::string& text) { app_->footer(text); }

template <class Value>
Argument Arguments::add_option(const std::string& name, Value& value,
                               const std::string& description) {
  return Argument(*app_->add_option(name, value, description));
}

Argument Arguments::add_flag(const std::string& name, bool& value, const std::string& description) {
  return Argument(*app_->add_flag(name, value, description));
}

Argument Arguments::get_option(const std::string& name) {
  return Argument(*app_->get_option(name));
}

std::string Arguments::name() const { return app_->get_name(); }

std::string Arguments::description() const { return app_->get_description(); }

bool Arguments::is_parsed() const { return app_->parsed(); }

std::string Arguments::command_line() const {
  std::string text = "abut " + name();
  const CLI::App& command = *app_;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    if (!option->get_positional()) text += " " + option->get_name();
    if (option->get_items_expected_max() > 0) text += " " + joined_values(*option);
  }
  return text;
}

template Argument Arguments::add_option(const std::string&, std::string&, const std::string&);
template Argument Arguments::add_option(const std::string&, int&, const std::string&);
template Argument Arguments::add_option(const std::string&, unsigned&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::uint64_t&, const std::string&);
template Argument Arguments::add_option(const std::string&, double&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::optional<double>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<std::string>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<int>&, const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<unsigned>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<float>&,
                                        const std::string&);
template Argument Arguments::add_option(const std::string&, std::vector<double>&,
                                        const std::string&);

}  // namespace abut
