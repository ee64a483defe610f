#include <gmock/gmock.h>

#include <limits>
#include <string>

#include "expect_error.hpp"
#include "full_disk.hpp"
#include "io/vtk_writer.hpp"
#include "program.hpp"

namespace abut {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::error_message;
using testing::Folder;
using testing::FullDisk;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Entry = VtkSeries::Entry;

constexpr double all_times = std::numeric_limits<double>::infinity();

TEST(VtkSeries, WritesParaViewCollection) {
  const Folder folder;
  VtkSeries series(folder.path("run.pvd"));
  series.add({0, "particles", "particles-0.vtp"});
  series.add({0, "walls", "walls-0.vtp"});
  series.add({0.1, "particles", "particles-1.vtp"});
  EXPECT_THAT(folder.files(), IsEmpty());
  series.write();
  EXPECT_EQ(folder.read("run.pvd"),
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "  <Collection>\n"
            "    <DataSet timestep=\"0\" part=\"0\" name=\"particles\" file=\"particles-0.vtp\"/>\n"
            "    <DataSet timestep=\"0\" part=\"1\" name=\"walls\" file=\"walls-0.vtp\"/>\n"
            "    <DataSet timestep=\"0.1\" part=\"0\" name=\"particles\" "
            "file=\"particles-1.vtp\"/>\n"
            "  </Collection>\n"
            "</VTKFile>\n");
}

TEST(VtkSeries, ResumesAfterGivenTime) {
  const Folder folder;
  const std::string path = folder.path("run.pvd");
  VtkSeries series(path);
  const double third = 1.0 / 3;
  series.add({0, "particles", "a"});
  series.add({third, "particles", "b"});
  series.add({0.5, "particles", "c"});
  series.add({0.5, "walls", "w"});
  series.add({0.6, "contacts", "d"});
  series.write();
  EXPECT_EQ(VtkSeries::resume(path, all_times).entries(), series.entries());
  EXPECT_THAT(VtkSeries::resume(path, -1).entries(), IsEmpty());

  VtkSeries resumed = VtkSeries::resume(path, third);
  EXPECT_THAT(resumed.entries(),
              ElementsAre(Entry{0, "particles", "a"}, Entry{third, "particles", "b"}));
  resumed.add({0.4, "contacts", "e"});  // walls are no longer the second part
  resumed.add({0.4, "walls", "v"});
  resumed.write();
  EXPECT_EQ(VtkSeries::resume(path, all_times).entries(), resumed.entries());
  EXPECT_THAT(folder.read("run.pvd"), HasSubstr("part=\"1\" name=\"contacts\""));
}

TEST(VtkSeries, BeginsNewCollectionIfThereIsNone) {
  const Folder folder;
  EXPECT_THAT(VtkSeries::resume(folder.path("run.pvd"), 1).entries(), IsEmpty());
  VtkSeries(folder.path("empty.pvd")).write();
  EXPECT_THAT(VtkSeries::resume(folder.path("empty.pvd"), 1).entries(), IsEmpty());
}

TEST(VtkSeries, ReplacesEntryOfSamePartAndTime) {
  VtkSeries series("run.pvd");
  series.add({1, "particles", "a"});
  series.add({1, "walls", "w"});
  series.add({1, "particles", "b"});
  EXPECT_THAT(series.entries(), ElementsAre(Entry{1, "particles", "b"}, Entry{1, "walls", "w"}));
}

TEST(VtkSeries, ReadsBackEscapedNames) {
  const Folder folder;
  VtkSeries series(folder.path("run.pvd"));
  series.add({1e-300, "<\"walls\" & 'σ'>", "a&amp; file=\"b\".vtp"});
  series.write();
  EXPECT_EQ(VtkSeries::resume(folder.path("run.pvd"), 1).entries(), series.entries());
}

TEST(VtkSeries, RejectsFilesItDidNotWrite) {
  const Folder folder;
  const std::string path = folder.path("run.pvd");
  VtkSeries series(path);
  series.add({0.25, "p", "a.vtp"});
  series.add({0.5, "p", "b.vtp"});
  series.write();
  const std::string good = folder.read("run.pvd");
  for (std::size_t length = 0; length < good.size(); ++length) {
    folder.write("run.pvd", good.substr(0, length));
    EXPECT_THAT(error_message([&] { (void)VtkSeries::resume(path, all_times); }),
                HasSubstr("not a collection written by abut"))
        << length;
  }
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    folder.write("run.pvd", text);
    return error_message([&] { (void)VtkSeries::resume(path, all_times); });
  };
  EXPECT_EQ(changed("0.25", "0.250"),
            path + ":4: not a collection written by abut; move this file away to begin a new one");
  EXPECT_THAT(changed("part=\"0\"", "part=\"1\""), HasSubstr(":4: "));
  EXPECT_THAT(changed("b.vtp", "b&vtp"), HasSubstr(":5: "));
  EXPECT_THAT(changed("0.5", "0.25"), HasSubstr(":5: "));
  EXPECT_THAT(changed("0.5", "0.1"), HasSubstr("must not be less than "));
  EXPECT_THAT(changed("</VTKFile>\n", "</VTKFile>\n\n"), HasSubstr(":6: "));
}

TEST(VtkSeries, RejectsDecreasingTimesAndInvalidNames) {
  VtkSeries series("run.pvd");
  series.add({1, "p", "a.vtp"});
  EXPECT_EQ(error_message([&] {
              series.add({0.5, "p", "b.vtp"});
            }),
            "run.pvd: time of b.vtp = 0.5: must not be less than 1, the time of the last entry");
  EXPECT_THAT(error_message([&] {
                series.add({all_times, "p", "b.vtp"});
              }),
              HasSubstr("time of b.vtp = inf: "));
  EXPECT_THAT(error_message([&] {
                series.add({2, "p\n", "b.vtp"});
              }),
              HasSubstr("part = p\\x0a: "));
  EXPECT_THAT(error_message([&] { series.add({2, "p", ""}); }), HasSubstr("file = : "));
  EXPECT_EQ(series.entries().size(), 1U);
}

TEST(VtkSeries, KeepsPreviousFileOnFullDisk) {
  const Folder folder;
  const std::string path = folder.path("run.pvd");
  VtkSeries series(path);
  series.write();
  const std::string before = folder.read("run.pvd");
  series.add({1, "p", std::string(1000, 'a')});
  EXPECT_THAT(error_message([&] {
                const FullDisk full(500);
                series.write();
              }),
              EndsWith("run.pvd: File too large"));
  EXPECT_EQ(folder.read("run.pvd"), before);
  EXPECT_THAT(folder.files(), ElementsAre("run.pvd"));
}

}  // namespace
}  // namespace abut
