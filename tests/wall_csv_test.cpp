// CSV files of sphere-wall contacts.
#include <gtest/gtest.h>

#include "io/contact_csv.hpp"
#include "program.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
std::string written_csv(const std::vector<WallContact<D>>& contacts,
                        const std::vector<std::int64_t>& ids) {
  const Folder folder;
  OutputFile out(folder.path("walls.csv"));
  write_wall_contacts_csv<D>(out, contacts, ids, {});
  out.commit();
  return folder.read("walls.csv");
}

TEST(WallContactCsv, Writes3D) {
  const std::vector<WallContact<3>> contacts{
      {0, Feature::face, WallElementId(7), -0.1, {0, 0, 1}, {1, 2.5, 0}},
      {2, Feature::edge, WallElementId(8), 1e-20, {0.6, 0.8, 0}, {1.0 / 3, 0, -1e300}},
      {2, Feature::vertex, WallElementId(4294967295), 0, {-1, 0, 0}, {0, 0, 0}},
  };
  EXPECT_EQ(written_csv<3>(contacts, {}),
            "particle,facet,feature,gap,nx,ny,nz,px,py,pz\n"
            "0,7,face,-0.1,0,0,1,1,2.5,0\n"
            "2,8,edge,1e-20,0.6,0.8,0,0.3333333333333333,0,-1e+300\n"
            "2,4294967295,vertex,0,-1,0,0,0,0,0\n");
}

TEST(WallContactCsv, Writes2DWithIds) {
  const std::vector<WallContact<2>> contacts{
      {1, Feature::vertex, WallElementId(0), -0.5, {0, 1}, {3, 4}}};
  EXPECT_EQ(written_csv<2>(contacts, {10, -20}),
            "particle,facet,feature,gap,nx,ny,px,py\n"
            "-20,0,vertex,-0.5,0,1,3,4\n");
}

TEST(WallContactCsv, WritesHeaderWithoutContacts) {
  EXPECT_EQ(written_csv<2>({}, {}), "particle,facet,feature,gap,nx,ny,px,py\n");
}

}  // namespace
}  // namespace abut::testing
