#pragma once

#include <cstdint>
#include <string>

#include "io/checkpoint_file.hpp"

namespace abut {

/// Writes `checkpoint-000000012345.abut` into a folder and returns its path. Once it is safely
/// there, the newest whole one before it is kept and all others go: those of later steps are of a
/// run that was taken up again before them. What writers that were killed left behind goes first.
std::string write_checkpoint(const std::string& folder, std::uint64_t step,
                             const CheckpointSections& sections);

/// A checkpoint to go on from.
struct NewestCheckpoint {
  Checkpoint checkpoint;
  std::string note;  ///< one line about newer ones that are of no use; empty if there are none
};

/// The newest that is whole. Throws `Error` if there is none.
[[nodiscard]] NewestCheckpoint read_newest_checkpoint(const std::string& folder);

}  // namespace abut
