#include "cli/detect_blocks.hpp"

#include <fmt/core.h>

#include <abut/blocks.hpp>
#include <abut/error.hpp>
#include <algorithm>
#include <optional>
#include <vector>

#include "cli/command.hpp"
#include "cli/terminal.hpp"
#include "io/block_file.hpp"
#include "io/contact_csv.hpp"
#include "io/svg_scene.hpp"

namespace abut {
namespace {

/// Particles of a file with their ids.
template <std::size_t D>
struct LoadedBlocks {
  Blocks<D> blocks;
  std::vector<std::int64_t> ids;
};

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

RigidTransform<2> transform_of(const BlockInstance& instance, const Point<2>& position) {
  RigidTransform<2> transform = rotation_about(Point<2>{}, instance.angle);
  transform.translation = position;
  return transform;
}

RigidTransform<3> transform_of(const BlockInstance& instance, const Point<3>& position) {
  RigidTransform<3> transform;
  if (instance.angle != 0) transform = rotation_about(Point<3>{}, instance.axis, instance.angle);
  transform.translation = position;
  return transform;
}

/// Builds the particles of a file; non-convex outlines and meshes are decomposed into convex parts.
/// Throws `Error` with the location of a shape that is invalid.
template <std::size_t D>
LoadedBlocks<D> make_blocks(const BlockFile& file) {
  LoadedBlocks<D> loaded;
  for (const BlockShape<D>& shape : file.shapes<D>()) {
    try {
      loaded.blocks.add_shape(convex_parts_of(shape));
    } catch (const Error& error) {
      throw Error(shape.location + ": " + error.what());
    }
  }
  for (const BlockInstance& instance : file.particles) {
    Point<D> position;
    std::copy_n(instance.position.begin(), D, position.begin());
    loaded.blocks.add(ShapeId(instance.shape), transform_of(instance, position));
    loaded.ids.push_back(instance.id);
  }
  return loaded;
}

BlockFile read_blocks_file(const std::string& path) {
  ProgressBar bar("reading " + path);
  BlockFile file = read_blocks(path, bar.callback());
  for (const std::string& warning : file.warnings)
    fmt::print(stderr, "abut: warning: {}\n", warning);
  return file;
}

std::vector<DrawnPart> svg_parts(const Blocks<2>& blocks) {
  std::vector<DrawnPart> parts;
  for (Index part = 0; part < blocks.part_count(); ++part)
    parts.push_back({blocks.part(part).vertices, blocks.particle_of(part)});
  return parts;
}

// The file and line, or the JSON field, that defines a particle.
template <std::size_t D>
std::string origin_of(const std::string& path, const BlockFile& file, Index particle) {
  if (file.format == "JSON") return fmt::format("{}: particles[{}]", path, particle);
  return file.shapes<D>()[file.particles[particle].shape].location;
}

// Reports a particle outside the domain with its location in the file, which is unknown to the
// detector.
template <std::size_t D>
void check_inside(const BlockDetection& command, const BlockFile& file, const Blocks<D>& blocks,
                  const Bounds& bounds) {
  const Spheres<D> spheres = blocks.bounding_spheres();
  for (Index part = 0; part < blocks.part_count(); ++part)
    for (std::size_t k = 0; k < D; ++k) {
      const double center = spheres.coordinates(k)[part];
      if (command.input.is_periodic_along(k) ||
          (center >= bounds.min[k] && center <= bounds.max[k]))
        continue;
      throw Error(
          fmt::format("{}: the bounding sphere of a convex part is centered at {} = {}: outside "
                      "{}, {} to {}",
                      origin_of<D>(command.path, file, blocks.particle_of(part)), "xyz"[k], center,
                      bounds.file, bounds.min[k], bounds.max[k]));
    }
}

std::optional<Bounds> domain_of(const BlockDetection& command, const BlockFile& file) {
  std::optional<Bounds> bounds = command.input.domain_from_options();
  if (bounds && bounds->dimension != file.dimension)
    throw Error(fmt::format("{} is {}D, but the particles of {} are {}D", bounds->file,
                            bounds->dimension, command.path, file.dimension));
  command.input.check_periodic(bounds ? bounds->dimension : 0);
  return bounds;
}

void reject_sphere_options(const ParticleInput& input) {
  if (input.expansion != 0)
    throw Error("--expansion: only for disks and spheres; use --margin for polygons and polyhedra");
  if (input.tolerance != ParticleInput{}.tolerance)
    throw Error("--tolerance: only for disks and spheres; use --margin for polygons and polyhedra");
}

template <std::size_t D>
void detect(const BlockDetection& command, const BlockFile& file, double read_seconds,
            Outputs& outputs) {
  OutputFile* const out = outputs.open("--out", command.out);
  OutputFile* const svg = outputs.open("--svg", command.svg_path);
  const Stopwatch build_watch;
  const LoadedBlocks<D> loaded = make_blocks<D>(file);
  const double build_seconds = build_watch.seconds();

  const std::optional<Bounds> bounds = domain_of(command, file);
  if (bounds) check_inside<D>(command, file, loaded.blocks, *bounds);
  const DetectorOptions<D> options = command.input.options<D>(command.method, bounds);
  std::optional<ProgressBar> bar("detecting");
  const Stopwatch watch;
  BlockDetector<D> detector(options);
  detector.update(loaded.blocks);
  const std::vector<BlockContact<D>> contacts = merge_coplanar<D>(detector.contacts());
  const double search_seconds = watch.seconds();

  const Stopwatch write_watch;
  bar.emplace("writing");
  if (out != nullptr)
    write_block_contacts_csv<D>(*out, contacts, loaded.ids, command.input.is_periodic(),
                                bar->callback());
  if constexpr (D == 2)
    if (svg != nullptr) draw_blocks(*svg, svg_parts(loaded.blocks), contacts);
  outputs.commit();
  bar.reset();
  const auto active = std::ranges::count_if(contacts, [](const BlockContact<D>& contact) {
    return contact.status() == ContactStatus::active;
  });
  std::FILE* const stream = outputs.uses_standard_output() ? stderr : stdout;
  fmt::print(stream,
             "{} particles of {} convex parts in {}D, {} contacts, {} of them overlap, method {}, "
             "detection {}, reading {}, building shapes {}, writing {}\n",
             loaded.blocks.particle_count(), loaded.blocks.part_count(), D, contacts.size(), active,
             method_info(options.method).name, time_text(search_seconds), time_text(read_seconds),
             time_text(build_seconds), time_text(write_watch.seconds()));
  if (command.verbose)
    fmt::print(
        stderr,
        "{} pairs of parts have overlapping bounding spheres; {} of them have a gap up to {}\n",
        detector.statistics().pairs, detector.contacts().size(), options.margin);
}

}  // namespace

int BlockDetection::run() const {
  reject_sphere_options(input);
  if (!out.empty() && !is_standard_output(out) && !has_csv_extension(out))
    throw Error("--out = " + out +
                ": contacts of polygons and polyhedra are CSV; give a .csv file");
  const Stopwatch watch;
  const BlockFile file = read_blocks_file(path);
  const double read_seconds = watch.seconds();
  std::vector<std::string> input_paths{path, input.bounds};
  input_paths.insert(input_paths.end(), file.mesh_files.begin(), file.mesh_files.end());
  Outputs outputs(input_paths);
  if (input.dimension != 0 && input.dimension != file.dimension)
    throw Error(fmt::format("--dim = {}: the particles of {} are in {}D", input.dimension, path,
                            file.dimension));
  if (!svg_path.empty() && file.dimension != 2)
    throw Error("--svg: draws 2D only; these particles are in 3D");
  with_dimension(file.dimension,
                 [&]<std::size_t D>() { detect<D>(*this, file, read_seconds, outputs); });
  return exit_success;
}

}  // namespace abut
