// The octree, the distance grid and the wall search agree with brute force.
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
  std::vector<OctreeItem<D>> items;
  Facets<D> facets;
  for (const auto& facet : mesh.facets) {
    std::array<Point<D>, D> vertices;
    for (std::size_t k = 0; k < D; ++k) vertices[k] = mesh.vertices[facet[k]];
    facets.add(vertices, 0);
    const std::size_t last = facets.size() - 1;
    items.push_back({bounding_box_of<D>(vertices), facets.vertex(last), facets.normal(last)});
  }
  return items;
}

template <std::size_t D>
void expect_same_as_brute_force(const Mesh<D>& mesh, const Scene<D>& scene,
                                const WallOptions<D>& options, const char* name) {
  const Walls<D> walls = walls_of(mesh);
  const auto expected = brute_force_contacts<D>({mesh}, scene.view(), options);
  EXPECT_GT(expected.size(), 0U) << name;
  EXPECT_EQ(walls.contacts(scene.view(), options), expected) << name;
}

TEST(WallSearch, AgreesWithBruteForce3D) {
  for (const double margin : {0.0, 0.4}) {
    const WallOptions<3> options{.margin = margin};
    for (const double max_radius : {0.05, 1.0, 8.0}) {
      const Scene<3> scene = random_spheres<3>(trial_count(max_radius < 1 ? 4000U : 400U), -2, 12,
                                               max_radius / 4, max_radius, 11);
      expect_same_as_brute_force(soup_mesh<3>(600, 10, 1, 4), scene, options, "small soup");
      expect_same_as_brute_force(soup_mesh<3>(100, 10, 12, 5), scene, options, "large soup");
      expect_same_as_brute_force(sphere_mesh(2000, {5, 5, 5}, 4), scene, options, "sphere");
      expect_same_as_brute_force(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}, 1), scene, options,
                                 "box");
      expect_same_as_brute_force(box_mesh(Point<3>{0, 1, 2}, {10, 9, 8}, 9), scene, options,
                                 "divided box");
      expect_same_as_brute_force(hopper_mesh(1500, 1, 6, 4, 10), scene, options, "hopper");
      expect_same_as_brute_force(torus_mesh(1500, {5, 5, 5}, 4, 1), scene, options, "torus");
    }
  }
}

TEST(WallSearch, AgreesWithBruteForce2D) {
  for (const double margin : {0.0, 0.4})
    for (const double max_radius : {0.05, 1.0, 8.0}) {
      const WallOptions<2> options{.margin = margin};
      const Scene<2> scene = random_spheres<2>(1500, -2, 12, max_radius / 20, max_radius, 12);
      expect_same_as_brute_force(soup_mesh<2>(500, 10, 1, 4), scene, options, "small soup");
      expect_same_as_brute_force(soup_mesh<2>(100, 10, 12, 5), scene, options, "large soup");
      expect_same_as_brute_force(circle_mesh(300, {5, 5}, 4), scene, options, "circle");
      expect_same_as_brute_force(box_mesh(Point<2>{0, 0}, {10, 10}, 7), scene, options, "box");
    }
}

// Coordinates on a coarse grid, so that facets touch, intersect, are coplanar or share edges.
template <std::size_t D>
void check_random_facets_and_spheres() {
  const auto count = *rc::gen::inRange<std::size_t>(1, 60);
  const auto coordinate = [] { return *rc::gen::inRange(-12, 13) / 4.0; };
  Mesh<D> mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<Index, D> facet;
    for (Index& vertex : facet) {
      vertex = static_cast<Index>(mesh.vertices.size());
      Point<D> at;
      for (double& x : at) x = coordinate();
      mesh.vertices.push_back(at);
    }
    mesh.facets.push_back(facet);
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

TEST(WallSearch, AgreesWithBruteForceForRandomFacetsAndSpheres) {
  EXPECT_TRUE(rc::check("2D", check_random_facets_and_spheres<2>));
  EXPECT_TRUE(rc::check("3D", check_random_facets_and_spheres<3>));
}

template <std::size_t D>
void expect_boxes_find_items(const Mesh<D>& mesh, double low, double high) {
  const auto items = octree_items(mesh);
  const Octree<D> octree(items);
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Box<D> box;
    for (std::size_t k = 0; k < D; ++k) {
      box.min[k] = random.uniform(low, high);
      box.max[k] = box.min[k] + (high - low) * random.uniform() * random.uniform() * 0.2;
    }
    std::vector<bool> visited(items.size());
    octree.for_each_leaf(box, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t entry = first; entry < last; ++entry) visited[octree.entry(entry)] = true;
    });
    for (std::size_t facet = 0; facet < items.size(); ++facet)
      for (const Index vertex : mesh.facets[facet]) {
        bool inside = true;
        for (std::size_t k = 0; k < D; ++k)
          inside = inside && mesh.vertices[vertex][k] >= box.min[k] &&
                   mesh.vertices[vertex][k] <= box.max[k];
        ASSERT_TRUE(visited[facet] || !inside);
      }
  }
}

