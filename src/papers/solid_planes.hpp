#pragma once

#include "papers/measure.hpp"
#include "papers/paper.hpp"

namespace abut {

/// Table 1 in space: Cundall's plane and ours between polyhedra. Part of the paper on the common
/// plane, which announces it.
Figure table_of_solids(bool quick, Meter& meter);

/// How much work that is.
double work_of_solids(bool quick);

}  // namespace abut
