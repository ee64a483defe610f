#include "serve/message_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace abut {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent as they are");

void pad(std::string& text, char with) {
  while (text.size() % 8 != 0) text += with;
}

bool fits_32_bits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

void MessageBytes::add_bytes(std::string_view name, std::string_view type, std::size_t count,
                             std::size_t components, std::span<const std::byte> values) {
  arrays_.push_back({{"name", name},
                     {"type", type},
                     {"count", count},
                     {"components", components},
                     {"begin", data_.size()}});
  const std::size_t begin = data_.size();
  data_.resize(begin + values.size());
  if (!values.empty()) std::memcpy(data_.data() + begin, values.data(), values.size());
  pad(data_, '\0');
}

void MessageBytes::add(std::string_view name, std::span<const std::int64_t> values) {
  if (std::ranges::all_of(values, fits_32_bits)) {
    std::vector<std::int32_t> narrow(values.size());
    std::ranges::transform(values, narrow.begin(),
                           [](std::int64_t v) { return static_cast<std::int32_t>(v); });
    return add(name, narrow);
  }
  std::vector<double> wide(values.size());
  std::ranges::transform(values, wide.begin(),
                         [](std::int64_t v) { return static_cast<double>(v); });
  add_bytes(name, "float64", wide.size(), 1, std::as_bytes(std::span(wide)));
}

std::string MessageBytes::bytes() const {
  nlohmann::ordered_json all = header_;
  all["arrays"] = arrays_;
  std::string head = json_text(all);
  pad(head, ' ');
  const auto length = static_cast<std::uint32_t>(head.size());
  std::string text(8, '\0');
  std::memcpy(text.data(), "ABUT", 4);
  std::memcpy(text.data() + 4, &length, sizeof length);
  text.reserve(text.size() + head.size() + data_.size());
  return text += head, text += data_;
}

std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace abut