TEST(Octree, BoxQueryFindsAllItemsWithVertexInside) {
  expect_boxes_find_items(soup_mesh<3>(3000, 10, 0.5, 1), 0, 10);
  expect_boxes_find_items(soup_mesh<2>(3000, 10, 0.5, 1), 0, 10);
  expect_boxes_find_items(hopper_mesh(3000, 1, 6, 4, 10), -6, 10);
}

template <std::size_t D>
std::size_t entry_count(const Mesh<D>& mesh) {
  const auto items = octree_items(mesh);
  return Octree<D>(items).entry_count();
}

TEST(Octree, MemoryIsProportionalToItems) {
  Mesh<3> fan{{{0, 0, 0}}, {}};  // 1000 triangles that share a vertex
  for (Index i = 0; i < 1000; ++i) {
    fan.vertices.push_back({std::cos(i * 0.00628), std::sin(i * 0.00628), 0.3});
    fan.facets.push_back({0, i + 1, (i + 1) % 1000 + 1});
  }
  fan.facets.back()[2] = 1;
  EXPECT_LT(entry_count(fan), 20 * fan.facets.size());
  Mesh<3> stack;  // 1000 triangles that nearly coincide
  for (Index i = 0; i < 1000; ++i) {
    for (const Point<3>& vertex : {Point<3>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})
      stack.vertices.push_back({vertex[0], vertex[1], i * 1e-12});
    stack.facets.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  EXPECT_LT(entry_count(stack), 20 * stack.facets.size());
  EXPECT_LT(entry_count(soup_mesh<3>(1000, 10, 10, 2)), 20 * 1000U);
  EXPECT_LT(entry_count(hopper_mesh(20000, 1, 6, 4, 10)), 20 * 20000U);
  EXPECT_LT(entry_count(soup_mesh<2>(1000, 10, 10, 2)), 20 * 1000U);
}

// Scaling by a power of two is exact, so it must not change the contacts. The squares of some of
// the factors overflow or underflow.
TEST(WallSearch, IsScaleInvariant) {
  const Mesh<3> mesh = hopper_mesh(600, 1, 6, 4, 10);
  const Scene<3> scene = random_spheres<3>(2000, -8, 12, 0.3, 2, 21);
  const auto expected = walls_of(mesh).contacts(scene.view());
  ASSERT_GT(expected.size(), 50U);
  for (const double factor : {0x1p330, 0x1p-330, 0x1p40, 0x1p-60}) {
    Mesh<3> scaled_mesh = mesh;
    for (Point<3>& vertex : scaled_mesh.vertices) vertex = scaled(vertex, factor);
    Scene<3> scaled_scene = scene;
    for (auto& axis : scaled_scene.coordinates)
      for (double& x : axis) x *= factor;
    for (double& r : scaled_scene.radii) r *= factor;
    const auto actual = walls_of(scaled_mesh).contacts(scaled_scene.view());
    ASSERT_EQ(actual.size(), expected.size()) << factor;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(actual[i].element, expected[i].element);
      EXPECT_NEAR(actual[i].gap / factor, expected[i].gap, 1e-13) << factor;
    }
  }
}

