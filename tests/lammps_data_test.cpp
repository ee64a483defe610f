// LAMMPS data files: what is read, compressed or not, and errors with line, key and value.
#include "io/lammps_data.hpp"

#include <gmock/gmock.h>
#include <zlib.h>

#include <string_view>

#include "expect_error.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two atoms; the first has image flags. It is in line 16.
const std::string two_atoms =
    "LAMMPS data file\n"
    "\n"
    "2 atoms # in all\n"
    "\n"
    "2 atom types\n"
    "\n"
    "0 40 xlo xhi\n"
    "-1 20 ylo yhi\n"
    "0 37.5 zlo zhi\n"
    "\n"
    "Masses\n\n1 1.5\n"
    "Atoms  # sphere\n"
    "\n"
    "12 1 1 2.5 19.5 6.25 14 33 0 -1\n"
    "  4 2 1.5 2.5 1 2 3\t# no image flags\n"
    "\n"
    "Velocities\n"
    "\n"
    "4 1 2 3 4 5 6\n"
    "12 0.5 0 -1e-3 0 0 0.25\n";

LammpsData data_of(const std::string& text) {
  const Folder folder;
  return read_lammps_data(folder.write("a.data", text));
}

// The error for the file with one part replaced.
std::string error_with(std::string_view part, std::string_view replacement) {
  std::string text = two_atoms;
  text.replace(text.find(part), part.size(), replacement);
  return error_message([&] { static_cast<void>(data_of(text)); });
}

