#include "cli/detect_blocks.hpp"

#include <fmt/core.h>

#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <optional>

#include "cli/command.hpp"
#include "cli/number_format.hpp"
#include "cli/outputs.hpp"
#include "cli/progress_bar.hpp"
#include "io/contact_csv.hpp"
#include "io/svg_scene.hpp"

namespace abut {
namespace {

std::vector<Polygon> convex_parts_of(const BlockShape<2>& shape) {
  if (!shape.is_convex) return convex_decomposition(shape.parts[0]);
  return {shape.parts.begin(), shape.parts.end()};
}

std::vector<Polyhedron> convex_parts_of(const BlockShape<3>& shape) {
  if (!shape.is_convex) return convex_decomposition(shape.mesh);
  std::vector<Polyhedron> parts;
  for (const std::vector<Point<3>>& points : shape.parts)
    parts.emplace_back(std::span<const Point<3>>(points));
  return parts;
}

RigidTransform<2> transform_of(const BlockInstance& place, const Point<2>& position) {
  RigidTransform<2> where = rotation_about(Point<2>{}, place.angle);
  where.translation = position;
  return where;
}

RigidTransform<3> transform_of(const BlockInstance& place, const Point<3>& position) {
  RigidTransform<3> where;
  if (place.angle != 0) where = rotation_about(Point<3>{}, place.axis, place.angle);
  where.translation = position;
  return where;
}

}  // namespace

template <std::size_t D>
LoadedBlocks<D> make_blocks(const BlockFile& file) {
  LoadedBlocks<D> read;
  for (const BlockShape<D>& shape : file.shapes<D>()) {
    try {
      read.blocks.add_shape(convex_parts_of(shape));
    } catch (const Error& error) {
      throw Error(shape.location + ": " + error.what());
    }
  }
  for (const BlockInstance& place : file.particles) {
    Point<D> position;
    std::copy_n(place.position.begin(), D, position.begin());
    read.blocks.add(ShapeId(place.shape), transform_of(place, position));
    read.ids.push_back(place.id);
  }
  return read;
}

template LoadedBlocks<2> make_blocks(const BlockFile&);
template LoadedBlocks<3> make_blocks(const BlockFile&);

namespace {

BlockFile read_blocks_file(const std::string& path) {
  ProgressBar bar("reading " + path);
  BlockFile file = read_blocks(path, bar.callback());
  for (const std::string& remark : file.warnings) fmt::print(stderr, "abut: {}\n", remark);
  return file;
}

std::vector<DrawnPart> svg_parts(const Blocks<2>& blocks) {
  std::vector<DrawnPart> parts;
  for (Index part = 0; part < blocks.part_count(); ++part)
    parts.push_back({blocks.part(part).vertices, blocks.particle_of(part)});
  return parts;
}

// The file and line, or the field, that a particle comes from.
template <std::size_t D>
std::string origin_of(const std::string& path, const BlockFile& file, Index particle) {
  if (file.format == "JSON") return fmt::format("{}: particles[{}]", path, particle);
  return file.shapes<D>()[file.particles[particle].shape].location;
}

// The search would complain too, but it knows nothing of files.
template <std::size_t D>
void check_inside(const BlockDetection& asked, const BlockFile& file, const Blocks<D>& blocks,
                  const Bounds& bounds) {
  const Spheres<D> around = blocks.bounding_spheres();
  for (Index part = 0; part < blocks.part_count(); ++part)
    for (std::size_t k = 0; k < D; ++k) {
      const double at = around.coordinates(k)[part];
      if (asked.input.is_periodic_along(k) || (at >= bounds.min[k] && at <= bounds.max[k]))
        continue;
      throw Error(
          fmt::format("{}: its middle, or that of a convex part, has {} = {}: outside {}, "
                      "{} to {}",
                      origin_of<D>(asked.path, file, blocks.particle_of(part)), "xyz"[k], at,
                      bounds.file, bounds.min[k], bounds.max[k]));
    }
}

std::optional<Bounds> domain_of(const BlockDetection& asked, const BlockFile& file) {
  std::optional<Bounds> bounds = asked.input.domain_from_options();
  if (bounds && bounds->dimension != file.dimension)
    throw Error(fmt::format("{} is {}D, but {} holds particles in {}D", bounds->file,
                            bounds->dimension, asked.path, file.dimension));
  asked.input.check_periodic(bounds ? bounds->dimension : 0);
  return bounds;
}

void reject_sphere_options(const ParticleInput& input) {
  if (input.expansion != 0)
    throw Error("--expansion is for round particles; for polygons and polyhedra there is --margin");
  if (input.tolerance != ParticleInput{}.tolerance)
    throw Error("--tolerance is for round particles; for polygons and polyhedra there is --margin");
}

template <std::size_t D>
void detect(const BlockDetection& asked, const BlockFile& file, double reading, Outputs& outputs) {
  OutputFile* const out = outputs.open("--out", asked.out);
  OutputFile* const picture = outputs.open("--svg", asked.svg_path);
  const Stopwatch making_watch;
  const LoadedBlocks<D> read = make_blocks<D>(file);
  const double making = making_watch.seconds();

  const std::optional<Bounds> bounds = domain_of(asked, file);
  if (bounds) check_inside<D>(asked, file, read.blocks, *bounds);
  const DetectorOptions<D> options = asked.input.options<D>(asked.method, bounds);
  std::optional<ProgressBar> bar("detecting");
  const Stopwatch watch;
  BlockDetector<D> search(options);
  search.update(read.blocks);
  const std::vector<BlockContact<D>> contacts = merge_coplanar<D>(search.contacts());
  const double detection = watch.seconds();

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (out != nullptr)
    write_block_contacts_csv<D>(*out, contacts, read.ids, asked.input.is_periodic(),
                                bar->callback());
  if constexpr (D == 2)
    if (picture != nullptr) draw_blocks(*picture, svg_parts(read.blocks), contacts);
  outputs.commit();
  bar.reset();
  const auto real = std::ranges::count_if(contacts, [](const BlockContact<D>& contact) {
    return contact.status() == ContactStatus::active;
  });
  std::FILE* const to = outputs.uses_standard_output() ? stderr : stdout;
  fmt::print(to,
             "{} particles of {} convex parts in {}D, {} contacts, {} of them overlap, method {}, "
             "detection {}, reading {}, making shapes {}, writing {}\n",
             read.blocks.particle_count(), read.blocks.part_count(), D, contacts.size(), real,
             method_info(options.method).name, time_text(detection), time_text(reading),
             time_text(making), time_text(write_watch.seconds()));
  if (asked.verbose)
    fmt::print(stderr, "{} pairs of parts are within reach; {} have a common plane within {}\n",
               search.statistics().pairs, search.contacts().size(), options.margin);
}

}  // namespace

int BlockDetection::run() const {
  reject_sphere_options(input);
  if (!out.empty() && !is_standard_output(out) && !has_csv_extension(out))
    throw Error("--out " + out + ": contacts of polygons and polyhedra are CSV; name a file .csv");
  const Stopwatch watch;
  const BlockFile file = read_blocks_file(path);
  const double reading = watch.seconds();
  std::vector<std::string> files{path, input.bounds};
  files.insert(files.end(), file.mesh_files.begin(), file.mesh_files.end());
  Outputs outputs(files);
  if (input.dimension != 0 && input.dimension != file.dimension)
    throw Error(
        fmt::format("--dim {}: {} holds particles in {}D", input.dimension, path, file.dimension));
  if (!svg_path.empty() && file.dimension != 2)
    throw Error("--svg draws particles in 2D only; these are in 3D");
  with_dimension(file.dimension,
                 [&]<std::size_t D>() { detect<D>(*this, file, reading, outputs); });
  return exit_success;
}

}  // namespace abut
