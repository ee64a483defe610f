#include "serve/showroom.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "serve/frame_message.hpp"
#include "serve/message_bytes.hpp"

namespace abut {
namespace {

namespace fs = std::filesystem;

/// Of a run in `path`, if it is a file of its own: a link could lead anywhere.
bool has_own_probes(const fs::path& path) {
  std::error_code unknown;
  const fs::path folder = fs::is_directory(path, unknown) ? path : path.parent_path();
  return fs::is_regular_file(fs::symlink_status(folder / "probes.csv", unknown));
}

/// Whether a run may begin here soon, or has only begun: a folder without frames.
bool is_waiting(const fs::path& path) {
  std::error_code unknown;
  const auto is_frame = [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".vtp";
  };
  if (!fs::is_directory(path, unknown)) return false;
  if (fs::is_empty(path, unknown)) return true;
  const fs::directory_iterator files(path, unknown);
  return fs::exists(path / "case.toml", unknown) &&
         std::none_of(begin(files), end(files), is_frame);
}

}  // namespace

Showroom::Showroom(std::string path) : path_(std::move(path)) {}

const Shown& Showroom::open() {
  if (!shown_) shown_.emplace(path_);
  return *shown_;
}

std::string Showroom::summary(std::size_t from) {
  const std::scoped_lock lock(one_at_a_time_);
  nlohmann::ordered_json all{{"path", path_}};
  try {
    const bool is_new = !shown_;
    open();
    if (!is_new) shown_->refresh();
    const std::span<const double> times = shown_->times();
    from = std::min(from, times.size());
    all["title"] = shown_->title();
    all["frames"] = times.size();
    all["from"] = from;
    all["times"] = times.subspan(from);
    all["probes"] = has_own_probes(path_);
  } catch (const std::exception& error) {
    shown_.reset();  // looked at from the beginning next time
    kept_.reset();
    all["waiting"] = is_waiting(path_);
    all["problem"] = error.what();
  }
  return json_text(all);
}

const ShownFrame& Showroom::read(std::size_t number) {
  const std::vector<double>& times = open().times();
  if (number >= times.size())
    throw Error(message("there is no frame ", number, ": there are ", times.size()));
  if (!kept_ || kept_->number != number || kept_->time != times[number]) {
    kept_.reset();  // before the next is read: they are large
    kept_ = Kept{number, times[number], shown_->frame(number)};
  }
  return kept_->frame;
}

std::string Showroom::frame(std::size_t number) {
  const std::scoped_lock lock(one_at_a_time_);
  return frame_message(read(number));
}

std::string Showroom::contacts(std::size_t number) {
  const std::scoped_lock lock(one_at_a_time_);
  return contacts_message(read(number));
}

std::string Showroom::probes() {
  const std::scoped_lock lock(one_at_a_time_);
  return has_own_probes(path_) ? open().probes() : std::string();
}

}  // namespace abut
