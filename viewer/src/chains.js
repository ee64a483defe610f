import vtkStickMapper from '@kitware/vtk.js/Rendering/Core/StickMapper';
import { colourAlike, colourAll } from './colours.js';
import { rangeOf } from './fields.js';
import { actorOf, addArray, pointData, setColours } from './shapes.js';

/** Contacts as sticks, the thicker the larger the force. */
export class Chains {
  #mapper = vtkStickMapper.newInstance({ scaleArray: 'stick', orientationArray: 'direction' });
  #actor;

  constructor(renderer, cut) {
    cut.applyToSticks(this.#mapper);
    this.#actor = actorOf(this.#mapper, { ambient: 0.35, diffuse: 0.7 });
    this.#actor.setVisibility(false);
    renderer.addActor(this.#actor);
  }

  hide() {
    this.#actor.setVisibility(false);
  }

  /** `radius`: of a typical particle; `lift`: above the discs, so that they do not hide them. */
  show(contacts, range, radius, lift) {
    const count = contacts.ends.length / 6;
    if (count === 0) return this.hide();
    const sizes = strengths(contacts);
    const middle = new Float32Array(3 * count);
    const direction = new Float32Array(3 * count);
    const stick = new Float32Array(2 * count);
    const high = range[1] > 0 ? range[1] : 1;
    for (let i = 0; i < count; ++i) {
      const end = contacts.ends.subarray(6 * i, 6 * i + 6);
      const across = [end[3] - end[0], end[4] - end[1], end[5] - end[2]];
      const length = Math.hypot(...across) || 1e-30;
      for (let k = 0; k < 3; ++k) {
        middle[3 * i + k] = (end[k] + end[k + 3]) / 2 + (k === 2 ? lift : 0);
        direction[3 * i + k] = across[k] / length;
      }
      const share = sizes ? Math.sqrt(Math.max(0, Math.min(1, sizes[i] / high))) : 0.45;
      stick[2 * i] = length;
      stick[2 * i + 1] = radius * (0.03 + 0.27 * share);
    }
    const data = pointData(middle);
    addArray(data, 'direction', direction, 3);
    addArray(data, 'stick', stick, 2);
    setColours(data, sizes ? colourAll(sizes, range, true) : colourAlike(count, [70, 74, 82]));
    this.#mapper.setInputData(data);
    this.#actor.setVisibility(true);
  }
}

/** The size of the force of each contact, if the file has it. */
export function strengths(contacts) {
  const field = contacts.fields.get('size') ?? contacts.fields.get('force');
  if (!field) return null;
  if (field.components === 1) return field.values.map(Math.abs);
  const out = new Float32Array(field.count);
  for (let i = 0; i < out.length; ++i)
    out[i] = Math.hypot(...field.values.subarray(3 * i, 3 * i + 3));
  return out;
}

/** From nothing to the largest but a few: one blow must not make all the others pale. */
export function strengthRange(contacts) {
  const sizes = strengths(contacts);
  if (!sizes || sizes.length === 0) return null;
  const sorted = Float32Array.from(sizes).sort();
  const high = sorted[Math.floor((sorted.length - 1) * 0.995)];
  return [0, high > 0 ? high : rangeOf(sizes)[1] || 1];
}
