#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Calls work(data). Valgrind finds it by its name and counts what happens in it, and nothing else.
extern "C" void abut_counted(void (*work)(void*), void* data);

namespace abut {

/// Throws `Error` with the remedy if valgrind cannot be run.
void check_valgrind();

/// Runs this program with these words under valgrind and returns how many instructions went by in
/// `abut_counted`.
std::uint64_t count_instructions(const std::vector<std::string>& words);

}  // namespace abut
