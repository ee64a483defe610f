// What the tree and the clearance find is what looking at every piece finds.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "sanitized.hpp"
#include "wall_cases.hpp"
#include "walls/distance_grid.hpp"
#include "walls/octree.hpp"

namespace abut::testing {
namespace {

template <std::size_t D>
std::vector<OctreeItem<D>> octree_items(const Mesh<D>& mesh) {
  std::vector<OctreeItem<D>> pieces;
  Facets<D> facets;
  for (const auto& piece : mesh.facets) {
    std::array<Point<D>, D> corners;
    for (std::size_t k = 0; k < D; ++k) corners[k] = mesh.vertices[piece[k]];
    facets.add(corners, 0);
    const std::size_t last = facets.size() - 1;
    pieces.push_back({bounding_box_of<D>(corners), facets.vertex(last), facets.normal(last)});
  }
  return pieces;
}

template <std::size_t D>
void expect_same_as_brute_force(const Mesh<D>& mesh, const Scene<D>& scene,
                                const WallOptions<D>& options, const char* name) {
  const Walls<D> walls = walls_of(mesh);
  const auto all = brute_force_contacts<D>({mesh}, scene.view(), options);
  EXPECT_GT(all.size(), 0U) << name;
  EXPECT_EQ(walls.contacts(scene.view(), options), all) << name;
}

TEST(WallTree, FindsWhatEveryPieceFinds3D) {
  for (const double margin : {0.0, 0.4}) {
    const WallOptions<3> options{.margin = margin};
    for (const double largest : {0.05, 1.0, 8.0}) {
      const Scene<3> scene = random_spheres<3>(trial_count(largest < 1 ? 4000U : 400U), -2, 12,
                                               largest / 4, largest, 11);
      expect_same_as_brute_force(soup_mesh<3>(600, 10, 1, 4), scene, options, "small soup");
      expect_same_as_brute_force(soup_mesh<3>(100, 10, 12, 5), scene, options, "large soup");
      expect_same_as_brute_force(sphere_mesh(2000, {5, 5, 5}, 4), scene, options, "sphere");
      expect_same_as_brute_force(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}, 1), scene, options,
                                 "box");
      expect_same_as_brute_force(box_mesh(Point<3>{0, 1, 2}, {10, 9, 8}, 9), scene, options,
                                 "cut box");
      expect_same_as_brute_force(hopper_mesh(1500, 1, 6, 4, 10), scene, options, "hopper");
      expect_same_as_brute_force(torus_mesh(1500, {5, 5, 5}, 4, 1), scene, options, "torus");
    }
  }
}

TEST(WallTree, FindsWhatEveryPieceFinds2D) {
  for (const double margin : {0.0, 0.4})
    for (const double largest : {0.05, 1.0, 8.0}) {
      const WallOptions<2> options{.margin = margin};
      const Scene<2> scene = random_spheres<2>(1500, -2, 12, largest / 20, largest, 12);
      expect_same_as_brute_force(soup_mesh<2>(500, 10, 1, 4), scene, options, "small soup");
      expect_same_as_brute_force(soup_mesh<2>(100, 10, 12, 5), scene, options, "large soup");
      expect_same_as_brute_force(circle_mesh(300, {5, 5}, 4), scene, options, "circle");
      expect_same_as_brute_force(box_mesh(Point<2>{0, 0}, {10, 10}, 7), scene, options, "box");
    }
}

// Coordinates on a coarse grid: pieces that touch, cross, lie in one plane, share edges.
template <std::size_t D>
void check_random_facets_and_spheres() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  const auto coordinate = [] { return *rc::gen::inRange(-12, 13) / 4.0; };
  Mesh<D> mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<Index, D> piece;
    for (Index& corner : piece) {
      corner = static_cast<Index>(mesh.vertices.size());
      Point<D> at;
      for (double& x : at) x = coordinate();
      mesh.vertices.push_back(at);
    }
    mesh.facets.push_back(piece);
  }
  const MeshReport report = inspect_mesh(mesh);
  RC_PRE(report.degenerate.empty() && report.duplicates.empty());
  Scene<D> scene;
  for (std::size_t i = 0; i < 40; ++i) {
    for (auto& axis : scene.coordinates)
      axis.push_back(coordinate() * *rc::gen::element(0.5, 1.0, 1.7));
    scene.radii.push_back(*rc::gen::inRange(1, 20) / 8.0);
  }
  const WallOptions<D> options{.margin = *rc::gen::element(0.0, 0.25, 1.0)};
  RC_ASSERT(walls_of(mesh).contacts(scene.view(), options) ==
            brute_force_contacts<D>({mesh}, scene.view(), options));
}

