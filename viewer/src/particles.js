import vtkSphereMapper from '@kitware/vtk.js/Rendering/Core/SphereMapper';
import { addArray, makeActor, makeTransparent, pointData, setColors } from './vtk_helpers.js';

/** Draws spheres as impostors: one triangle per sphere and one draw call for all of them. */
export class Particles {
  #mapper = vtkSphereMapper.newInstance({ scaleArray: 'radius' });
  #actor;
  #indices = []; // of the drawn particles, in the frame
  size = 1; // displayed radius / radius

  constructor({ renderer, context }, clip, opacity = 1) {
    clip.applyToSpheres(this.#mapper);
    this.#actor = makeActor(this.#mapper, { ambient: 0.32, diffuse: 0.72 });
    if (opacity < 1) makeTransparent(this.#actor, opacity, context);
    this.#actor.setVisibility(false);
    renderer.addActor(this.#actor);
  }

  /** Draws the particles for which `isIncluded(index)` holds; `colors` has three bytes per particle of the frame. */
  draw(frame, isIncluded, colors) {
    const indices = [];
    for (let i = 0; i < frame.id.length; ++i) if (isIncluded(i)) indices.push(i);
    this.#indices = indices;
    const isAll = indices.length === frame.id.length;
    const data = pointData(isAll ? frame.position : gather(frame.position, indices, 3));
    addArray(data, 'radius', isAll ? frame.radius : gather(frame.radius, indices, 1), 1);
    setColors(data, isAll ? colors : gather(colors, indices, 3));
    this.#mapper.setInputData(data);
    this.#actor.setVisibility(indices.length > 0);
  }

  hide() {
    this.#indices = [];
    this.#actor.setVisibility(false);
  }

  setSize(size) {
    this.size = size;
    this.#mapper.setScaleFactor(size);
  }

  /** The first particle that the segment from `from` to `to` hits: its index in the frame and the segment parameter. */
  hit(frame, from, to, clip) {
    const direction = to.map((t, k) => t - from[k]);
    const square = direction.reduce((sum, d) => sum + d * d, 0);
    const [begin, end] = clip.visibleRange(from, to);
    let best = { index: -1, parameter: Infinity };
    for (const i of this.#indices) {
      const radius = frame.radius[i] * this.size;
      const x = from[0] - frame.position[3 * i];
      const y = from[1] - frame.position[3 * i + 1];
      const z = from[2] - frame.position[3 * i + 2];
      const half = x * direction[0] + y * direction[1] + z * direction[2];
      const discriminant = half * half - square * (x * x + y * y + z * z - radius * radius);
      if (discriminant < 0) continue;
      const enter = Math.max(begin, (-half - Math.sqrt(discriminant)) / square);
      const leave = Math.min(end, (-half + Math.sqrt(discriminant)) / square);
      if (enter <= leave && enter < best.parameter) best = { index: i, parameter: enter };
    }
    return best;
  }
}

function gather(values, indices, components) {
  const out = new values.constructor(indices.length * components);
  for (let i = 0; i < indices.length; ++i)
    for (let k = 0; k < components; ++k) out[components * i + k] = values[components * indices[i] + k];
  return out;
}
