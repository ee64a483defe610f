#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/particle_file.hpp"

namespace abut {

// The readers behind `read_particles`, one per format, and what they share. Each checks its
// particles except for the uniqueness of ids.

/// What a reader is asked for.
struct ParticleRequest {
  const std::optional<Bounds>& bounds;
  int dimension;  ///< 2 or 3; 0: from the file
  ParticleContents contents;
  const Progress& progress;
};

ParticleFile read_csv_particles(const ParticleText& input, const ParticleRequest& request);
ParticleFile read_demcda_elements(const ParticleText& input, const ParticleRequest& request);
ParticleFile read_lammps_dump(const ParticleText& file, const ParticleRequest& request);

/// Fails, at the current line of `scan`, if the last particle of `file` lies outside the bounds,
/// has a radius that is not positive, or is not in the plane of a 2D file. Messages name the
/// particle as `item number`.
void check_last_particle(const Scanner& scan, const ParticleFile& file,
                         const std::optional<Bounds>& bounds, const char* item, std::size_t number);

/// The same for particle i of a file that has been read.
void check_particle(const ParticleText& text, const ParticleFile& file,
                    const std::optional<Bounds>& bounds, std::size_t i);

/// Names of materials in the order of their first occurrence.
class MaterialNames {
 public:
  /// The index of a name as it is written in the file, with or without quotes.
  std::uint32_t index_of(std::string_view text);
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  std::unordered_map<std::string, std::uint32_t> indices_;
  std::vector<std::string> names_;
  std::string last_text_;
  std::uint32_t last_index_ = 0;
};

enum class ParticleColumn : std::uint8_t {
  x,
  y,
  z,
  vx,
  vy,
  vz,
  wx,
  wy,
  wz,
  radius,
  diameter,
  density,
  id,
  material,
  unused,   ///< understood, but not needed
  unknown,  ///< named in a warning
};

struct NamedColumn {
  std::string_view title;
  ParticleColumn column;
};

/// The columns of a CSV file or LAMMPS dump. Reads rows field by field and appends them to a file.
class ParticleTable {
 public:
  /// Keeps a reference to `file`, whose dimension must be set.
  ParticleTable(std::vector<std::string> titles, std::span<const NamedColumn> known,
                ParticleContents contents, ParticleFile& file);

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] const std::string& title(std::size_t i) const { return titles_[i]; }
  [[nodiscard]] std::size_t count(ParticleColumn column) const;

  /// Fails if only some components of the velocity or of the angular velocity are present. In 2D
  /// these are vx and vy, and wz.
  void check_vectors(const Scanner& scan) const;

  /// Adds a warning that names the unknown columns, if any.
  void warn_unknown() const;

  /// Reads field i of row `number`. Text fields end at a separator, in a dump at a blank.
  void read_field(Scanner& scan, std::size_t i, std::size_t number);

  [[nodiscard]] Point<3>& position() { return row_.position; }  ///< of the current row

  /// Appends the row to the file.
  void append_row();

  /// Call after the last row.
  void finish();

 private:
  struct Row {
    Point<3> position{};
    double radius = 0;
    double density = 0;
    std::int64_t id = 0;
    std::uint32_t material = 0;
    Vec<3> velocity{};
    Vec<3> angular_velocity{};
  };

  [[nodiscard]] std::string_view known_title(ParticleColumn column) const;
  void check_vector(const Scanner& scan, ParticleColumn first, unsigned required_axes) const;

  std::vector<std::string> titles_;
  std::span<const NamedColumn> known_;
  std::vector<ParticleColumn> columns_;
  ParticleFile& file_;
  MaterialNames materials_;
  Row row_;
  bool has_id_ = false;
  bool has_velocity_ = false;
  bool has_angular_velocity_ = false;
  bool has_density_ = false;
  bool has_material_ = false;
};

}  // namespace abut
