#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frames/dataset.hpp"

namespace abut {

/// A message to the page: a JSON header and arrays after it, so that the browser parses no text of
/// numbers. Little endian:
///   "ABUT", the length of the header (uint32), the header, spaces up to a multiple of eight,
///   arrays, each beginning at a multiple of eight.
/// The header lists under "arrays" name, type, components and first byte (after the header) of
/// each.
class BinaryMessage {
 public:
  /// What the header says besides.
  nlohmann::ordered_json& header() { return header_; }

  void add(std::string_view name, std::span<const float> values, std::size_t components = 1) {
    add_bytes(name, "float32", values.size() / components, components, std::as_bytes(values));
  }
  void add(std::string_view name, std::span<const std::int32_t> values) {
    add_bytes(name, "int32", values.size(), 1, std::as_bytes(values));
  }
  void add(std::string_view name, std::span<const std::uint32_t> values) {
    add_bytes(name, "uint32", values.size(), 1, std::as_bytes(values));
  }
  /// As 32-bit numbers if all fit, as doubles if not.
  void add(std::string_view name, std::span<const std::int64_t> values);
  /// Places, corners of triangles, …
  template <std::size_t N>
  void add_rows(std::string_view name, const std::vector<std::array<float, N>>& rows) {
    add_bytes(name, "float32", rows.size(), N, std::as_bytes(std::span(rows)));
  }
  template <std::size_t N>
  void add_rows(std::string_view name, const std::vector<std::array<std::uint32_t, N>>& rows) {
    add_bytes(name, "uint32", rows.size(), N, std::as_bytes(std::span(rows)));
  }
  /// Lines: both ends in a row.
  void add_rows(std::string_view name,
                const std::vector<std::array<std::array<float, 3>, 2>>& lines) {
    static_assert(sizeof lines[0] == 6 * sizeof(float));
    add_bytes(name, "float32", lines.size(), 6, std::as_bytes(std::span(lines)));
  }

  [[nodiscard]] std::string encode() const;

 private:
  void add_bytes(std::string_view name, std::string_view type, std::size_t count,
                 std::size_t components, std::span<const std::byte> values);

  nlohmann::ordered_json header_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
  std::string data_;
};

/// Any text as JSON, whatever bytes file names have.
std::string to_json_text(const nlohmann::ordered_json& value);

/// Particles, walls and blocks of a frame, as the page takes them; how many contacts there are.
std::string encode_frame(const FrameData& frame);

/// Its contacts, which are many and rarely asked for.
std::string encode_contacts(const FrameData& frame);

}  // namespace abut