TEST(WallTree, AnyPiecesAnyBalls) {
  EXPECT_TRUE(rc::check("in the plane", check_random_facets_and_spheres<2>));
  EXPECT_TRUE(rc::check("in space", check_random_facets_and_spheres<3>));
}

template <std::size_t D>
void expect_boxes_find_items(const Mesh<D>& mesh, double low, double high) {
  const auto pieces = octree_items(mesh);
  const Octree<D> tree(pieces);
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = random.uniform(low, high);
      box.max[k] = box.min[k] + (high - low) * random.uniform() * random.uniform() * 0.2;
    }
    std::vector<bool> seen(pieces.size());
    tree.for_each_leaf(box, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t at = first; at < last; ++at) seen[tree.entry(at)] = true;
    });
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
      for (const Index corner : mesh.facets[piece]) {
        bool inside = true;
        for (std::size_t k = 0; k < D; ++k)
          inside = inside && mesh.vertices[corner][k] >= box.min[k] &&
                   mesh.vertices[corner][k] <= box.max[k];
        ASSERT_TRUE(seen[piece] || !inside);
      }
  }
}

TEST(WallTree, ABoxMeetsTheLeavesOfEveryCornerInIt) {
  expect_boxes_find_items(soup_mesh<3>(3000, 10, 0.5, 1), 0, 10);
  expect_boxes_find_items(soup_mesh<2>(3000, 10, 0.5, 1), 0, 10);
  expect_boxes_find_items(hopper_mesh(3000, 1, 6, 4, 10), -6, 10);
}

template <std::size_t D>
std::size_t visited_entries(const Mesh<D>& mesh) {
  const auto pieces = octree_items(mesh);
  return Octree<D>(pieces).entry_count();
}

TEST(WallTree, TakesMemoryInProportionWhateverThePieces) {
  Mesh<3> fan{{{0, 0, 0}}, {}};  // a thousand triangles meet in one corner
  for (Index i = 0; i < 1000; ++i) {
    fan.vertices.push_back({std::cos(i * 0.00628), std::sin(i * 0.00628), 0.3});
    fan.facets.push_back({0, i + 1, (i + 1) % 1000 + 1});
  }
  fan.facets.back()[2] = 1;
  EXPECT_LT(visited_entries(fan), 20 * fan.facets.size());
  Mesh<3> pile;  // a thousand copies, nearly, of one triangle
  for (Index i = 0; i < 1000; ++i) {
    for (const Point<3>& corner : {Point<3>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})
      pile.vertices.push_back({corner[0], corner[1], i * 1e-12});
    pile.facets.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  EXPECT_LT(visited_entries(pile), 20 * pile.facets.size());
  EXPECT_LT(visited_entries(soup_mesh<3>(1000, 10, 10, 2)), 20 * 1000U);
  EXPECT_LT(visited_entries(hopper_mesh(20000, 1, 6, 4, 10)), 20 * 20000U);
  EXPECT_LT(visited_entries(soup_mesh<2>(1000, 10, 10, 2)), 20 * 1000U);
}

// Scaling by a power of two changes no digit, so neither must it change contacts; some of the
// factors are beyond what squares can take.
TEST(WallTree, AnySizeIsAsGoodAsAnother) {
  const Mesh<3> mesh = hopper_mesh(600, 1, 6, 4, 10);
  const Scene<3> scene = random_spheres<3>(2000, -8, 12, 0.3, 2, 21);
  const auto here = walls_of(mesh).contacts(scene.view());
  ASSERT_GT(here.size(), 50U);
  for (const double factor : {0x1p330, 0x1p-330, 0x1p40, 0x1p-60}) {
    Mesh<3> scaled_mesh = mesh;
    for (Point<3>& corner : scaled_mesh.vertices) corner = scaled(corner, factor);
    Scene<3> scaled_scene = scene;
    for (auto& axis : scaled_scene.coordinates)
      for (double& x : axis) x *= factor;
    for (double& r : scaled_scene.radii) r *= factor;
    const auto there = walls_of(scaled_mesh).contacts(scaled_scene.view());
    ASSERT_EQ(there.size(), here.size()) << factor;
    for (std::size_t i = 0; i < here.size(); ++i) {
      EXPECT_EQ(there[i].element, here[i].element);
      EXPECT_NEAR(there[i].gap / factor, here[i].gap, 1e-13) << factor;
    }
  }
}

TEST(WallTree, ParticlesFarAwayAndHugeOnesAreNoTrouble) {
  const Walls3 walls = walls_of(sphere_mesh(500, {0, 0, 0}, 1));
  EXPECT_TRUE(contacts_at<3>(walls, {1e150, -1e150, 1e149}, 1).empty());
  EXPECT_TRUE(contacts_at<3>(walls, {0, 3e9, 0}, 1).empty());
  const auto huge = contacts_at<3>(walls, {0, 0, 1e9}, 1e9);
  ASSERT_EQ(huge.size(), 1U);
  EXPECT_NEAR(huge[0].gap, -1, 1e-6);
  const Mesh<3> ball = sphere_mesh(500, {0, 0, 0}, 1);
  Scene<3> scene;
  Random random(4);
  for (int i = 0; i < 300; ++i) {  // they reach a little way into the mesh from far outside
    const Point<3> way =
        normalized(Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const double away = std::pow(10, random.uniform(1, 7));
    for (std::size_t k = 0; k < 3; ++k) scene.coordinates[k].push_back(way[k] * away);
    scene.radii.push_back(away - random.uniform(-1, 1));
  }
  EXPECT_EQ(walls.contacts(scene.view()), brute_force_contacts<3>({ball}, scene.view()));
}

template <std::size_t D>
CapBox<D> box_of(const SphericalCap& cap, const Point<D>& centre, double reach) {
  WallQuery<D> looking{};
  looking.center = centre;
  looking.cutoff = reach;
  looking.cap = cap;
  CapBox<D> box;
  wall_kernels<D>().bound_caps(std::span<const WallQuery<D>>(&looking, 1), &box);
  return box;
}

template <std::size_t D>
bool inside(const CapBox<D>& box, const Point<D>& point) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(std::abs(point[k] - box.center[k]) <= box.half_extent[k])) return false;
  return true;
}

