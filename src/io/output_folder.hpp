#pragma once

#include <string>
#include <vector>

namespace abut {

/// A folder for results, made with those above it if it is not there. What it made is removed
/// again where nothing has been put into it. Throws `Error` with the system's reason.
class OutputFolder {
 public:
  explicit OutputFolder(std::string path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const;

 private:
  void remove_made();

  std::string path_;
  std::vector<std::string> made_;  // outermost first
};

}  // namespace abut
