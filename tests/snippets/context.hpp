#pragma once

#include <abut/abut.hpp>
#include <cstddef>
#include <iostream>
#include <vector>

/// Names that the C++ fragments of README.md and docs use without declaring them. Fragments are
/// compiled, never run, so nothing here is defined.
namespace snippets {

// Particles.
extern std::vector<double> x, y, z, r;
extern double* xyz;  // rows of three coordinates
extern std::size_t n;
extern abut::Spheres3 spheres;
extern std::vector<int> degree;
extern abut::Index a;
void move(abut::Spheres3& particles);

// Domains and walls.
extern abut::Box<3> box;
extern abut::Mesh3 mesh;
extern double angle;

// Polygons.
extern std::vector<abut::Point<2>> outline;
extern std::vector<abut::RigidTransform<2>> transforms;
extern abut::PolygonView polygon_a, polygon_b;

/// Stands for what the reader does with a result.
template <class Result>
void use(const Result& result);

}  // namespace snippets
