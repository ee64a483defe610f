#pragma once

#include <abut/box.hpp>
#include <abut/common_plane.hpp>
#include <abut/cundall.hpp>
#include <abut/detector.hpp>
#include <abut/error.hpp>
#include <abut/mesh.hpp>
#include <abut/method.hpp>
#include <abut/options.hpp>
#include <abut/pair.hpp>
#include <abut/placement.hpp>
#include <abut/polygon.hpp>
#include <abut/polyhedron.hpp>
#include <abut/release.hpp>
#include <abut/shapes.hpp>
#include <abut/spheres.hpp>
#include <abut/walls.hpp>
