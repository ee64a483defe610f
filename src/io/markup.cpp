#include "io/markup.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace abut {
namespace {

// The character that an entity at the beginning of a text stands for, if there is one.
std::optional<char> take_entity(std::string_view& text) {
  for (const char c : {'<', '>', '&', '"', '\''}) {
    const std::string entity = escaped({&c, 1});
    if (!text.starts_with(entity)) continue;
    text.remove_prefix(entity.size());
    return c;
  }
  return {};
}

// The length of the character at the beginning of a text; 0 if it is none that XML can hold.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return first >= ' ' && first != 0x7F ? 1 : 0;
  const auto length = static_cast<std::size_t>(std::countl_one(first));
  if (length < 2 || length > 4 || text.size() < length) return 0;
  char32_t code = first & (0x7FU >> length);
  for (const char c : text.substr(1, length - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = code << 6U | (next & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0xA0, 0x800, 0x10000};  // without C1 controls
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  const bool never = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return code < smallest.at(length) || surrogate || never ? 0 : length;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  return safe;
}

std::optional<std::string> unescaped(std::string_view safe) {
  std::string text;
  while (!safe.empty()) {
    if (const std::optional<char> meant = take_entity(safe)) {
      text += *meant;
      continue;
    }
    if (std::string_view("<>&\"'").find(safe.front()) != std::string_view::npos) return {};
    text += safe.front();
    safe.remove_prefix(1);
  }
  return text;
}

bool fits_markup(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace abut
