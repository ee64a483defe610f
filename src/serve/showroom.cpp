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
    all["probes"] = !shown_->probes().empty();
  } catch (const std::exception& error) {
    shown_.reset();  // looked at from the beginning next time
    kept_.reset();
    std::error_code unreadable;
    all["empty"] = std::filesystem::is_empty(path_, unreadable) && !unreadable;
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
  return open().probes();
}

}  // namespace abut
