#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/output_file.hpp"

namespace abut {

/// The files a command writes. They are opened before the work begins, because it is better to
/// hear at once than after an hour that nothing can be written there, and put in place together
/// when all of it has been written.
class Outputs {
 public:
  /// What the command reads must not be written over.
  explicit Outputs(std::vector<std::string> read = {}) : read_(std::move(read)) {}

  /// Opens a file; none for an empty path. Throws `Error` naming the option.
  OutputFile* open(const std::string& option, const std::string& path);

  /// Whether one of them is standard output, where nothing else may be said then.
  [[nodiscard]] bool take_standard_output() const;

  void commit();

 private:
  struct Opened {
    std::string path;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<std::string> read_;
  std::vector<Opened> opened_;
};

}  // namespace abut
