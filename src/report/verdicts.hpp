#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace abut {

using Points = std::vector<std::array<double, 2>>;

/// Least-squares line y = slope·x + offset and its coefficient of determination R².
struct FittedLine {
  double slope;
  double offset;
  double r_squared;
};
FittedLine fitted_line(const Points& points);

/// The argument between `low` and `high` that minimizes a unimodal error (golden-section search).
double minimize(double low, double high, const std::function<double(double)>& error);

/// Exponent p of the power law y ∝ x^p, fitted by least squares of the logarithms.
double exponent_of(const Points& points);

/// Ratio of the largest to the smallest value; 1 if all are equal.
double spread_of(std::span<const double> values);

/// Holds up to `good`, partly holds up to `fair`.
Verdict at_most(double value, double good, double fair);

/// Holds if low ≤ value ≤ high; NaN does not hold.
Verdict within(double value, double low, double high);

/// A finding with the claim "K is between 0.3 and 0.6", judged by `within`.
Finding between(const std::string& name, double value, double low, double high);

/// Linear scaling: holds for an exponent within 0.1 of 1, partly holds within 0.2.
Verdict linear(double exponent);

/// The worse of the two verdicts.
Verdict worse_of(Verdict a, Verdict b);

/// Holds if all ratios exceed 1, partly holds if their median does.
Verdict above_one(const std::vector<double>& ratios);

/// "1.21 to 1.48", or one number if both round to the same.
std::string range_text(const std::vector<double>& values);

}  // namespace abut