// The points of a cap that are farthest along an axis, either way.
template <std::size_t D>
void expect_cap_inside(Random& random) {
  SphericalCap cap;
  Point<D> down{};
  for (std::size_t k = 0; k < D; ++k) {
    cap.axis[k] = static_cast<std::int8_t>(std::lround(random.uniform(-127, 127)));
    if (random.uniform() < 0.3) cap.axis[k] = 0;
    down[k] = cap.axis[k];
  }
  const double long_as = length(down);
  if (long_as == 0) return;
  const double height =
      random.uniform() < 0.5 ? random.uniform() : 1 - std::pow(10, random.uniform(-8, -1));
  cap.plane_distance = static_cast<float>(height * long_as);
  const double least = std::min(1.0, cap.plane_distance / long_as);
  const double reach = std::pow(10, random.uniform(-3, 3));
  Point<D> centre;
  for (double& x : centre) x = random.uniform(-1, 1) * reach;
  const CapBox<D> box = box_of<D>(cap, centre, reach);
  const Point<D> normal = scaled(down, 1 / long_as);
  for (std::size_t k = 0; k < D; ++k)
    for (const double way : {-1.0, 1.0}) {
      Point<D> axis{};
      axis[k] = way;
      const Point<D> across = add_scaled(axis, -dot(axis, normal), normal);
      const double wide = length(across);
      Point<D> point =
          dot(axis, normal) >= least || wide == 0
              ? axis
              : add_scaled(scaled(normal, least), std::sqrt(1 - least * least) / wide, across);
      if (dot(point, normal) < least - 1e-12) continue;
      EXPECT_TRUE(inside(box, add_scaled(centre, reach, point)));
    }
  EXPECT_TRUE(inside(box, add_scaled(centre, reach * least, normal)));
}

TEST(WallCap, IsInItsBox) {
  Random random(12);
  for (int i = 0; i < 5000; ++i) {
    expect_cap_inside<2>(random);
    expect_cap_inside<3>(random);
  }
}

TEST(WallCap, OfNothingKnownIsTheWholeSphere) {
  const CapBox<3> box = box_of<3>({{}, 100}, {1, 2, 3}, 2);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(box.center[k], static_cast<double>(k) + 1);
    EXPECT_GE(box.half_extent[k], 2);
    EXPECT_LE(box.half_extent[k], 2.001);
  }
}

