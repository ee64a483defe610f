#pragma once

#include <abut/options.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scenes/scene.hpp"

namespace abut::fuzz {

/// What is asked of a detector after an update.
enum class Ask : std::uint8_t { list_then_stream, stream_then_list, list, nothing };

template <std::size_t D>
struct Step {
  Scene<D> scene;
  Ask ask = Ask::list_then_stream;
};

/// What one detector goes through: particles that move, come, go and change places.
template <std::size_t D>
struct Scenario {
  Options<D> options;
  std::vector<Step<D>> steps;
};

using AnyScenario = std::variant<Scenario<2>, Scenario<3>>;

/// Every string of bytes is a scenario, and always the same one: options first, then commands.
/// Coordinates come from small alphabets, so that few bytes touch exactly, coincide or lie on the
/// face of a cell; some commands take any double. A changed alphabet or command changes what the
/// files of fuzz/corpus mean.
AnyScenario scene_from_bytes(std::span<const std::uint8_t> bytes);

/// "2D, margin 0.5, tolerance 1e-12, …"
template <std::size_t D>
std::string text_of(const Options<D>& options);

/// The particles as the program reads them: x,y,r or x,y,z,r.
template <std::size_t D>
std::string csv_of(const Scene<D>& scene);

extern template std::string text_of(const Options<2>&);
extern template std::string text_of(const Options<3>&);
extern template std::string csv_of(const Scene<2>&);
extern template std::string csv_of(const Scene<3>&);

}  // namespace abut::fuzz
