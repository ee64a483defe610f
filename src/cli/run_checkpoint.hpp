#pragma once

#include <abut/case.hpp>
#include <cstdint>
#include <span>
#include <string>

namespace abut {

/// Where a run comes from.
struct CaseSource {
  std::string folder;  ///< where its meshes are
  std::string text;
  std::string files;  ///< a line for each mesh and list of particles: what it held, and its name
};

/// For `CaseSource::files`.
[[nodiscard]] std::string listed_files(std::span<const std::string> files);

/// Writes the state of a run into its folder.
template <std::size_t D>
void write_run_checkpoint(const std::string& folder, const Run<D>& run, const CaseSource& source);

/// A state that was read back.
struct RunCheckpoint {
  SavedState state;
  std::vector<std::uint64_t> placed;  ///< of each inflow
  CaseSource source;
  std::uint64_t hash = 0;
  std::string note;  ///< one line about newer ones that are of no use
};

/// The newest that is whole.
RunCheckpoint read_run_checkpoint(const std::string& folder);

extern template void write_run_checkpoint(const std::string&, const Run<2>&, const CaseSource&);
extern template void write_run_checkpoint(const std::string&, const Run<3>&, const CaseSource&);

}  // namespace abut
