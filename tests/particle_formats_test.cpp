// Particle files of every format: what is read, how the format is detected, and errors with line,
// key and value.
#include <gmock/gmock.h>
#include <zlib.h>

#include <string>
#include <utility>
#include <vector>

#include "error_line.hpp"
#include "expect_error.hpp"
#include "io/particle_file.hpp"
#include "io/vtk_writer.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Two spheres that touch, in each format.
const std::string csv_text = "x,y,z,r,id\n0,0,0.5,0.5,7\n0,0,1.25,0.25,3\n";
const std::string table_text = "# x y z r\n0 0 0.5 0.5\n\n0\t0 1.25 0.25 # the smaller one\n";
const std::string data_text =
    "LAMMPS data file, written by hand\n\n2 atoms\n2 atom types\n-1 1 xlo xhi\n-1 1 ylo yhi\n"
    "0 3 zlo zhi\n\nAtoms # sphere\n\n7 1 1 2500 0 0 0.5\n3 2 0.5 1000 0 0 1.25 0 0 0\n\n"
    "Velocities\n\n3 1 2 3 4 5 6\n7 0 0 -1 0 0 0\n";
const std::string dump_text =
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n-1 1\n-1 1\n0 3\n"
    "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz density\n"
    "7 1 0 0 0.5 0.5 0 0 -1 0 0 0 2500 \n3 2 0 0 1.25 0.25 1 2 3 4 5 6 1000 \n";

ParticleFile read_everything(const std::string& path, int dimension = 0) {
  return read_particles(ParticleText(path), {}, dimension, ParticleContents::all, {});
}

ParticleFile read_particle_text(const std::string& text, int dimension = 0,
                                const std::string& name = "particles.txt") {
  const Folder folder;
  return read_everything(folder.write(name, text), dimension);
}

std::string particle_error(const std::string& text, int dimension = 0,
                           const std::string& name = "particles.txt") {
  return error_message([&] { static_cast<void>(read_particle_text(text, dimension, name)); });
}

