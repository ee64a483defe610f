#pragma once

#include <string>
#include <vector>

namespace abut {

/// A ParaView collection (.pvd): which file shows which part at which time.
class VtkSeries {
 public:
  struct Entry {
    double time = 0;
    std::string part;  ///< particles, walls, …
    std::string file;  ///< as seen from the folder of the collection
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// A new collection; nothing is written before `write`.
  explicit VtkSeries(std::string path) : path_(std::move(path)) {}

  /// Goes on with the collection that is there, without what is later than this time; with none if
  /// there is none. Throws `Error` with file and line for what `write` cannot have written.
  [[nodiscard]] static VtkSeries continued(const std::string& path, double time);

  /// Takes the place of an entry of the same part and time. Times do not go back.
  void add(Entry entry);

  /// Writes all of it anew; whoever reads meanwhile sees the one before, whole.
  void write() const;

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  [[nodiscard]] std::string line_of(const Entry& entry) const;
  void read(double last);

  std::string path_;
  std::vector<Entry> entries_;      // by time
  std::vector<std::string> parts_;  // in the order in which they came: ParaView counts them
};

}  // namespace abut
