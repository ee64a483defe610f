#pragma once

#include <string>
#include <string_view>

namespace abut {

class InputFile;

/// Whether the bytes begin as a gzip file does.
inline bool is_gzipped(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Decompresses all members of a gzip file. Throws `Error` with the file if its data are incomplete
/// or damaged (code invalid_input), or larger than three quarters of the memory (code io).
std::string decompressed(const InputFile& file);

}  // namespace abut