std::string replaced_once(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_two_spheres(const ParticleFile& file, ParticleFormat format) {
  EXPECT_EQ(file.format, format);
  EXPECT_EQ(file.dimension, 3);
  EXPECT_THAT(file.spheres.radii, ElementsAre(0.5, 0.25));
  EXPECT_THAT(file.spheres.coordinates[0], ElementsAre(0, 0));
  EXPECT_THAT(file.spheres.coordinates[2], ElementsAre(0.5, 1.25));
  EXPECT_THAT(file.warnings, IsEmpty());
  if (format == ParticleFormat::table) return;
  EXPECT_THAT(file.ids, ElementsAre(7, 3));
}

void expect_velocities(const ParticleFile& file) {
  EXPECT_THAT(file.velocity, ElementsAre(Vec<3>{0, 0, -1}, Vec<3>{1, 2, 3}));
  EXPECT_THAT(file.angular_velocity, ElementsAre(Vec<3>{}, Vec<3>{4, 5, 6}));
}

std::vector<std::string> materials_of(const ParticleFile& file) {
  std::vector<std::string> names;
  for (const std::uint32_t index : file.material) names.push_back(file.material_names[index]);
  return names;
}

// A frame as abut run writes it.
std::string write_frame(const Folder& folder, const std::string& name = "particles-1.vtp") {
  const std::vector<std::array<double, 3>> points{{0, 0, 0.5}, {0, 0, 1.25}};
  const std::vector<std::array<double, 3>> velocity{{0, 0, -1}, {1, 2, 3}};
  const std::vector<std::array<double, 3>> angular_velocity{{0, 0, 0}, {4, 5, 6}};
  const std::vector<double> radius{0.5, 0.25};
  const std::vector<std::int32_t> id{7, 3};
  const std::vector<std::int32_t> material{1, 0};
  const std::vector<std::uint8_t> fixed{0, 1};
  VtkFrame frame;
  frame.points = points;
  frame.has_vertices = true;
  frame.point_fields = {
      {"radius", radius}, {"velocity", velocity}, {"angular_velocity", angular_velocity},
      {"id", id},         {"material", material}, {"fixed", fixed}};
  std::string path = folder.path(name);
  write_vtk(path, frame);
  return path;
}

std::string write_compressed(const Folder& folder, const std::string& text) {
  std::string path = folder.path("particles.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return path;
}

TEST(ParticleFormats, AreDetectedByContent) {
  expect_two_spheres(read_particle_text(csv_text), ParticleFormat::csv);
  expect_two_spheres(read_particle_text(table_text), ParticleFormat::table);
  expect_two_spheres(read_particle_text(data_text), ParticleFormat::lammps_data);
  expect_two_spheres(read_particle_text(dump_text), ParticleFormat::lammps_dump);
  for (const std::string& text : {table_text, data_text, dump_text})
    EXPECT_EQ(read_particle_text(text, 0, "particles.csv").size(), 2U);
  const Folder folder;
  for (const std::string name : {"a.vtp", "a.txt"})
    expect_two_spheres(read_everything(write_frame(folder, name)), ParticleFormat::frame);
}

TEST(ParticleFormats, AreReadGzipped) {
  const Folder folder;
  expect_two_spheres(read_everything(write_compressed(folder, csv_text)), ParticleFormat::csv);
  expect_two_spheres(read_everything(write_compressed(folder, table_text)), ParticleFormat::table);
  expect_two_spheres(read_everything(write_compressed(folder, data_text)),
                     ParticleFormat::lammps_data);
  expect_two_spheres(read_everything(write_compressed(folder, dump_text)),
                     ParticleFormat::lammps_dump);
  write_frame(folder, "f.vtp");
  expect_two_spheres(read_everything(write_compressed(folder, folder.read("f.vtp"))),
                     ParticleFormat::frame);
}

TEST(ParticleFormats, DecompressAllMembersOfGzip) {
  const Folder folder;
  std::string bytes;
  for (const std::string text : {"x,y,z,r,id\n0,0,0.5,0.5,7\n", "0,0,1.25,0.25,3\n"}) {
    write_compressed(folder, text);
    bytes += folder.read("particles.gz");
  }
  expect_two_spheres(read_everything(folder.write("two.gz", bytes)), ParticleFormat::csv);
}

TEST(ParticleFormats, IgnoreByteOrderMarkOfGzippedText) {
  const Folder folder;
  const std::string mark = "\xEF\xBB\xBF";
  expect_two_spheres(read_everything(write_compressed(folder, mark + csv_text)),
                     ParticleFormat::csv);
  expect_two_spheres(read_everything(write_compressed(folder, mark + dump_text)),
                     ParticleFormat::lammps_dump);
}

TEST(ParticleFormats, LimitDecompressedData) {
  const Folder folder;
  const std::string text = csv_text + std::string(std::size_t{4} << 20U, '\n');
  const std::string path = write_compressed(folder, text);
  EXPECT_EQ(ParticleText(path, text.size()).text(), text);
  EXPECT_EQ(
      error_message([&] {
        ParticleText{path, std::size_t{1} << 20U};
      }),
      "cannot read " + path + ": more than 1 MiB; decompressed data are limited by --memory-limit");
  EXPECT_EQ(error_line(folder, {"detect", path, "--memory-limit", "1M"}),
            "abut: cannot read " + path +
                ": more than 1 MiB; decompressed data are limited by --memory-limit\n");
}

TEST(ParticleFormats, UnknownOneIsReportedWithTheKnownOnes) {
  for (const std::string text :
       {"{\"type\": 1}\n", "solid a\nfacet\n", "x y z r\n0 0 0 1\n", "\x89PNG\r\n", "grains\n"})
    EXPECT_THAT(particle_error(text),
                AllOf(HasSubstr("particles.txt:1: unknown format; abut reads CSV with a header"),
                      HasSubstr("LAMMPS data and dump files, and frames of abut run (.vtp)")));
}

TEST(ParticleFormats, ReadVelocitiesMaterialsAndDensities) {
  const Folder folder;
  for (const ParticleFile& file : {read_particle_text(data_text), read_particle_text(dump_text)}) {
    expect_velocities(file);
    EXPECT_THAT(file.density, ElementsAre(2500, 1000));
    EXPECT_THAT(materials_of(file), ElementsAre("1", "2"));
    EXPECT_TRUE(file.has_numbered_materials());
    EXPECT_EQ(file.box->box, (Box<3>{{-1, -1, 0}, {1, 1, 3}}));
  }
  const ParticleFile frame = read_everything(write_frame(folder));
  expect_velocities(frame);
  EXPECT_THAT(materials_of(frame), ElementsAre("1", "0"));
  EXPECT_THAT(frame.fixed, ElementsAre(0, 1));
  EXPECT_EQ(read_particle_text(dump_text).box->periodic, (std::array{true, true, false}));
}

TEST(ParticleFormats, CsvGivesVelocitiesAndMaterials) {
  const ParticleFile file = read_particle_text(
      "vx,vy,vz,x,y,z,Radius,wx,wy,wz,material\n"
      "0,0,-1,0,0,0.5,0.5,0,0,0, grain \n1,2,3,0,0,1.25,0.25,4,5,6,\"a, \"\"b\"\"\"\n");
  expect_velocities(file);
  EXPECT_THAT(materials_of(file), ElementsAre("grain", "a, \"b\""));
  EXPECT_FALSE(file.has_numbered_materials());
  EXPECT_THAT(file.warnings, IsEmpty());
  const ParticleFile disks = read_particle_text("x,y,r,vx,vy,wz,vz,wx\n0,0,1,2,3,4,0,0\n");
  EXPECT_THAT(disks.velocity, ElementsAre(Vec<3>{2, 3, 0}));
  EXPECT_THAT(disks.angular_velocity, ElementsAre(Vec<3>{0, 0, 4}));
}

TEST(ParticleFormats, CsvVelocityColumnsBelongTogether) {
  EXPECT_THAT(particle_error("x,y,z,r,vx,vy\n"),
              HasSubstr("particles.txt:1: vz: missing column; in 3D give vx, vy, vz, or no"));
  EXPECT_THAT(particle_error("x,y,r,wx\n"), HasSubstr("wz: missing column; in 2D give wz, or no"));
  EXPECT_THAT(particle_error("x,y,r,vx,vx\n"), HasSubstr("vx: duplicate column"));
  EXPECT_THAT(particle_error("x,y,r,vx,vy,vz\n0,0,1,0,0,2\n"),
              HasSubstr("particles.txt:2: vz of particle 0 = 2: must be 0 in 2D"));
  EXPECT_THAT(particle_error("x,y,r,wy,wz\n0,0,1,3,0\n"),
              HasSubstr("particles.txt:2: wy of particle 0 = 3: must be 0 in 2D"));
  EXPECT_THAT(particle_error("x,y,r,vx,vy\n0,0,1,nan,0\n"),
              HasSubstr("particles.txt:2:7: vx of particle 0 = nan: must be finite"));
}

TEST(ParticleFormats, WarnOnceAboutUnknownColumns) {
  EXPECT_THAT(
      read_particle_text("x,y,z,r,Color,n\n0,0,0,1,red,\"a,b\"\n").warnings,
      ElementsAre("ignored columns color, n; abut reads x, y, z, r, radius, id, vx, vy, vz, wx, "
                  "wy, wz, material"));
  EXPECT_THAT(read_particle_text(replaced_once(dump_text, "density", "q")).warnings,
              ElementsAre(HasSubstr("ignored column q; abut reads x, y, z, xu")));
  EXPECT_THAT(read_particle_text("x,y,r,a,b,c,d,e,f,g,h,i,j\n").warnings,
              ElementsAre(HasSubstr("ignored columns a, b, c, d, e, f, g, h and 2 more; abut")));
}

TEST(ParticleFormats, TableReportsLineAndColumn) {
  EXPECT_THAT(particle_error("0 0 0 1\n0 0 0\n"),
              HasSubstr("particles.txt:2: r of particle 1: missi"));
  EXPECT_THAT(particle_error("# a\n0 0 0 1\n0 0 0 1 2\n"),
              HasSubstr("particles.txt:3: particle 1 has more than 4 columns; must be x y z r"));
  EXPECT_THAT(particle_error("0 0 0 1\n0 0 inf 1\n"),
              HasSubstr("particles.txt:2:5: z of particle 1 = inf: must be finite"));
  EXPECT_THAT(particle_error("0 0 0 -1\n"),
              HasSubstr("radius of particle 0 = -1: must be positive"));
  EXPECT_THAT(particle_error("0 0 1 1\n", 2), HasSubstr("z of particle 0 = 1: must be 0 in 2D"));
  EXPECT_EQ(read_particle_text("0 0 0 1\n", 2).dimension, 2);
  EXPECT_EQ(read_particle_text("# nothing\n").size(), 0U);
}

TEST(LammpsDump, ReadsTheLastFrameAndSaysSo) {
  const std::string earlier = replaced_once(dump_text, "0.5 0.5", "0.7 0.5");
  const ParticleFile file = read_particle_text("ITEM: UNITS\nsi\n" + earlier + dump_text);
  EXPECT_THAT(file.spheres.coordinates[2], ElementsAre(0.5, 1.25));
  EXPECT_THAT(file.warnings, ElementsAre("has 2 frames; reading the last, of step 100"));
  EXPECT_THAT(particle_error(earlier + replaced_once(dump_text, "0.5 0.5", "0.7 x")),
              HasSubstr("particles.txt:21:13: radius of particle 0 = x: must be a number"));
}

TEST(LammpsDump, ReadsEveryKindOfPosition) {
  EXPECT_THAT(
      read_particle_text(replaced_once(dump_text, " x y z ", " xu yu zu ")).spheres.coordinates[2],
      ElementsAre(0.5, 1.25));
  const ParticleFile scaled =
      read_particle_text(replaced_once(dump_text, " x y z ", " xs ys zsu "));
  EXPECT_THAT(scaled.spheres.coordinates[0], ElementsAre(-1, -1));
  EXPECT_THAT(scaled.spheres.coordinates[2], ElementsAre(1.5, 3.75));
  EXPECT_THAT(read_particle_text(replaced_once(dump_text, " radius ", " diameter ")).spheres.radii,
              ElementsAre(0.25, 0.125));
  EXPECT_THAT(particle_error(replaced_once(dump_text, " density", " xu")),
              HasSubstr("particles.txt:9: x: several columns; give one of x, xu, xs and xsu"));
}

TEST(LammpsDump, RejectsDuplicateColumns) {
  for (const std::string title : {"id", "type", "radius", "vx", "omegaz"})
    EXPECT_THAT(particle_error(replaced_once(dump_text, " density", " " + title)),
                HasSubstr("particles.txt:9: " + title + ": duplicate column"));
}

TEST(LammpsDump, ReportsLineKeyAndValue) {
  const auto error = [](const std::string& from, const std::string& to) {
    return particle_error(replaced_once(dump_text, from, to));
  };
  EXPECT_THAT(error(" radius ", " size "),
              HasSubstr("particles.txt:9: radius: missing column; write the dump with: dump 1"));
  EXPECT_THAT(error(" y ", " "), HasSubstr("particles.txt:9: y: missing column"));
  EXPECT_THAT(error(" omegay ", " "), HasSubstr("omegay: missing column; in 3D give omegax, omeg"));
  EXPECT_THAT(error("BOUNDS pp", "BOUNDS xy xz yz pp"),
              HasSubstr("particles.txt:6: BOX BOUNDS: triclinic boxes are not supported; write"));
  EXPECT_THAT(error("\n-1 1\n", "\n-1 1 0\n"), HasSubstr("BOX BOUNDS: triclinic boxes are not"));
  EXPECT_THAT(error("\n-1 1\n", "\n1 -1\n"),
              HasSubstr("particles.txt:6:3: xhi = -1: must exceed the lower bound 1"));
  EXPECT_THAT(error("ATOMS\n2\n", "ATOMS\n3\n"),
              HasSubstr("particles.txt:12: ends after 2 of 3 atoms; the file is truncated"));
  EXPECT_THAT(error("ATOMS\n2\n", "ATOMS\n1\n"),
              HasSubstr("particles.txt:11: text after the last of 1 atoms"));
  EXPECT_THAT(error("ATOMS\n2\n", "ATOMS\ntwo\n"),
              HasSubstr("particles.txt:4:1: NUMBER OF ATOMS = two: must be an integer"));
  EXPECT_THAT(error("2500 ", ""), HasSubstr("particles.txt:10: density of particle 0: missing"));
  EXPECT_THAT(error("2500 ", "2500 1"), HasSubstr("particle 0 has more than the 13 fields"));
  EXPECT_THAT(error("3 2 0", "7 2 0"),
              HasSubstr("particles.txt:11: id of particle 1 = 7: must be unique"));
  EXPECT_THAT(error("0.25 1 2", "0.25 nan 2"), HasSubstr("vx of particle 1 = nan: must be fin"));
  EXPECT_THAT(error("ITEM: BOX", "ITEM: CAR"), HasSubstr("ITEM = CAR BOUNDS pp pp ff: unknown"));
  EXPECT_THAT(particle_error(dump_text.substr(0, dump_text.find("ITEM: ATOMS"))),
              HasSubstr("particles.txt:9: ITEM: ATOMS: missing; the file is truncated"));
  EXPECT_THAT(particle_error(dump_text, 2), HasSubstr("z of particle 0 = 0.5: must be 0 in 2D"));
}

TEST(ParticleFormats, LammpsDataReportsTheLineOfAnAtom) {
  EXPECT_THAT(particle_error(replaced_once(data_text, "0.5 1000 0 0", "0.5 1000 1e200 0")),
              HasSubstr("particles.txt:12: x of atom 3 = 1e+200: must lie within 1e150"));
  EXPECT_THAT(particle_error(data_text, 2),
              HasSubstr("particles.txt:11: z of atom 7 = 0.5: must be 0 in 2D"));
  EXPECT_THAT(particle_error(replaced_once(data_text, "# sphere", "# atomic")),
              HasSubstr("particles.txt:9:9: atom_style = atomic: must be sphere"));
}

TEST(ParticleFormats, FramesMustBeCompleteAndOfParticles) {
  const Folder folder;
  write_frame(folder, "p.vtp");
  const std::string bytes = folder.read("p.vtp");
  EXPECT_THAT(particle_error(bytes.substr(0, bytes.size() - 60)), HasSubstr("truncated after"));
  EXPECT_THAT(particle_error("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\">\n"),
              HasSubstr("not a frame written by abut run"));
  EXPECT_THAT(particle_error(replaced_once(bytes, "Name=\"radius\"", "Name=\"adiusr\"")),
              HasSubstr("particles.txt: radius: missing field; this is not a frame of particles"));
  EXPECT_THAT(read_particle_text(replaced_once(bytes, "Name=\"fixed\"", "Name=\"fuxed\"")).warnings,
              ElementsAre(HasSubstr("ignored fields fuxed; abut reads radius")));
  EXPECT_THAT(particle_error(bytes, 2),
              HasSubstr("z of particle with id 7 = 0.5: must be 0 in 2D"));
}

// What the program does with each format.
TEST(ParticleFormats, AreReadByDetectCompareAndInsert) {
  const Folder folder;
  const std::vector<std::string> files{folder.write("a.csv", csv_text),
                                       folder.write("a.txt", table_text),
                                       folder.write("a.data", data_text), write_frame(folder)};
  for (const std::string& file : files) {
    const ProgramResult found = run({"detect", file, "--out", "-"});
    EXPECT_EQ(found.status, 0) << found.err;
    EXPECT_EQ(found.out, file.ends_with(".txt") ? "a,b,gap\n0,1,0\n" : "a,b,gap\n7,3,0\n");
    EXPECT_EQ(std::ranges::count(found.err, '\n'), 1) << found.err;
    EXPECT_EQ(run({"compare", file}).status, 0);
    const std::string out = folder.path("b.csv");
    EXPECT_EQ(
        run({"insert", "--n", "1", "--sphere", "7,7,7,1", "--existing", file, "--out", out}).status,
        0);
    EXPECT_THAT(run({"compare", out}).out, HasSubstr("3 particles in 3D"));
  }
}

TEST(ParticleFormats, DetectUsesTheBoxOfALammpsFile) {
  const Folder folder;
  const std::string dump = folder.write("a.dump", dump_text);
  EXPECT_THAT(run({"detect", dump}).err,
              HasSubstr("a.dump: warning: the box of the file is periodic along xy, but the domain "
                        "is not; contacts across it are omitted\n"));
  const ProgramResult periodic = run({"detect", dump, "--periodic", "xy", "--out", "-"});
  EXPECT_EQ(periodic.status, 0);
  EXPECT_THAT(periodic.err, Not(HasSubstr("warning")));
  EXPECT_THAT(periodic.out, HasSubstr("a,b,gap,ix,iy,iz\n"));
  EXPECT_THAT(error_line(folder, {"detect", dump, "--periodic", "xy", "--box=-1,2,-1,1,0,3"}),
              HasSubstr("a.dump: length of the box along x = 2: must be 3 as in --box, which is"));
  EXPECT_THAT(error_line(folder, {"detect", folder.write("a.csv", csv_text), "--periodic", "x"}),
              HasSubstr("--periodic: needs a domain"));
}

TEST(ParticleFormats, UnknownColumnsAreNamedByEveryCommand) {
  const Folder folder;
  const std::string file =
      folder.write("a.csv", "x,y,z,r,color,vx,material\n0,0,0,1,red,fast,iron\n0,0,3,1,b,,\n");
  const std::string warning = "a.csv: warning: ignored column color; abut reads x, y, z, r";
  const std::vector<std::vector<std::string>> commands{
      {"detect", file},
      {"compare", file},
      {"insert", "--n", "1", "--sphere", "7,7,7,1", "--existing", file, "--out",
       folder.path("b.csv")}};
  for (const auto& command : commands) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(warning));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
}

TEST(ParticleFormats, AreRendered) {
  const Folder folder;
  const std::string csv =
      folder.write("a.csv", "x,y,z,r,color,vx,vy,vz\n0,0,0,1,red,0,0,1\n0,0,3,1,blue,0,0,2\n");
  const std::string png = folder.path("a.png");
  const ProgramResult result =
      run({"render", csv, "--size", "64x64", "--color", "speed", "--out", png});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("a.csv: warning: ignored column color; abut reads"));
  for (const std::string& text : {table_text, data_text, dump_text}) {
    const std::string file = folder.write("p.txt", text);
    EXPECT_EQ(run({"render", file, "--size", "64x64", "--out", png}).status, 0);
  }
}

}  // namespace
}  // namespace abut::testing
