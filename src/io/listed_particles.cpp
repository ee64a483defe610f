#include "io/listed_particles.hpp"

#include <abut/error.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/message.hpp"
#include "core/period.hpp"
#include "io/csv.hpp"
#include "io/text_file.hpp"

namespace abut {
namespace {

/// What repeats has no bounds.
template <std::size_t D>
std::optional<Bounds> bounds_of(const std::optional<Box<D>>& domain,
                                const std::array<bool, D>& periodic, const std::string& file) {
  if (!domain) return std::nullopt;
  constexpr double endless = std::numeric_limits<double>::infinity();
  Bounds bounds{"[domain] of " + file, D, {}, {}};
  for (std::size_t k = 0; k < D; ++k) {
    bounds.min[k] = periodic[k] ? -endless : domain->min[k];
    bounds.max[k] = periodic[k] ? endless : domain->max[k];
  }
  return bounds;
}

template <std::size_t D>
struct Occupied {
  Point<D> place;
  std::optional<std::size_t> row;  ///< none: it is there already, and comes before all rows
  friend bool operator<(const Occupied& a, const Occupied& b) {
    return a.place != b.place ? a.place < b.place : a.row < b.row;
  }
};

template <std::size_t D>
void occupy(std::vector<Occupied<D>>& all, const Spheres<D>& spheres, const Period<D>& period,
            bool rows) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    Occupied<D> one{{}, rows ? std::optional(i) : std::nullopt};
    for (std::size_t k = 0; k < D; ++k) one.place[k] = spheres.axis(k)[i];
    (void)period.bring_back(one.place);
    all.push_back(one);
  }
}

template <std::size_t D>
void check_places(const TextFile& file, const std::vector<Occupied<D>>& sorted) {
  const Occupied<D>* first = nullptr;  // the one in the earliest row
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].row && sorted[i].place == sorted[i - 1].place &&
        (first == nullptr || sorted[i].row < first->row))
      first = &sorted[i];
  if (first == nullptr) return;
  const auto line = [&](std::size_t row) { return csv_line_of(file.text(), row); };
  const auto other = (first - 1)->row;
  throw Error(message(file.name(), ":", line(*first->row), ": at the very place of ",
                      other ? message("the one in line ", line(*other))
                            : "a particle of another file, or of a ball of a [[silo]]",
                      "; move one of them"));
}

}  // namespace

template <std::size_t D>
Places<D> read_listed(const std::string& path, const std::optional<Box<D>>& domain,
                      const std::array<bool, D>& periodic, const std::string& bounds_file,
                      const std::vector<Spheres<D>>& there) {
  const TextFile file(path);
  ParticleFile read =
      read_csv(file.name(), file.text(), bounds_of(domain, periodic, bounds_file), D, {});
  if (read.size() == 0) throw Error(message(file.name(), ": there is no particle in it"));
  const Period<D> period(domain, periodic);
  std::vector<Occupied<D>> all;
  for (const Spheres<D>& others : there) occupy(all, others, period, false);
  occupy(all, read.template particles<D>(), period, true);
  std::sort(all.begin(), all.end());
  check_places(file, all);
  Places<D> places;
  for (std::size_t k = 0; k < D; ++k) places.axes[k] = std::move(read.axes[k]);
  places.radius = std::move(read.radius);
  return places;
}

template Places<2> read_listed(const std::string&, const std::optional<Box<2>>&,
                               const std::array<bool, 2>&, const std::string&,
                               const std::vector<Spheres<2>>&);
template Places<3> read_listed(const std::string&, const std::optional<Box<3>>&,
                               const std::array<bool, 3>&, const std::string&,
                               const std::vector<Spheres<3>>&);

}  // namespace abut
