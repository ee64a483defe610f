#pragma once

#include <string_view>

#include "io/text_input.hpp"

namespace abut {

/// Whether the bytes begin as a gzip file does.
inline bool is_gzipped(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Decompresses all members of a gzip file. Throws `Error` with the file if its data are incomplete
/// or damaged (code invalid_input), or larger than the limit (code io), which applies to the data
/// of regular files too.
ByteBuffer decompressed(const InputFile& file, const ReadLimit& limit = {});

}  // namespace abut