TEST(WallSearch, HandlesDistantAndHugeParticles) {
  const Walls3 walls = walls_of(sphere_mesh(500, {0, 0, 0}, 1));
  EXPECT_TRUE(contacts_at<3>(walls, {1e150, -1e150, 1e149}, 1).empty());
  EXPECT_TRUE(contacts_at<3>(walls, {0, 3e9, 0}, 1).empty());
  const auto huge = contacts_at<3>(walls, {0, 0, 1e9}, 1e9);
  ASSERT_EQ(huge.size(), 1U);
  EXPECT_NEAR(huge[0].gap, -1, 1e-6);
  const Mesh<3> sphere = sphere_mesh(500, {0, 0, 0}, 1);
  Scene<3> scene;
  Random random(4);
  for (int i = 0; i < 300; ++i) {  // distant spheres that penetrate the mesh slightly
    const Point<3> direction =
        normalized(Point<3>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    const double distance = std::pow(10, random.uniform(1, 7));
    for (std::size_t k = 0; k < 3; ++k) scene.coordinates[k].push_back(direction[k] * distance);
    scene.radii.push_back(distance - random.uniform(-1, 1));
  }
  EXPECT_EQ(walls.contacts(scene.view()), brute_force_contacts<3>({sphere}, scene.view()));
}

template <std::size_t D>
CapBox<D> box_of(const SphericalCap& cap, const Point<D>& center, double cutoff) {
  WallQuery<D> query{};
  query.center = center;
  query.cutoff = cutoff;
  query.cap = cap;
  CapBox<D> box;
  wall_kernels<D>().bound_caps(std::span<const WallQuery<D>>(&query, 1), &box);
  return box;
}

template <std::size_t D>
bool inside(const CapBox<D>& box, const Point<D>& point) {
  for (std::size_t k = 0; k < D; ++k)
    if (!(std::abs(point[k] - box.center[k]) <= box.half_extent[k])) return false;
  return true;
}

// The extreme points of a cap along each axis must be inside its bounding box.
template <std::size_t D>
void expect_cap_inside(Random& random) {
  SphericalCap cap;
  Point<D> cap_axis{};
  for (std::size_t k = 0; k < D; ++k) {
    cap.axis[k] = static_cast<std::int8_t>(std::lround(random.uniform(-127, 127)));
    if (random.uniform() < 0.3) cap.axis[k] = 0;
    cap_axis[k] = cap.axis[k];
  }
  const double axis_length = length(cap_axis);
  if (axis_length == 0) return;
  const double height =
      random.uniform() < 0.5 ? random.uniform() : 1 - std::pow(10, random.uniform(-8, -1));
  cap.plane_distance = static_cast<float>(height * axis_length);
  const double plane = std::min(1.0, cap.plane_distance / axis_length);
  const double cutoff = std::pow(10, random.uniform(-3, 3));
  Point<D> center;
  for (double& x : center) x = random.uniform(-1, 1) * cutoff;
  const CapBox<D> box = box_of<D>(cap, center, cutoff);
  const Point<D> normal = scaled(cap_axis, 1 / axis_length);
  for (std::size_t k = 0; k < D; ++k)
    for (const double direction : {-1.0, 1.0}) {
      Point<D> axis{};
      axis[k] = direction;
      const Point<D> radial = add_scaled(axis, -dot(axis, normal), normal);
      const double radial_length = length(radial);
      Point<D> point = dot(axis, normal) >= plane || radial_length == 0
                           ? axis
                           : add_scaled(scaled(normal, plane),
                                        std::sqrt(1 - plane * plane) / radial_length, radial);
      if (dot(point, normal) < plane - 1e-12) continue;
      EXPECT_TRUE(inside(box, add_scaled(center, cutoff, point)));
    }
  EXPECT_TRUE(inside(box, add_scaled(center, cutoff * plane, normal)));
}

TEST(SphericalCap, IsInsideItsBoundingBox) {
  Random random(12);
  for (int i = 0; i < 5000; ++i) {
    expect_cap_inside<2>(random);
    expect_cap_inside<3>(random);
  }
}

TEST(SphericalCap, IsWholeSphereIfPlaneIsUnknown) {
  const CapBox<3> box = box_of<3>({{}, 100}, {1, 2, 3}, 2);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(box.center[k], static_cast<double>(k) + 1);
    EXPECT_GE(box.half_extent[k], 2);
    EXPECT_LE(box.half_extent[k], 2.001);
  }
}

// All facets within the cutoff must have their closest points in the cap.
template <std::size_t D>
void expect_in_cap(const DistanceGrid<D>& grid, const Facets<D>& facets, const Point<D>& at,
                   double cutoff) {
  ParticleBlock<D> block;
  block.size = 1;
  for (std::size_t k = 0; k < D; ++k) block.coordinates[k] = &at[k];
  block.cutoff[0] = cutoff;
  Selection selection;
  selection.size = 1;
  selection.indices[0] = 0;
  wall_kernels<D>().refine(grid.view(), block, selection);
  ASSERT_EQ(selection.size, 1U);
  const CapBox<D> box = box_of<D>(selection.caps[0], at, cutoff);
  ClosestPoint<D> closest;
  for (std::size_t facet = 0; facet < facets.size(); ++facet)
    ASSERT_TRUE(!facets.find_closest(facet, at, cutoff, closest) || inside(box, closest.point));
}

