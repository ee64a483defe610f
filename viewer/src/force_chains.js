import vtkStickMapper from '@kitware/vtk.js/Rendering/Core/StickMapper';
import { colorUniform, colorValues } from './colors.js';
import { rangeOf } from './fields.js';
import { addArray, makeActor, pointData, setColors } from './vtk_helpers.js';

/** Draws contacts as cylinders whose thickness and color grow with the contact force. */
export class ForceChains {
  #mapper = vtkStickMapper.newInstance({ scaleArray: 'stick', orientationArray: 'direction' });
  #actor;

  constructor(renderer, clip) {
    clip.applyToSticks(this.#mapper);
    this.#actor = makeActor(this.#mapper, { ambient: 0.35, diffuse: 0.7 });
    this.#actor.setVisibility(false);
    renderer.addActor(this.#actor);
  }

  hide() {
    this.#actor.setVisibility(false);
  }

  /**
   * `range`: force magnitudes between which colors vary; `radius`: a typical particle radius, which
   * scales the thickness; `lift`: offset along z that puts the chains in front of disks in 2D.
   */
  draw(contacts, range, radius, lift) {
    const count = contacts.ends.length / 6;
    if (count === 0) return this.hide();
    const magnitudes = forceMagnitudes(contacts);
    const center = new Float32Array(3 * count);
    const direction = new Float32Array(3 * count);
    const stick = new Float32Array(2 * count); // length and radius
    const high = range[1] > 0 ? range[1] : 1;
    for (let i = 0; i < count; ++i) {
      const end = contacts.ends.subarray(6 * i, 6 * i + 6);
      const span = [end[3] - end[0], end[4] - end[1], end[5] - end[2]];
      const length = Math.hypot(...span) || 1e-30;
      for (let k = 0; k < 3; ++k) {
        center[3 * i + k] = (end[k] + end[k + 3]) / 2 + (k === 2 ? lift : 0);
        direction[3 * i + k] = span[k] / length;
      }
      const thickness = magnitudes ? Math.sqrt(Math.max(0, Math.min(1, magnitudes[i] / high))) : 0.45;
      stick[2 * i] = length;
      stick[2 * i + 1] = radius * (0.03 + 0.27 * thickness);
    }
    const data = pointData(center);
    addArray(data, 'direction', direction, 3);
    addArray(data, 'stick', stick, 2);
    setColors(data, magnitudes ? colorValues(magnitudes, range, true) : colorUniform(count, [70, 74, 82]));
    this.#mapper.setInputData(data);
    this.#actor.setVisibility(true);
  }
}

/** The force magnitude of each contact, or null if the file has no forces. */
export function forceMagnitudes(contacts) {
  const field = contacts.fields.get('force_magnitude') ?? contacts.fields.get('force');
  if (!field) return null;
  if (field.components === 1) return field.values.map(Math.abs);
  const out = new Float32Array(field.count);
  for (let i = 0; i < out.length; ++i)
    out[i] = Math.hypot(...field.values.subarray(3 * i, 3 * i + 3));
  return out;
}

/** From 0 to the 99.5th percentile, so that a few large forces do not make all others pale. */
export function forceRange(contacts) {
  const magnitudes = forceMagnitudes(contacts);
  if (!magnitudes || magnitudes.length === 0) return null;
  const sorted = Float32Array.from(magnitudes).sort();
  const high = sorted[Math.floor((sorted.length - 1) * 0.995)];
  return [0, high > 0 ? high : rangeOf(magnitudes)[1] || 1];
}
