#pragma once

namespace abut {

/// A vector and a number that is used with it, in one load: place and radius, velocity and inverse
/// mass, spin and inverse moment of inertia. A contact needs those of two particles that are
/// anywhere in memory; one array for each coordinate would mean four misses in place of one.
struct alignas(32) Record {
  double x = 0;
  double y = 0;
  double z = 0;
  double w = 0;
};

}  // namespace abut