std::string write_gzip(const Folder& folder, const std::string& text) {
  std::string path = folder.path("a.data.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

void expect_two_atoms(const LammpsData& data) {
  EXPECT_EQ(data.box, (Box<3>{{0, -1, 0}, {40, 20, 37.5}}));
  EXPECT_THAT(data.id, ElementsAre(12, 4));
  EXPECT_THAT(data.type, ElementsAre(1, 2));
  EXPECT_THAT(data.spheres.radii, ElementsAre(0.5, 0.75));
  EXPECT_THAT(data.density, ElementsAre(2.5, 2.5));
  EXPECT_THAT(data.spheres.coordinates[0], ElementsAre(19.5, 1));
  EXPECT_THAT(data.spheres.coordinates[1], ElementsAre(6.25, 2));
  EXPECT_THAT(data.spheres.coordinates[2], ElementsAre(14, 3));
  EXPECT_THAT(data.velocity, ElementsAre(Vec<3>{0.5, 0, -1e-3}, Vec<3>{1, 2, 3}));
  EXPECT_THAT(data.angular_velocity, ElementsAre(Vec<3>{0, 0, 0.25}, Vec<3>{4, 5, 6}));
}

TEST(LammpsData, ReadsAtomsAndVelocities) {
  expect_two_atoms(data_of(two_atoms));
  const LammpsData at_rest = data_of(two_atoms.substr(0, two_atoms.find("Velocities")));
  EXPECT_THAT(at_rest.velocity, ElementsAre(Vec<3>{}, Vec<3>{}));
}

TEST(LammpsData, IgnoresCountsOfZero) {
  expect_two_atoms(data_of("LAMMPS data file\n0 bonds\n0 bond types" +
                           two_atoms.substr(two_atoms.find("\n\n2 atoms"))));
}

TEST(LammpsData, ReadsGzippedFiles) {
  const Folder folder;
  expect_two_atoms(read_lammps_data(write_gzip(folder, two_atoms)));
}

TEST(LammpsData, RejectsDamagedGzip) {
  const Folder folder;
  write_gzip(folder, two_atoms);
  const std::string bytes = folder.read("a.data.gz");
  const auto error = [&](const std::string& content) {
    const std::string path = folder.write("b.data.gz", content);
    return error_message([&] { static_cast<void>(read_lammps_data(path)); });
  };
  EXPECT_THAT(error(bytes.substr(0, bytes.size() / 2)),
              HasSubstr("b.data.gz: the gzip data are incomplete; check the file with gzip -t"));
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(~damaged[bytes.size() / 2]);
  EXPECT_THAT(error(damaged), HasSubstr("b.data.gz: the gzip data are damaged"));
}

TEST(LammpsData, RejectsRepeatedVelocities) {
  EXPECT_THAT(error_with("12 0.5 0 -1e-3", "4 0.5 0 -1e-3"),
              HasSubstr("id = 4: must be unique, but is also that of another row"));
  const std::string velocities = two_atoms.substr(two_atoms.find("Velocities"));
  EXPECT_THAT(error_with(velocities, velocities + "\n" + velocities),
              HasSubstr("there is a second section Velocities; delete it"));
}

TEST(LammpsData, ReportsLineKeyAndValue) {
  EXPECT_THAT(error_with("2 atoms", "2x atoms"),
              HasSubstr("a.data:3:1: header value = 2x: must be"));
  EXPECT_THAT(error_with("2 atoms", "1.5 atoms"), HasSubstr("a.data:3: atoms = 1.5: must be"));
  EXPECT_THAT(error_with("2 atoms", "3 atoms"), HasSubstr("Atoms: has 2 rows, but the header"));
  EXPECT_THAT(error_with("2 atoms", "1 atoms"), HasSubstr("Atoms: has more rows than the header"));
  EXPECT_THAT(error_with("2 atoms", ""), HasSubstr("atoms: missing in the header"));
  EXPECT_THAT(error_with("2 atom types", ""), HasSubstr("atom types: missing in the header"));
  EXPECT_THAT(error_with("0 40 xlo xhi", ""), HasSubstr("box: missing in the header"));
  EXPECT_THAT(error_with("0 40 xlo xhi", "40 0 xlo xhi"),
              HasSubstr("a.data:7: xlo xhi = 40 0: the first must be less"));
  EXPECT_THAT(error_with("0 40 xlo xhi", "0 0 0 xy xz yz"),
              HasSubstr("a.data:7: xy xz yz: triclinic boxes are not supported"));
  EXPECT_THAT(error_with("2 atom types", "2 atom types\n3 bonds"),
              HasSubstr("a.data:6: header = bonds: must be atoms, atom types"));
  EXPECT_THAT(error_with("sphere", "atomic"), HasSubstr("a.data:14:10: atom_style = atomic"));
  EXPECT_THAT(error_with("12 1 1 2.5 19.5 6.25 14 33 0 -1", "12 1 19.5 6.25 14"),
              HasSubstr("a.data:16: atom_style: must be sphere, with at least 7 columns (id type "
                        "diameter density x y z) instead of 5; write"));
  EXPECT_THAT(error_with("Masses", "Bonds"), HasSubstr("a.data:11: section = Bonds: must be"));
  EXPECT_THAT(error_with("12 1 1 2.5", "12 3 1 2.5"),
              HasSubstr("a.data:16:4: type of atom 12 = 3: must be from 1 to 2"));
  EXPECT_THAT(error_with("12 1 1 2.5", "12 1 0 2.5"),
              HasSubstr("a.data:16:6: diameter of atom 12 = 0: must be positive"));
  EXPECT_THAT(error_with("12 1 1 2.5", "12 1 1 -2"),
              HasSubstr("a.data:16:8: density of atom 12 = -2: must be positive"));
  EXPECT_THAT(error_with("19.5", "nan"), HasSubstr("x of atom 12 = nan: must be finite"));
  EXPECT_THAT(error_with("33 0 -1", "33 0"), HasSubstr("image flag z of atom 12: missing"));
  EXPECT_THAT(error_with("33 0 -1", "33 0 -1 5"), HasSubstr("row = 5: unexpected value"));
  EXPECT_THAT(error_with("  4 2 1.5", "  12 2 1.5"), HasSubstr("a.data:17:3: id = 12: must be un"));
  EXPECT_THAT(error_with("  4 2 1.5", "  0 2 1.5"), HasSubstr("a.data:17:3: id = 0: must be pos"));
  EXPECT_THAT(error_with("4 1 2 3 4", "5 1 2 3 4"), HasSubstr("a.data:21:1: id = 5: must be that"));
  EXPECT_THAT(error_with("4 5 6", "4 5"), HasSubstr("a.data:21: wz of atom 4: missing"));
  EXPECT_THAT(error_message([] { static_cast<void>(data_of("")); }), HasSubstr("atoms: missing"));
  EXPECT_THAT(error_message([] {
                static_cast<void>(data_of(two_atoms.substr(0, two_atoms.find("Masses"))));
              }),
              HasSubstr("Atoms: missing section"));
}

}  // namespace
}  // namespace abut::testing
