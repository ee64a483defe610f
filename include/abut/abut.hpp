#pragma once

/// The whole public API, except <abut/research/…>, which only comparisons with papers need.

#include <abut/blocks.hpp>
#include <abut/box.hpp>
#include <abut/case.hpp>
#include <abut/common_plane.hpp>
#include <abut/detector.hpp>
#include <abut/detector_options.hpp>
#include <abut/error.hpp>
#include <abut/index.hpp>
#include <abut/insertion.hpp>
#include <abut/mesh.hpp>
#include <abut/pair.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <abut/rigid_transform.hpp>
#include <abut/shapes.hpp>
#include <abut/simulation.hpp>
#include <abut/spheres.hpp>
#include <abut/version.hpp>
#include <abut/walls.hpp>
