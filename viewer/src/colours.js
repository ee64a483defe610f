// From numbers to colours: a scale for quantities that is even to the eye and safe for the
// colour-blind (dark blue over green to yellow), and one of distinct hues for kinds.

const stops = [
  [0x35, 0x1c, 0x75],
  [0x2f, 0x4b, 0x9b],
  [0x1f, 0x74, 0xa6],
  [0x1f, 0x97, 0x9b],
  [0x3c, 0xb5, 0x7f],
  [0x86, 0xcc, 0x5c],
  [0xd2, 0xdc, 0x4b],
  [0xfd, 0xee, 0x6c],
];

const kinds = [
  [0x4c, 0x78, 0xa8],
  [0xe4, 0x9a, 0x3c],
  [0x54, 0xa2, 0x4b],
  [0xc8, 0x55, 0x5a],
  [0x8e, 0x6b, 0xb0],
  [0x9c, 0x75, 0x5f],
  [0xd6, 0x7f, 0xb3],
  [0x7f, 0x7f, 0x7f],
];

export const unknown = [0xa8, 0xad, 0xb5];
export const accent = [0xff, 0x4f, 0x2e];
export const plain = [0x7b, 0x9c, 0xc2];

const steps = 256;
const table = new Uint8Array(3 * steps);
for (let i = 0; i < steps; ++i) {
  const at = (i / (steps - 1)) * (stops.length - 1);
  const left = Math.min(Math.floor(at), stops.length - 2);
  for (let c = 0; c < 3; ++c)
    table[3 * i + c] = Math.round(
      stops[left][c] + (at - left) * (stops[left + 1][c] - stops[left][c]),
    );
}

export const kindColour = (value) => kinds[((Math.round(value) % 8) + 8) % 8];

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

export const gradient = () =>
  `linear-gradient(to right, ${stops.map((stop) => css(stop)).join(', ')})`;

/** Three bytes for each value. */
export function colourAll(values, [low, high], isKind) {
  const colours = new Uint8Array(3 * values.length);
  const scale = high > low ? (steps - 1) / (high - low) : 0;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i];
    if (Number.isNaN(value)) colours.set(unknown, 3 * i);
    else if (isKind) colours.set(kindColour(value), 3 * i);
    else {
      const at = 3 * Math.max(0, Math.min(steps - 1, Math.round((value - low) * scale)));
      colours[3 * i] = table[at];
      colours[3 * i + 1] = table[at + 1];
      colours[3 * i + 2] = table[at + 2];
    }
  }
  return colours;
}
