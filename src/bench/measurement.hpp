#pragma once

#include <abut/pair.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/buffers.hpp"

namespace abut {

/// Results of one method or library on one scene. Times are medians of wall-clock times; optional
/// values are empty if the method does not provide them.
struct Measurement {
  std::string scene;
  std::size_t count = 0;  ///< particles
  int dimension = 3;
  std::string method{};
  unsigned threads = 1;
  double seconds = 0;  ///< whole search
  std::optional<double>
      build_seconds{};    ///< share of `seconds` that built or updated the structure
  std::size_t pairs = 0;  ///< of the last run
  std::optional<std::uint64_t> candidates{};
  std::optional<std::size_t> structure_bytes{};
  std::size_t peak_bytes = 0;            ///< resident memory of the process; 0 if unknown
  std::optional<double> sort_seconds{};  ///< additional time to sort the pairs
  std::optional<std::uint64_t> instructions{};
  std::string skip_reason{};  ///< why the method was not measured; empty if it was

  [[nodiscard]] double per_particle(double value) const {
    return count > 0 ? value / static_cast<double>(count) : 0;
  }
  [[nodiscard]] double ns_per_particle() const { return per_particle(1e9 * seconds); }
  [[nodiscard]] double ns_per_pair() const {
    return pairs > 0 ? 1e9 * seconds / static_cast<double>(pairs) : 0;
  }
};

/// Measures the peak resident memory of the process since construction. The constructor returns
/// free memory of the allocator to the system, so that earlier work is not counted.
class PeakMemory {
 public:
  PeakMemory();
  /// 0 if the system does not report it.
  [[nodiscard]] std::size_t bytes() const;

 private:
  bool known_;
};

/// Compares lists of pairs, in any order, with a reference: the first list that was given.
class PairCheck {
 public:
  explicit PairCheck(std::size_t particle_count) : particle_count_(particle_count) {}

  /// Describes the first difference between `pairs`, found by method `name`, and the reference;
  /// empty if they are equal. The first call sets the reference.
  std::optional<std::string> mismatch(const std::string& name, const std::vector<Pair>& pairs);

  /// Drops the reference; the next call of `mismatch` sets a new one.
  void reset() { reference_.reset(); }

  /// Median time to sort these pairs, with all memory allocated beforehand.
  double seconds_to_sort(const std::vector<Pair>& pairs, int repeat);

 private:
  void load(const std::vector<Pair>& pairs);

  std::size_t particle_count_;
  std::string reference_name_;
  std::optional<std::vector<Pair>> reference_;
  PairBuffer buffer_;
  PairSorter sorter_;
  std::vector<Pair> sorted_;
};

}  // namespace abut

/// Calls work(data). Callgrind finds this function by its name and counts only the instructions
/// executed in it.
extern "C" void abut_counted(void (*work)(void*), void* data);

namespace abut {

/// Throws `Error` with installation instructions if valgrind cannot be run.
void check_valgrind();

/// Runs this program with these command-line arguments under callgrind. Returns the number of
/// instructions executed in `abut_counted`. Throws `Error` if the run fails or none were counted.
std::uint64_t count_instructions(const std::vector<std::string>& arguments);

}  // namespace abut
