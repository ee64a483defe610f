#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "cli/command.hpp"
#include "dem/contact_coefficients.hpp"
#include "io/text_format.hpp"

namespace abut {
namespace {

// In Markdown, | separates columns.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", text); }

Table law_table(bool is_markdown) {
  Table table({"law", "force"});
  const auto add = [&](const ContactLawInfo& info) {
    table.add({std::string(info.title),
               is_markdown ? markdown_cell(info.force) : std::string(info.force)});
  };
  for (const NormalLawInfo& law : normal_laws()) add(law.info);
  for (const ContactLawInfo& info : contact_contributions()) add(info);
  return table;
}

Table parameter_table(bool is_markdown) {
  Table table({"key", "unit", "values", "default", "laws", "meaning"});
  for (const ContactParameter& parameter : contact_parameters()) {
    const bool is_flag = std::holds_alternative<bool ContactParameters::*>(parameter.field);
    table.add(
        {is_markdown ? code(parameter.name) : std::string(parameter.name),
         std::string(parameter.unit),
         std::string(is_flag ? "true, false" : text_of(parameter.range)),
         std::string(parameter.default_text), std::string(parameter.laws),
         is_markdown ? markdown_cell(parameter.description) : std::string(parameter.description)});
  }
  return table;
}

}  // namespace

Command laws_command(CLI::App& program) {
  Arguments app(program, "laws", "List the contact laws and the keys of [[contact]] in case files");
  app.footer("Example: abut laws --markdown");
  auto markdown = std::make_shared<bool>(false);
  app.add_flag("--markdown", *markdown, "Print the tables of docs/simulation.md");
  return {app, [markdown] {
            const Table laws = law_table(*markdown);
            const Table parameters = parameter_table(*markdown);
            fmt::print("{}\n{}", *markdown ? laws.markdown() : laws.text(),
                       *markdown ? parameters.markdown() : parameters.text());
            return exit_success;
          }};
}

}  // namespace abut
