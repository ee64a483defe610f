#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// A message to the page: a JSON header and arrays after it, so that the browser parses no text of
/// numbers. Little endian:
///   "ABUT", the length of the header (uint32), the header, spaces up to a multiple of eight,
///   arrays, each beginning at a multiple of eight.
/// The header lists under "arrays" name, type, components and first byte (after the header) of
/// each.
class MessageBytes {
 public:
  /// What the header says besides.
  nlohmann::ordered_json& header() { return header_; }

  void add(std::string_view name, std::span<const float> values, std::size_t components);
  void add(std::string_view name, std::span<const std::int32_t> values, std::size_t components);
  void add(std::string_view name, std::span<const std::uint32_t> values, std::size_t components);
  /// As 32-bit numbers if all fit, as doubles if not.
  void add(std::string_view name, std::span<const std::int64_t> values);

  [[nodiscard]] std::string bytes() const;

 private:
  void add_bytes(std::string_view name, std::string_view type, std::size_t count,
                 std::size_t components, std::span<const std::byte> values);

  nlohmann::ordered_json header_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
  std::string data_;
};

/// Any text as JSON, whatever bytes file names have.
std::string json_text(const nlohmann::ordered_json& value);

}  // namespace abut
