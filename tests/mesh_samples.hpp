#pragma once

#include <gtest/gtest.h>

#include <abut/mesh.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "io/mesh_file.hpp"
#include "program.hpp"

namespace abut::testing {

using Triangle = std::array<std::array<float, 3>, 3>;

/// Two triangles that share an edge.
inline const std::vector<Triangle> two_triangles{
    {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {{{1, 0, 0}, {1, 1.5, -2}, {0, 1, 0}}},
};

/// The same as a mesh, with vertices in order of appearance.
inline const Mesh<3> two_triangles_mesh{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1.5, -2}},
    {{0, 1, 2}, {1, 3, 2}},
};

/// The same as ASCII STL.
inline const std::string two_triangles_text =
    "solid two\n"
    "  facet normal 0 0 1\n"
    "    outer loop\n"
    "      vertex 0 0 0\n"
    "      vertex 1 0 0\n"
    "      vertex 0 1 0\n"
    "    endloop\n"
    "  endfacet\n"
    "  facet normal 0 0 1\n"
    "    outer loop\n"
    "      vertex 1 0 0\n"
    "      vertex 1 1.5 -2\n"
    "      vertex 0 1 0\n"
    "    endloop\n"
    "  endfacet\n"
    "endsolid two\n";

inline std::string bytes_of(std::uint32_t word) {
  std::string bytes;
  for (unsigned i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i));
  return bytes;
}

inline std::string bytes_of(float value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return bytes_of(word);
}

/// A binary STL file with zero normals, attributes 0xffff and the given count.
inline std::string binary_stl(const std::vector<Triangle>& triangles, std::uint32_t count,
                              std::string header = "test") {
  header.resize(80, '\0');
  std::string bytes = header + bytes_of(count);
  for (const Triangle& triangle : triangles) {
    bytes += std::string(12, '\0');
    for (const auto& vertex : triangle)
      for (const float x : vertex) bytes += bytes_of(x);
    bytes += "\xff\xff";
  }
  return bytes;
}

inline std::string binary_stl(const std::vector<Triangle>& triangles) {
  return binary_stl(triangles, static_cast<std::uint32_t>(triangles.size()));
}

inline MeshFile read_text(const std::string& name, const std::string& text, int dimension = 3) {
  const Folder folder;
  return read_mesh(folder.write(name, text), dimension);
}

template <std::size_t D>
void expect_equal(const Mesh<D>& found, const Mesh<D>& expected) {
  EXPECT_EQ(found.vertices, expected.vertices);
  EXPECT_EQ(found.facets, expected.facets);
}

/// Vertices must be finite and vertex indices in range.
template <std::size_t D>
void expect_sound(const Mesh<D>& mesh) {
  EXPECT_FALSE(mesh.facets.empty());
  for (const Point<D>& vertex : mesh.vertices)
    EXPECT_TRUE(std::ranges::all_of(vertex, [](double x) { return std::isfinite(x); }));
  for (const auto& facet : mesh.facets)
    EXPECT_TRUE(std::ranges::all_of(facet, [&](Index i) { return i < mesh.vertices.size(); }));
}

}  // namespace abut::testing
