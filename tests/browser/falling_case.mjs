import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a case of 40 spheres falling onto a floor, with a frame every 0.05 s; returns its path. */
export function writeCase(path, { end = 0.5, startTime = 0 } = {}) {
  const file = join(path, 'falling.toml');
  writeFileSync(
    file,
    `title = "Falling spheres"
gravity = [0, 0, -9.81]
[time]
end = ${end}
step = 1e-4
[[material]]
name = "grain"
density = 1000
[[contact]]
materials = ["grain", "grain"]
stiffness = 1e5
restitution = 0.3
[[wall]]
name = "floor"
material = "grain"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[insertion]]
name = "spheres"
material = "grain"
count = 40
radius = [0.2, 0.3]
start_time = ${startTime}
region = { min = [-1, -1, 0], max = [1, 1, 3] }
[domain]
min = [-9, -9, -1]
max = [9, 9, 9]
[output]
frame_interval = 0.05
probe_interval = 0.01
`,
  );
  return file;
}
