#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <string>

namespace abut {

/// Writes the state of a run into its folder. `case_folder` is where its meshes are.
template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run,
                          const std::string& case_folder);

/// A state that was read back.
struct RunCheckpoint {
  SavedState state;
  std::vector<std::uint64_t> placed;  ///< of each inflow
  std::string case_folder;
  std::uint64_t hash = 0;
  std::string note;  ///< one line about newer ones that are of no use
};

/// The newest that is whole.
RunCheckpoint read_run_checkpoint(const std::string& folder);

extern template void write_run_checkpoint(const std::string&, const Run<2>&, const std::string&);
extern template void write_run_checkpoint(const std::string&, const Run<3>&, const std::string&);

}  // namespace abut
