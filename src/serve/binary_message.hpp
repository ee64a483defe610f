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

/// A message to the viewer: a JSON header followed by binary arrays, so that the browser does not
/// have to parse numbers. Layout, little-endian:
///   "ABUT" (4 bytes), length of the header (uint32), the header padded with spaces to a multiple
///   of 8 bytes, the arrays, each starting at a multiple of 8 bytes.
/// The header is an object. Its member "arrays" lists name, type, count, components and begin (byte
/// offset after the header) of each array.
class BinaryMessage {
 public:
  /// Other members of the header.
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
  /// As int32 if all values fit, otherwise as float64.
  void add(std::string_view name, std::span<const std::int64_t> values);
  /// One row of N components per element.
  template <std::size_t N>
  void add_rows(std::string_view name, const std::vector<std::array<float, N>>& rows) {
    add_bytes(name, "float32", rows.size(), N, std::as_bytes(std::span(rows)));
  }
  template <std::size_t N>
  void add_rows(std::string_view name, const std::vector<std::array<std::uint32_t, N>>& rows) {
    add_bytes(name, "uint32", rows.size(), N, std::as_bytes(std::span(rows)));
  }
  /// Segments: both end points in a row of six.
  void add_rows(std::string_view name,
                const std::vector<std::array<std::array<float, 3>, 2>>& segments) {
    static_assert(sizeof segments[0] == 6 * sizeof(float));
    add_bytes(name, "float32", segments.size(), 6, std::as_bytes(std::span(segments)));
  }

  [[nodiscard]] std::string encode() const;

 private:
  void add_bytes(std::string_view name, std::string_view type, std::size_t count,
                 std::size_t components, std::span<const std::byte> values);

  nlohmann::ordered_json header_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json arrays_ = nlohmann::ordered_json::array();
  std::string data_;
};

/// Serializes JSON; bytes that are not valid UTF-8, as in file names, are replaced.
std::string to_json_text(const nlohmann::ordered_json& value);

/// A message with particles, walls and blocks of a frame, and the number of contacts.
std::string encode_frame(const FrameData& frame);

/// A message with the contacts of a frame. They are sent separately, because they are large and
/// only needed on demand.
std::string encode_contacts(const FrameData& frame);

}  // namespace abut
