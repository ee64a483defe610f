#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace abut {

/// What was measured of one method or library on one scene.
struct Measurement {
  std::string scene;
  std::size_t count = 0;
  int dimension = 3;
  std::string method{};
  unsigned threads = 1;
  double seconds = 0;
  std::optional<double> build_seconds{};  ///< the part of it that built or mended the structure
  std::size_t pairs = 0;
  std::optional<std::uint64_t> candidates{};
  std::optional<std::size_t> structure_bytes{};
  std::size_t peak_bytes = 0;
  std::optional<double> sort_seconds{};  ///< what sorting the pairs would add
  std::optional<std::uint64_t> instructions{};
  std::string skip_reason{};  ///< why nothing was measured

  [[nodiscard]] double per_particle(double value) const {
    return count > 0 ? value / static_cast<double>(count) : 0;
  }
  [[nodiscard]] double ns_per_particle() const { return per_particle(1e9 * seconds); }
  [[nodiscard]] double ns_per_pair() const {
    return pairs > 0 ? 1e9 * seconds / static_cast<double>(pairs) : 0;
  }
};

/// The most memory the process has had resident since it was made; 0 where the system does not
/// tell. Memory the allocator holds free is given back first, so that earlier work does not count.
class PeakMemory {
 public:
  PeakMemory();
  [[nodiscard]] std::size_t bytes() const;

 private:
  bool known_;
};

}  // namespace abut

/// Calls work(data). Valgrind finds it by its name and counts what happens in it, and nothing else.
extern "C" void abut_counted(void (*work)(void*), void* data);

namespace abut {

/// Throws `Error` with the remedy if valgrind cannot be run.
void check_valgrind();

/// Runs this program with these words under valgrind and returns how many instructions went by in
/// `abut_counted`.
std::uint64_t count_instructions(const std::vector<std::string>& words);

}  // namespace abut