template <std::size_t D>
bool is_free(const DistanceGrid<D>& grid, const Point<D>& at, double cutoff) {
  ParticleBlock<D> block;
  block.size = 1;
  for (std::size_t k = 0; k < D; ++k) block.coordinates[k] = &at[k];
  block.cutoff[0] = cutoff;
  Selection selection;
  wall_kernels<D>().prefilter(grid.view(), block, selection);
  const bool free = selection.size == 0;
  selection.size = 1;
  selection.indices[0] = 0;
  wall_kernels<D>().refine(grid.view(), block, selection);
  EXPECT_TRUE(selection.size == 0 || !free);  // slabs exclude at least as much
  return selection.size == 0;
}

template <std::size_t D>
void expect_conservative(const Mesh<D>& mesh, double low, double high, const char* name,
                         double max_cells = 0x1p22) {
  const auto items = octree_items(mesh);
  const Octree<D> octree(items);
  Facets<D> facets;
  std::vector<Box<D>> boxes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::array<Point<D>, D> vertices;
    for (std::size_t k = 0; k < D; ++k) vertices[k] = mesh.vertices[mesh.facets[i][k]];
    facets.add(vertices, 0);
    boxes.push_back(items[i].box);
  }
  const DistanceGrid<D> grid(facets, boxes, octree.bounding_box(), octree.side(), max_cells,
                             DistanceGrid<D>::max_cells_away, true);
  Random random(8);
  std::size_t free = 0;
  for (int i = 0; i < trial_count(3000); ++i) {
    Point<D> at;
    for (double& x : at) x = random.uniform(low, high);
    double nearest = 1e9;
    ClosestPoint<D> closest{};
    for (std::size_t facet = 0; facet < facets.size(); ++facet)
      if (facets.find_closest(facet, at, nearest, closest)) nearest = closest.distance;
    ASSERT_FALSE(is_free(grid, at, nearest)) << name;
    ASSERT_FALSE(is_free(grid, at, nearest * 1.01)) << name;
    free += is_free(grid, at, nearest * 0.2) ? 1U : 0U;
    for (const double factor : {1.0, 1.01, 1.5}) expect_in_cap(grid, facets, at, nearest * factor);
    // Very close to a facet, too, where slabs are most effective.
    const Point<D> near_wall =
        add_scaled(closest.point, random.uniform() / grid.view().cells_per_length, closest.normal);
    double min_distance = 1e9;
    for (std::size_t facet = 0; facet < facets.size(); ++facet)
      if (facets.find_closest(facet, near_wall, min_distance, closest))
        min_distance = closest.distance;
    ASSERT_FALSE(is_free(grid, near_wall, min_distance)) << name;
    for (const double factor : {1.0, 1.01, 1.5})
      expect_in_cap(grid, facets, near_wall, min_distance * factor);
  }
  EXPECT_GT(free, trial_count(300U)) << name;  // the filter must be effective
}

TEST(DistanceGrid, NeverExcludesActualContacts) {
  expect_conservative(soup_mesh<3>(300, 10, 0.5, 1), -4, 14, "soup");
  expect_conservative(soup_mesh<3>(5, 10, 6, 2), -4, 14, "few");
  expect_conservative(hopper_mesh(2000, 1, 6, 4, 10), -8, 14, "hopper");
  expect_conservative(hopper_mesh(2000, 1, 6, 4, 10), -8, 14, "coarse", 1000);
  expect_conservative(box_mesh(Point<3>{0, 0, 0}, {10, 10, 10}), -4, 14, "box");
  expect_conservative(Mesh<3>{{{0, 0, 5}, {10, 0, 5}, {0, 10, 5}}, {{0, 1, 2}}}, -4, 14, "one");
  expect_conservative(soup_mesh<2>(300, 10, 0.5, 1), -4, 14, "2D soup");
  expect_conservative(circle_mesh(500, {5, 5}, 5), -4, 14, "circle");
}

}  // namespace
}  // namespace abut::testing
