#include "io/particle_file.hpp"

#include "core/survey.hpp"
#include "io/csv.hpp"
#include "io/csv_header.hpp"
#include "io/demcda.hpp"
#include "io/scanner.hpp"
#include "io/text_file.hpp"

namespace abut {

bool is_csv(const std::string& path) { return path.ends_with(".csv") || path.ends_with(".CSV"); }

ParticleFile read_particles(const std::string& path, const std::optional<Bounds>& bounds,
                            int dimension, const Progress& progress) {
  const TextFile file(path);
  const std::string_view text = file.text();
  return is_csv(path) || begins_like_csv(text)
             ? read_csv(file.name(), text, bounds, dimension, progress)
             : read_elements(file.name(), text, bounds, dimension, progress);
}

void check_last_particle(const Scanner& at, const ParticleFile& file,
                         const std::optional<Bounds>& bounds, const char* owner,
                         std::size_t number) {
  const double radius = file.radius.back();
  if (!(radius > 0))
    at.fail({"radius", owner, number}, message(radius), "a radius must be above zero");
  if (!(radius >= smallest_length && radius <= largest_length))
    at.fail({"radius", owner, number}, message(radius), "must lie between 1e-150 and 1e150");
  for (std::size_t k = 0; k < static_cast<std::size_t>(file.dimension); ++k) {
    const double x = file.axes[k].back();
    if (!(x >= -largest_length && x <= largest_length))
      at.fail({axis_names[k], owner, number}, message(x), "farther than 1e150 from the origin");
    if (bounds && !(x >= bounds->min[k] && x <= bounds->max[k]))
      at.fail({axis_names[k], owner, number}, message(x),
              message("outside ", bounds->min[k], " to ", bounds->max[k], ", the bounds in ",
                      bounds->file));
  }
}

}  // namespace abut
