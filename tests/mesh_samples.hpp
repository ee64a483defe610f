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

/// Two triangles that share an edge and a corner at the origin.
inline const std::vector<Triangle> two_triangles{
    {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
    {{{1, 0, 0}, {1, 1.5, -2}, {0, 1, 0}}},
};

/// The same as a mesh: corners in the order they come.
inline const Mesh<3> two_triangles_mesh{
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1.5, -2}},
    {{0, 1, 2}, {1, 3, 2}},
};

/// The same as text.
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

/// A binary STL with normals of 0, attributes of 0xffff and this count.
inline std::string binary_stl(const std::vector<Triangle>& triangles, std::uint32_t count,
                              std::string header = "by a test") {
  header.resize(80, '\0');
  std::string bytes = header + bytes_of(count);
  for (const Triangle& triangle : triangles) {
    bytes += std::string(12, '\0');
    for (const auto& corner : triangle)
      for (const float x : corner) bytes += bytes_of(x);
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

/// Finite corners, and pieces of corners that are there.
template <std::size_t D>
void expect_sound(const Mesh<D>& mesh) {
  EXPECT_FALSE(mesh.facets.empty());
  for (const Point<D>& corner : mesh.vertices)
    EXPECT_TRUE(std::ranges::all_of(corner, [](double x) { return std::isfinite(x); }));
  for (const auto& piece : mesh.facets)
    EXPECT_TRUE(std::ranges::all_of(piece, [&](Index i) { return i < mesh.vertices.size(); }));
}

}  // namespace abut::testing
