import vtkSphereMapper from '@kitware/vtk.js/Rendering/Core/SphereMapper';
import { actorOf, addArray, pointData, seeThrough, setColours } from './shapes.js';

/** Spheres as impostors: however many they are, one triangle each and one draw call for all. */
export class Particles {
  #mapper = vtkSphereMapper.newInstance({ scaleArray: 'radius' });
  #actor;
  #which = []; // numbers in the frame, or all
  size = 1;

  constructor({ renderer, context }, cut, opacity = 1) {
    cut.applyToSpheres(this.#mapper);
    this.#actor = actorOf(this.#mapper, { ambient: 0.32, diffuse: 0.72 });
    if (opacity < 1) seeThrough(this.#actor, opacity, context);
    this.#actor.setVisibility(false);
    renderer.addActor(this.#actor);
  }

  /** Those of the frame for which `belongs` holds, with three bytes of colour for each of the frame. */
  show(frame, belongs, colours) {
    const which = [];
    for (let i = 0; i < frame.id.length; ++i) if (belongs(i)) which.push(i);
    this.#which = which;
    const isAll = which.length === frame.id.length;
    const data = pointData(isAll ? frame.place : chosen(frame.place, which, 3));
    addArray(data, 'radius', isAll ? frame.radius : chosen(frame.radius, which, 1), 1);
    setColours(data, isAll ? colours : chosen(colours, which, 3));
    this.#mapper.setInputData(data);
    this.#actor.setVisibility(which.length > 0);
  }

  hide() {
    this.#which = [];
    this.#actor.setVisibility(false);
  }

  setSize(size) {
    this.size = size;
    this.#mapper.setScaleFactor(size);
  }

  /** The number in the frame of the first one on the way, and how far along it is. */
  hit(frame, from, to, cut) {
    const direction = to.map((t, k) => t - from[k]);
    const square = direction.reduce((sum, d) => sum + d * d, 0);
    const [begin, end] = cut.remaining(from, to);
    let best = { number: -1, way: Infinity };
    for (const i of this.#which) {
      const radius = frame.radius[i] * this.size;
      const x = from[0] - frame.place[3 * i];
      const y = from[1] - frame.place[3 * i + 1];
      const z = from[2] - frame.place[3 * i + 2];
      const half = x * direction[0] + y * direction[1] + z * direction[2];
      const root = half * half - square * (x * x + y * y + z * z - radius * radius);
      if (root < 0) continue;
      const enters = Math.max(begin, (-half - Math.sqrt(root)) / square);
      const leaves = Math.min(end, (-half + Math.sqrt(root)) / square);
      if (enters <= leaves && enters < best.way) best = { number: i, way: enters };
    }
    return best;
  }
}

function chosen(values, which, components) {
  const out = new values.constructor(which.length * components);
  for (let i = 0; i < which.length; ++i)
    for (let k = 0; k < components; ++k) out[components * i + k] = values[components * which[i] + k];
  return out;
}
