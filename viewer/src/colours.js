// From numbers to colours: a scale for quantities that is even to the eye and safe for the
// colour-blind (dark blue over green to yellow), one for forces from pale to dark red, and distinct
// hues for kinds.

const cool = [
  [0x35, 0x1c, 0x75],
  [0x2f, 0x4b, 0x9b],
  [0x1f, 0x74, 0xa6],
  [0x1f, 0x97, 0x9b],
  [0x3c, 0xb5, 0x7f],
  [0x86, 0xcc, 0x5c],
  [0xd2, 0xdc, 0x4b],
  [0xfd, 0xee, 0x6c],
];

const warm = [
  [0xc9, 0xcd, 0xd4],
  [0xee, 0xbb, 0x85],
  [0xe0, 0x7b, 0x39],
  [0xb5, 0x2f, 0x1f],
  [0x6a, 0x12, 0x1d],
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

function tableOf(stops) {
  const table = new Uint8Array(3 * steps);
  for (let i = 0; i < steps; ++i) {
    const at = (i / (steps - 1)) * (stops.length - 1);
    const left = Math.min(Math.floor(at), stops.length - 2);
    for (let c = 0; c < 3; ++c)
      table[3 * i + c] = Math.round(
        stops[left][c] + (at - left) * (stops[left + 1][c] - stops[left][c]),
      );
  }
  return table;
}

const tables = { cool: tableOf(cool), warm: tableOf(warm) };

export const kindColour = (value) => kinds[((Math.round(value) % 8) + 8) % 8];

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

export const gradient = (isWarm) =>
  `linear-gradient(to right, ${(isWarm ? warm : cool).map((stop) => css(stop)).join(', ')})`;

function coloured(values, colourOf) {
  const colours = new Uint8Array(3 * values.length);
  for (let i = 0; i < values.length; ++i)
    colours.set(Number.isNaN(values[i]) ? unknown : colourOf(values[i]), 3 * i);
  return colours;
}

/** Three bytes for each value. */
export const colourKinds = (values) => coloured(values, kindColour);

export function colourAll(values, [low, high], isWarm = false) {
  const table = isWarm ? tables.warm : tables.cool;
  const scale = high > low ? (steps - 1) / (high - low) : 0;
  return coloured(values, (value) => {
    const at = 3 * Math.max(0, Math.min(steps - 1, Math.round((value - low) * scale)));
    return table.subarray(at, at + 3);
  });
}

/** One colour for so many. */
export const colourAlike = (count, colour) => coloured({ length: count }, () => colour);
