#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace abut {

using Points = std::vector<std::array<double, 2>>;

/// y = slope·x + offset, by least squares, and how much of the variance of y it explains.
struct FittedLine {
  double slope;
  double offset;
  double r_squared;
};
FittedLine fitted_line(const Points& points);

/// Where between two values an error with one minimum is least.
double minimize(double low, double high, const std::function<double(double)>& error);

/// The p of the power law y ∝ x^p that fits best, by least squares of the logarithms.
double exponent_of(const Points& points);

/// The largest over the smallest; 1 is flat.
double spread_of(std::span<const double> values);

/// Up to `good` a claim holds, up to `fair` partly.
Verdict at_most(double value, double good, double fair);

/// Whether a number is where it should be, ends included; no number is nowhere.
Verdict within(double value, double low, double high);

/// The same as a claim: "K is between 0.3 and 0.6".
Finding between(const std::string& name, double value, double low, double high);

/// Time in proportion to the number: an exponent within 0.1 of one, partly within 0.2.
Verdict linear(double exponent);

/// The worse of the two.
Verdict worse_of(Verdict one, Verdict other);

/// Whether ratios are above one: all of them, most of them, or not.
Verdict above_one(const std::vector<double>& ratios);

/// "1.21 to 1.48", or a single number where both are the same.
std::string range_text(const std::vector<double>& values);

}  // namespace abut