// Whatever is within reach is where the cap says.
template <std::size_t D>
void expect_in_cap(const DistanceGrid<D>& clearance, const Facets<D>& facets, const Point<D>& at,
                   double reach) {
  ParticleBlock<D> block;
  block.size = 1;
  for (std::size_t k = 0; k < D; ++k) block.coordinates[k] = &at[k];
  block.cutoff[0] = reach;
  Selection picked;
  picked.size = 1;
  picked.indices[0] = 0;
  wall_kernels<D>().refine(clearance.view(), block, picked);
  ASSERT_EQ(picked.size, 1U);
  const CapBox<D> box = box_of<D>(picked.caps[0], at, reach);
  ClosestPoint<D> touch;
  for (std::size_t piece = 0; piece < facets.size(); ++piece)
    ASSERT_TRUE(!facets.find_closest(piece, at, reach, touch) || inside(box, touch.point));
}

template <std::size_t D>
bool is_free(const DistanceGrid<D>& clearance, const Point<D>& at, double reach) {
  ParticleBlock<D> block;
  block.size = 1;
  for (std::size_t k = 0; k < D; ++k) block.coordinates[k] = &at[k];
  block.cutoff[0] = reach;
  Selection picked;
  wall_kernels<D>().prefilter(clearance.view(), block, picked);
  const bool free = picked.size == 0;
  picked.size = 1;
  picked.indices[0] = 0;
  wall_kernels<D>().refine(clearance.view(), block, picked);
  EXPECT_TRUE(picked.size == 0 || !free);  // slabs may tell more
  return picked.size == 0;
}

template <std::size_t D>
void expect_conservative(const Mesh<D>& mesh, double low, double high, const char* name,
                         double most_cells = 0x1p22) {
  const auto pieces = octree_items(mesh);
  const Octree<D> tree(pieces);
  Facets<D> facets;
  std::vector<Box<D>> boxes;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::array<Point<D>, D> corners;
    for (std::size_t k = 0; k < D; ++k) corners[k] = mesh.vertices[mesh.facets[i][k]];
    facets.add(corners, 0);
    boxes.push_back(pieces[i].box);
  }
  const DistanceGrid<D> clearance(facets, boxes, tree.bounding_box(), tree.side(), most_cells,
                                  DistanceGrid<D>::max_cells_away, true);
  Random random(8);
  std::size_t free = 0;
  for (int i = 0; i < trial_count(3000); ++i) {
    Point<D> at;
    for (double& x : at) x = random.uniform(low, high);
    double nearest = 1e9;
    ClosestPoint<D> touch{};
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
      if (facets.find_closest(piece, at, nearest, touch)) nearest = touch.distance;
    ASSERT_FALSE(is_free(clearance, at, nearest)) << name;
    ASSERT_FALSE(is_free(clearance, at, nearest * 1.01)) << name;
    free += is_free(clearance, at, nearest * 0.2) ? 1U : 0U;
    for (const double more : {1.0, 1.01, 1.5}) expect_in_cap(clearance, facets, at, nearest * more);
    // Right beside a piece, too: there slabs know most.
    const Point<D> beside =
        add_scaled(touch.point, random.uniform() / clearance.view().cells_per_length, touch.normal);
    double close = 1e9;
    for (std::size_t piece = 0; piece < pieces.size(); ++piece)
      if (facets.find_closest(piece, beside, close, touch)) close = touch.distance;
    ASSERT_FALSE(is_free(clearance, beside, close)) << name;
    for (const double more : {1.0, 1.01, 1.5})
      expect_in_cap(clearance, facets, beside, close * more);
  }
  EXPECT_GT(free, trial_count(300U)) << name;  // and it is of use
}

TEST(WallClearance, NeverCallsFreeWhatIsNot) {
  expect_conservative(soup_mesh<3>(300, 10, 0.5, 1), -4, 14, "soup");
  expect_conservative(soup_mesh<3>(5, 10, 6, 2), -4, 14, "few");
  expect_conservative(hopper_mesh(2000, 1, 6, 4, 10), -8, 14, "hopper");
  expect_conservative(hopper_mesh(2000, 1, 6, 4, 10), -8, 14, "coarse", 1000);
  expect_conservative(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}), -4, 14, "box");
  expect_conservative(Mesh<3>{{{0, 0, 5}, {10, 0, 5}, {0, 10, 5}}, {{0, 1, 2}}}, -4, 14, "one");
  expect_conservative(soup_mesh<2>(300, 10, 0.5, 1), -4, 14, "soup in the plane");
  expect_conservative(circle_mesh(500, {5, 5}, 5), -4, 14, "circle");
}

}  // namespace
}  // namespace abut::testing
