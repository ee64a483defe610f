#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "report/report.hpp"

namespace abut {

// Each function formats the results of `abut bench`, in the order they were measured.

/// Aligned columns for the terminal. Optional columns without any value are omitted, as in CSV and
/// JSON.
std::string bench_table(std::span<const Measurement> all);
std::string bench_csv(std::span<const Measurement> all);
std::string bench_json(std::span<const Measurement> all);

/// Markdown: one table for each number of particles, dimension and number of threads, with a row
/// for each method and a column for each scene. Cells are ns/particle, followed by the speed
/// relative to nanoflann if that was measured.
std::string bench_markdown(std::span<const Measurement> all);

/// SVG plot of ns/particle over the number of particles: one line for each combination of scene,
/// dimension, method and number of threads.
std::string bench_plot(std::span<const Measurement> all);

/// Sections of an HTML page: one for each scene and dimension.
std::vector<Report::Section> bench_sections(std::span<const Measurement> all);

}  // namespace abut
