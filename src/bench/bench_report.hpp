#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "report/report.hpp"

namespace abut {

/// For people: aligned columns. Columns nobody has measured anything for are left out.
std::string bench_table(std::span<const Measurement> all);
std::string bench_csv(std::span<const Measurement> all);
std::string bench_json(std::span<const Measurement> all);

/// For documents: one table for each number of particles, dimension and number of threads, with a
/// row for each method and a column for each scene; where nanoflann was measured, how many times
/// as fast each was.
std::string bench_markdown(std::span<const Measurement> all);

/// ns per particle against particles: a line for each scene, dimension, method and threads.
std::string bench_plot(std::span<const Measurement> all);

/// For a page: a section for each scene and dimension.
std::vector<Report::Section> bench_sections(std::span<const Measurement> all);

}  // namespace abut
