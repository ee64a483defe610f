#include "io/scanner.hpp"

#include <array>

namespace abut {

void Scanner::refuse(const Field& field, std::errc error, std::string_view kind) const {
  const std::string_view value = word();
  if (value.empty()) fail(message(field.text(), " is missing"));
  if (error == std::errc::result_out_of_range) fail(field, value, "out of range");
  if (value.find(';') != std::string_view::npos)
    fail(field, value, "not a number; fields are not separated by ';' here");
  if (value.find(',') != std::string_view::npos)
    fail(field, value, "not a number; write 1.5 with a point, and blanks between numbers");
  if (value.find_first_of("dD") != std::string_view::npos &&
      value.find_first_not_of("0123456789.+-dD") == std::string_view::npos)
    fail(field, value, "not a number; write the exponent with e, as in 1.5e3");
  fail(field, value, message("not ", kind));
}

std::string Scanner::printable(std::string_view value) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text = "'";
  for (const char c : value.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      text += c;
    else
      text += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
  }
  return text + (value.size() > longest ? "…'" : "'");
}

}  // namespace abut
