#pragma once

#include <gtest/gtest.h>

#include <string>

namespace abut::testing {

/// A case file: a few particles fall into a pipe whose floor opens.
inline const std::string box_case = R"(title = "a box"
gravity = [0, 0, -10]

[time]
end = 0.6
step = 2e-4

[[material]]
name = "grain"
density = 1000

[[contact]]
stiffness = 1e4
restitution = 0.5
friction = 0.4

[[wall]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
open_time = 0.4

[[wall]]
name = "pipe"
shape = "cylinder"
from = [0, 0, -1]
to = [0, 0, 2]
radius = 0.3

[[insertion]]
count = 60
radius = [0.04, 0.05]
region = { from = [0, 0, 0.5], to = [0, 0, 0.9], radius = 0.28 }
interval = 0.02
batch_size = 10

[[sink]]
name = "below"
min = [-1, -1, -9]
max = [1, 1, -0.3]

[output]
frame_interval = 0.1
probe_interval = 0.02
checkpoint_interval = 0.01
)";

/// `text` with the first occurrence of `from` replaced, which must exist.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

}  // namespace abut::testing
