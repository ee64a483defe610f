// What particles can be coloured by: fields of the file, parts of vectors, places and ids.

const units = {
  speed: 'm/s',
  velocity: 'm/s',
  spin: '1/s',
  radius: 'm',
  x: 'm',
  y: 'm',
  z: 'm',
  force: 'N',
  overlap: 'm',
  mass: 'kg',
};
const kinds = new Set(['material', 'fixed', 'body', 'cluster']);
const axes = ['x', 'y', 'z'];

/** A run of `abut run` moves and is in SI units; other files do not say. */
export const unitOf = (name, frame) =>
  frame.fields.has('velocity') || frame.fields.has('speed') ? (units[name.split(' ')[0]] ?? '') : '';

export const isKind = (name) => kinds.has(name);

/** Names for the list, the most telling ones first. */
export function choices(frame) {
  if (frame.blocks.id.length > 0 && frame.id.length === 0) return ['contacts', 'id', 'nothing'];
  const names = [];
  for (const [name, { components }] of frame.fields) {
    names.push(name);
    if (components === 3) names.push(...axes.map((axis) => `${name} ${axis}`));
  }
  const own = ['radius', ...axes.slice(0, frame.dimension), 'id', 'nothing'];
  const all = [...names, ...own.filter((name) => !names.includes(name))];
  const rank = (name) => {
    const at = ['speed', 'contacts', 'radius'].indexOf(name);
    return at < 0 ? 3 : at;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

function part({ values, components }, axis) {
  const count = values.length / components;
  if (components === 1) return values;
  const out = new Float32Array(count);
  for (let i = 0; i < count; ++i)
    out[i] = axis < 0 ? Math.hypot(...values.subarray(3 * i, 3 * i + 3)) : values[3 * i + axis];
  return out;
}

/** A number for each particle, or nothing. */
export function valuesOf(frame, name) {
  if (frame.fields.has(name)) return part(frame.fields.get(name), -1);
  if (name === 'radius') return frame.radius;
  if (name === 'id') return frame.id;
  if (axes.includes(name)) return part({ values: frame.place, components: 3 }, axes.indexOf(name));
  const [base, axis] = [name.slice(0, -2), axes.indexOf(name.at(-1))];
  if (name.at(-2) === ' ' && frame.fields.has(base)) return part(frame.fields.get(base), axis);
  return null;
}

export function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** As short as it can be said. */
export function written(value, digits = 4) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const text = Number(value.toPrecision(digits));
  const size = Math.abs(text);
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? text.toExponential() : String(text);
}
