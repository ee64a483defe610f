#pragma once

#include <string>

#include "cli/dem_turn.hpp"
#include "cli/settled_box.hpp"

namespace abut {

[[nodiscard]] bool has_yade();

/// The box and a script for YADE, files in `folder` that begin with `name`. Returns their path
/// without what tells them apart.
[[nodiscard]] std::string write_yade(const std::string& folder, const std::string& name,
                                     const SettledBox& box);

/// YADE on one core, with the law of Cundall and Strack: its stiffness grows with the radius and
/// meets ours in the middle of the sizes; it has no dashpots. So its energies are not ours.
class Yade : public DemProgram {
 public:
  explicit Yade(std::string files) : files_(std::move(files)) {}

  [[nodiscard]] DemTurn run(std::size_t steps) const override;

 private:
  std::string files_;
};

}  // namespace abut
