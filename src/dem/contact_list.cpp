#include "dem/contact_list.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <bit>
#include <utility>

#include "dem/particle_store.hpp"

namespace abut {
namespace {

// Eight runs or more keep some threads busy; short ones put too much aside.
std::size_t run_length(std::size_t particles) {
  return std::clamp<std::size_t>(std::bit_floor(particles / 8 + 1), 256, 8192);
}

ContactList::Image opposite(const ContactList::Image& image) {
  return {-image[0], -image[1], -image[2]};
}

}  // namespace

void ContactList::renew(std::span<const Pair> pairs, std::span<const Image> images,
                        std::size_t particles, bool rough) {
  std::swap(pairs_, old_pairs_);
  std::swap(image_, old_image_);
  std::swap(spring_, old_spring_);
  pairs_.assign(pairs.begin(), pairs.end());
  image_.resize(images.size());
  for (std::size_t k = 0; k < images.size(); ++k) image_[k] = number_of(images[k]);
  for (auto& axis : spring_) axis.assign(rough ? pairs_.size() : 0, 0);
  if (rough) {
    const auto key = [&](const std::vector<Pair>& list, const std::vector<std::uint8_t>& image,
                         std::size_t k) {
      return std::pair(list[k], image.empty() ? images_[0] : images_[image[k]]);
    };
    std::size_t old = 0;
    for (std::size_t k = 0; k < pairs_.size() && old < old_pairs_.size(); ++k) {
      const auto now = key(pairs_, image_, k);
      while (old < old_pairs_.size() && key(old_pairs_, old_image_, old) < now) ++old;
      if (old == old_pairs_.size() || key(old_pairs_, old_image_, old) != now) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) spring_[axis][k] = old_spring_[axis][old];
    }
  }
  share_out(particles);
}

std::vector<ContactList::Kept> ContactList::kept() const {
  std::vector<Kept> kept;
  for (std::size_t k = 0; k < spring_[0].size(); ++k)
    if (spring(k) != std::array<double, 3>{}) kept.push_back({pairs_[k], image(k), spring(k)});
  return kept;
}

void ContactList::restore(std::span<const Kept> kept) {
  pairs_.clear();
  image_.clear();
  for (auto& axis : spring_) axis.clear();
  for (const Kept& one : kept) {
    pairs_.push_back(one.pair);
    image_.push_back(number_of(one.image));
    for (std::size_t axis = 0; axis < 3; ++axis) spring_[axis].push_back(one.spring[axis]);
  }
}

void ContactList::relabel(std::span<const std::uint32_t> to) {
  std::vector<Kept> all;
  all.reserve(pairs_.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) all.push_back({pairs_[k], image(k), spring(k)});
  std::erase_if(all, [&](const Kept& one) {
    return to[one.pair.a] == ParticleStore::gone || to[one.pair.b] == ParticleStore::gone;
  });
  for (Kept& one : all) {
    one.pair = {to[one.pair.a], to[one.pair.b]};
    if (one.pair.a <= one.pair.b) continue;
    std::swap(one.pair.a, one.pair.b);
    one.image = opposite(one.image);
    for (double& part : one.spring) part = -part;
  }
  std::sort(all.begin(), all.end(), [](const Kept& x, const Kept& y) {
    return std::pair(x.pair, x.image) < std::pair(y.pair, y.image);
  });
  restore(all);
}

std::size_t ContactList::first_particle(std::size_t run) const { return run * run_length_; }

std::size_t ContactList::last_particle(std::size_t run) const {
  return std::min(particles_, (run + 1) * run_length_);
}

PairRun ContactList::run(std::size_t run, const Record* shifts) {
  const std::size_t first = first_pair_[run];
  PairRun result{pairs_.data() + first,
                 first_pair_[run + 1] - first,
                 {},
                 image_.empty() ? nullptr : image_.data() + first,
                 shifts,
                 static_cast<Index>(last_particle(run)),
                 static_cast<Index>(particles_ + first_slot_[run])};
  if (!spring_[0].empty())
    for (std::size_t axis = 0; axis < 3; ++axis) result.spring[axis] = spring_[axis].data() + first;
  return result;
}

std::span<const ContactList::Handed> ContactList::handed(std::size_t run) const {
  return std::span(handed_).subspan(first_handed_[run],
                                    first_handed_[run + 1] - first_handed_[run]);
}

ContactList::Image ContactList::image(std::size_t pair) const {
  return image_.empty() ? images_[0] : images_[image_[pair]];
}

std::array<double, 3> ContactList::spring(std::size_t pair) const {
  if (spring_[0].empty()) return {};
  return {spring_[0][pair], spring_[1][pair], spring_[2][pair]};
}

std::uint8_t ContactList::number_of(const Image& image) {
  const auto found = std::find(images_.begin(), images_.end(), image);
  if (found == images_.end()) {
    if (images_.size() == 256)
      throw Error("particles touch more than 256 images of each other; the period is too short");
    images_.push_back(image);
    return static_cast<std::uint8_t>(images_.size() - 1);
  }
  return static_cast<std::uint8_t>(found - images_.begin());
}

void ContactList::share_out(std::size_t particles) {
  particles_ = particles;
  run_length_ = run_length(particles);
  const std::size_t count = (particles + run_length_ - 1) / run_length_;
  first_pair_.assign(1, 0);
  first_slot_.assign(1, 0);
  handed_.clear();
  for (std::size_t run = 0, k = 0; run < count; ++run) {
    for (; k < pairs_.size() && pairs_[k].a < last_particle(run); ++k)
      if (pairs_[k].b >= last_particle(run))
        handed_.push_back({pairs_[k].b, static_cast<Index>(particles_ + handed_.size())});
    first_pair_.push_back(k);
    first_slot_.push_back(static_cast<Index>(handed_.size()));
  }
  std::stable_sort(handed_.begin(), handed_.end(),
                   [](const Handed& x, const Handed& y) { return x.particle < y.particle; });
  first_handed_.assign(1, 0);
  for (std::size_t run = 0, k = 0; run < count; ++run) {
    while (k < handed_.size() && handed_[k].particle < last_particle(run)) ++k;
    first_handed_.push_back(k);
  }
}

}  // namespace abut
