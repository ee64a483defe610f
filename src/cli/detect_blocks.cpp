#include "cli/detect_blocks.hpp"

#include <fmt/core.h>

#include <abut/blocks.hpp>
#include <algorithm>
#include <optional>

#include "cli/blocks_input.hpp"
#include "cli/command.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "cli/units.hpp"
#include "io/block_csv.hpp"
#include "io/block_picture.hpp"

namespace abut {
namespace {

BlockFile read(const std::string& path) {
  ProgressBar bar("reading " + path);
  BlockFile file = read_blocks(path, bar.callback());
  for (const std::string& remark : file.remarks) fmt::print(stderr, "abut: {}\n", remark);
  return file;
}

std::vector<DrawnPart> drawn(const Blocks<2>& blocks) {
  std::vector<DrawnPart> parts;
  for (Index part = 0; part < blocks.parts(); ++part)
    parts.push_back({blocks.part(part).corners, blocks.owner(part)});
  return parts;
}

// The file and line, or the field, that a particle comes from.
template <std::size_t D>
std::string where(const std::string& path, const BlockFile& file, Index particle) {
  if (file.format == "JSON") return fmt::format("{}: particles[{}]", path, particle);
  return file.shapes<D>()[file.particles[particle].shape].where;
}

// The search would complain too, but it knows nothing of files.
template <std::size_t D>
void check_inside(const BlockDetection& asked, const BlockFile& file, const Blocks<D>& blocks,
                  const Bounds& bounds) {
  const Spheres<D> around = blocks.spheres();
  for (Index part = 0; part < blocks.parts(); ++part)
    for (std::size_t k = 0; k < D; ++k) {
      const double at = around.axis(k)[part];
      if (asked.input.periodic_along(k) || (at >= bounds.min[k] && at <= bounds.max[k])) continue;
      throw Error(
          fmt::format("{}: its middle, or that of a convex part, has {} = {}: outside {}, "
                      "{} to {}",
                      where<D>(asked.path, file, blocks.owner(part)), "xyz"[k], at, bounds.file,
                      bounds.min[k], bounds.max[k]));
    }
}

std::optional<Bounds> domain_of(const BlockDetection& asked, const BlockFile& file) {
  std::optional<Bounds> bounds = asked.input.domain_given();
  if (bounds && bounds->dimension != file.dimension)
    throw Error(fmt::format("{} is {}D, but {} holds particles in {}D", bounds->file,
                            bounds->dimension, asked.path, file.dimension));
  asked.input.check_periodic(bounds ? bounds->dimension : 0);
  return bounds;
}

void refuse_slack(const Input& input) {
  if (input.expansion != 0)
    throw Error("--expansion is for round particles; for polygons and polyhedra there is --margin");
  if (input.tolerance != Input{}.tolerance)
    throw Error("--tolerance is for round particles; for polygons and polyhedra there is --margin");
}

template <std::size_t D>
void detect(const BlockDetection& asked, const BlockFile& file, double reading, Outputs& outputs) {
  OutputFile* const out = outputs.open("--out", asked.out);
  OutputFile* const picture = outputs.open("--picture", asked.picture);
  const Stopwatch making_watch;
  const ReadBlocks<D> read = make_blocks<D>(file);
  const double making = making_watch.seconds();

  const std::optional<Bounds> bounds = domain_of(asked, file);
  if (bounds) check_inside<D>(asked, file, read.blocks, *bounds);
  const Options<D> options = asked.input.options<D>(asked.method, bounds);
  std::optional<ProgressBar> bar("detecting");
  const Stopwatch watch;
  BlockDetector<D> search(options);
  search.update(read.blocks);
  const std::vector<BlockContact<D>> contacts = joined<D>(search.contacts());
  const double detection = watch.seconds();

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (out != nullptr)
    write_block_contacts_csv<D>(*out, contacts, read.ids, asked.input.is_periodic(),
                                bar->callback());
  if constexpr (D == 2)
    if (picture != nullptr) draw_blocks(*picture, drawn(read.blocks), contacts);
  outputs.commit();
  bar.reset();
  const auto real = std::ranges::count_if(contacts, [](const BlockContact<D>& contact) {
    return contact.standing() == Standing::real;
  });
  std::FILE* const to = outputs.take_standard_output() ? stderr : stdout;
  fmt::print(to,
             "{} particles of {} convex parts in {}D, {} contacts, {} of them overlap, method {}, "
             "detection {}, reading {}, making shapes {}, writing {}\n",
             read.blocks.size(), read.blocks.parts(), D, contacts.size(), real,
             info(options.method).name, time_text(detection), time_text(reading), time_text(making),
             time_text(write_watch.seconds()));
  if (asked.verbose)
    fmt::print(stderr, "{} pairs of parts are within reach; {} have a common plane within {}\n",
               search.effort().pairs, search.contacts().size(), options.margin);
}

}  // namespace

int BlockDetection::run() const {
  refuse_slack(input);
  if (!out.empty() && !is_standard_output(out) && !is_csv(out))
    throw Error("--out " + out + ": contacts of polygons and polyhedra are CSV; name a file .csv");
  const Stopwatch watch;
  const BlockFile file = read(path);
  const double reading = watch.seconds();
  std::vector<std::string> files{path, input.bounds};
  files.insert(files.end(), file.files.begin(), file.files.end());
  Outputs outputs(files);
  if (input.dimension != 0 && input.dimension != file.dimension)
    throw Error(
        fmt::format("--dim {}: {} holds particles in {}D", input.dimension, path, file.dimension));
  if (!picture.empty() && file.dimension != 2)
    throw Error("--picture draws particles in 2D only; these are in 3D");
  with_dimension(file.dimension,
                 [&]<std::size_t D>() { detect<D>(*this, file, reading, outputs); });
  return done;
}

}  // namespace abut
