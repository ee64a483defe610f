// Fields by which particles can be colored: fields of the file, vector components, position and id.

const fieldUnits = {
  speed: 'm/s',
  velocity: 'm/s',
  angular_velocity: 'rad/s',
  radius: 'm',
  position: 'm',
  x: 'm',
  y: 'm',
  z: 'm',
  force: 'N',
  force_magnitude: 'N',
  overlap: 'm',
  mass: 'kg',
};
const probeUnits = {
  time: 's',
  mass: 'kg',
  removed_mass: 'kg',
  discharge_rate: 'kg/s',
  max_overlap: 'm',
  kinetic: 'J',
  rotational: 'J',
  potential: 'J',
  elastic: 'J',
  dissipated: 'J',
  input: 'J',
};
const categoryFields = new Set(['material', 'fixed', 'body', 'cluster']);
const axes = ['x', 'y', 'z'];

// 'SI' or 'none', as the server describes the dataset. Runs are in SI units unless their case sets
// units = "none"; other files have unknown units.
let unitSystem = 'none';

export const setUnits = (system) => {
  unitSystem = system;
};

const inSI = (unit) => (unitSystem === 'SI' ? (unit ?? '') : '');

/** The unit of a field or of one of its components ("velocity x"); empty if it has none. */
export const fieldUnit = (name) => inSI(fieldUnits[name.split(' ')[0]]);

/** The unit of a column of probes.csv. */
export function probeUnit(name) {
  if (/^force_.*_[xyz]$/.test(name)) return inSI('N');
  if (/^sink_.*_mass$/.test(name)) return inSI('kg');
  return inSI(probeUnits[name]);
}

export const withUnit = (text, unit) => (unit ? `${text} ${unit}` : text);

export const isCategory = (name) => categoryFields.has(name);

/** Names of all fields of the frame, the most useful ones first. */
export function fieldNames(frame) {
  if (frame.blocks.id.length > 0 && frame.id.length === 0)
    return ['coordination_number', 'id', 'uniform'];
  const names = [];
  for (const [name, { components }] of frame.fields) {
    names.push(name);
    if (components === 3) names.push(...axes.map((axis) => `${name} ${axis}`));
  }
  const builtIn = ['radius', ...axes.slice(0, frame.dimension), 'id', 'uniform'];
  const all = [...names, ...builtIn.filter((name) => !names.includes(name))];
  const rank = (name) => {
    const position = ['speed', 'coordination_number', 'radius'].indexOf(name);
    return position < 0 ? 3 : position;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

/** Component `axis` of a vector field, its magnitude if `axis` is negative, or the scalar itself. */
function component({ values, components }, axis) {
  const count = values.length / components;
  if (components === 1) return values;
  const out = new Float32Array(count);
  for (let i = 0; i < count; ++i)
    out[i] = axis < 0 ? Math.hypot(...values.subarray(3 * i, 3 * i + 3)) : values[3 * i + axis];
  return out;
}

/** One value per particle, or null if the frame has no such field. */
export function fieldValues(frame, name) {
  if (frame.fields.has(name)) return component(frame.fields.get(name), -1);
  if (name === 'radius') return frame.radius;
  if (name === 'id') return frame.id;
  if (axes.includes(name)) return component({ values: frame.position, components: 3 }, axes.indexOf(name));
  const [base, axis] = [name.slice(0, -2), axes.indexOf(name.at(-1))];
  if (name.at(-2) === ' ' && frame.fields.has(base)) return component(frame.fields.get(base), axis);
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

/** Formats a number with at most `digits` significant digits. */
export function formatNumber(value, digits = 4) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const rounded = Number(value.toPrecision(digits));
  const magnitude = Math.abs(rounded);
  return magnitude !== 0 && (magnitude >= 1e6 || magnitude < 1e-3) ? rounded.toExponential() : String(rounded);
}
