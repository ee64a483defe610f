#include "io/csv_header.hpp"

#include <algorithm>
#include <cctype>

namespace abut {
namespace {

std::string plain(std::string_view title) {
  constexpr std::string_view around = " \t\"";
  title.remove_prefix(std::min(title.find_first_not_of(around), title.size()));
  title.remove_suffix(title.size() - 1 - title.find_last_not_of(around));
  std::string name(title);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace

bool begins_like_csv(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text = text.substr(0, text.find_first_of("\r\n"));
  return text.find(',') != std::string_view::npos &&
         (text.front() == '"' || std::isalpha(static_cast<unsigned char>(text.front())) != 0);
}

std::vector<std::string> read_titles(Scanner& scan) {
  std::vector<std::string> titles;
  do {
    const std::string_view title = scan.field();
    if (title.find(';') != std::string_view::npos)
      scan.fail("columns are separated by ';' here; write commas, and numbers as 1.5");
    titles.push_back(plain(title));
  } while (scan.skip(','));
  return titles;
}

}  // namespace abut
