// Color maps: a perceptually uniform sequential map for scalar fields that is safe for color-blind
// readers (dark blue, green, yellow), one for contact forces (pale gray to dark red), and distinct
// hues for categories such as materials.

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

const categories = [
  [0x4c, 0x78, 0xa8],
  [0xe4, 0x9a, 0x3c],
  [0x54, 0xa2, 0x4b],
  [0xc8, 0x55, 0x5a],
  [0x8e, 0x6b, 0xb0],
  [0x9c, 0x75, 0x5f],
  [0xd6, 0x7f, 0xb3],
  [0x7f, 0x7f, 0x7f],
];

export const unknownColor = [0xa8, 0xad, 0xb5];
export const selectionColor = [0xff, 0x4f, 0x2e];
export const uniformColor = [0x7b, 0x9c, 0xc2];

const tableSize = 256;

function buildTable(stops) {
  const table = new Uint8Array(3 * tableSize);
  for (let i = 0; i < tableSize; ++i) {
    const position = (i / (tableSize - 1)) * (stops.length - 1);
    const left = Math.min(Math.floor(position), stops.length - 2);
    for (let c = 0; c < 3; ++c)
      table[3 * i + c] = Math.round(
        stops[left][c] + (position - left) * (stops[left + 1][c] - stops[left][c]),
      );
  }
  return table;
}

const tables = { cool: buildTable(cool), warm: buildTable(warm) };

export const categoryColor = (value) => categories[((Math.round(value) % 8) + 8) % 8];

export const css = ([r, g, b]) => `rgb(${r},${g},${b})`;

export const gradient = (isWarm) =>
  `linear-gradient(to right, ${(isWarm ? warm : cool).map((stop) => css(stop)).join(', ')})`;

function mapColors(values, colorOf) {
  const colors = new Uint8Array(3 * values.length);
  for (let i = 0; i < values.length; ++i)
    colors.set(Number.isNaN(values[i]) ? unknownColor : colorOf(values[i]), 3 * i);
  return colors;
}

// Each of the following functions returns three bytes per value.

export const colorCategories = (values) => mapColors(values, categoryColor);

export function colorValues(values, [low, high], isWarm = false) {
  const table = isWarm ? tables.warm : tables.cool;
  const scale = high > low ? (tableSize - 1) / (high - low) : 0;
  return mapColors(values, (value) => {
    const offset = 3 * Math.max(0, Math.min(tableSize - 1, Math.round((value - low) * scale)));
    return table.subarray(offset, offset + 3);
  });
}

export const colorUniform = (count, color) => mapColors({ length: count }, () => color);
