#pragma once

#include <string>
#include <vector>

namespace abut {

/// The values marked on an axis; the first and the last are its ends.
std::vector<double> logarithmic_ticks(double low, double high);

/// The same from zero.
std::vector<double> linear_ticks(double high);

/// 200, 0.5, but 10⁴ and 2·10⁶ where zeros would have to be counted.
std::string tick_text(double value);

}  // namespace abut
