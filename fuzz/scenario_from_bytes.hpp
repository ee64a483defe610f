#pragma once

#include <abut/detector_options.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "scenes/scene.hpp"

namespace abut::fuzz {

/// What is queried from the detector after an update.
enum class QueryMode : std::uint8_t { list_then_stream, stream_then_list, list, none };

template <std::size_t D>
struct Step {
  Scene<D> scene;
  QueryMode query = QueryMode::list_then_stream;
};

/// Updates for one detector: particles that move, appear, disappear and swap indices.
template <std::size_t D>
struct Scenario {
  DetectorOptions<D> options;
  std::vector<Step<D>> steps;
};

using AnyScenario = std::variant<Scenario<2>, Scenario<3>>;

/// Maps every byte string to one scenario: options first, then commands. Coordinates come from
/// small alphabets, so that few bytes suffice for particles that touch exactly, coincide or lie on
/// a cell face; some commands take any double. Changing an alphabet or command changes the meaning
/// of the files in fuzz/corpus.
AnyScenario scenario_from_bytes(std::span<const std::uint8_t> bytes);

/// "2D, margin 0.5, tolerance 1e-12, …"
template <std::size_t D>
std::string describe(const DetectorOptions<D>& options);

/// The particles as CSV that the program reads: x,y,r or x,y,z,r.
template <std::size_t D>
std::string to_csv(const Scene<D>& scene);

extern template std::string describe(const DetectorOptions<2>&);
extern template std::string describe(const DetectorOptions<3>&);
extern template std::string to_csv(const Scene<2>&);
extern template std::string to_csv(const Scene<3>&);

}  // namespace abut::fuzz
