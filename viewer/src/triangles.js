/** The triangles of a polygon without holes, by cutting off its ears; indices into `corners`. */
export function trianglesOf(corners, begin, end) {
  const left = [];
  for (let i = begin; i < end; ++i) left.push(i);
  if (area(corners, left) < 0) left.reverse();
  const out = [];
  while (left.length > 3) {
    const ear = findEar(corners, left);
    const [before, after] = neighbours(left, ear);
    out.push(before, left[ear], after);
    left.splice(ear, 1);
  }
  if (left.length === 3) out.push(...left);
  return out;
}

function area(corners, loop) {
  let twice = 0;
  for (let i = 0; i < loop.length; ++i) {
    const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
    twice += corners[3 * a] * corners[3 * b + 1] - corners[3 * b] * corners[3 * a + 1];
  }
  return twice / 2;
}

const neighbours = (loop, i) => [
  loop[(i + loop.length - 1) % loop.length],
  loop[(i + 1) % loop.length],
];

export function side(corners, a, b, x, y) {
  return (
    (corners[3 * b] - corners[3 * a]) * (y - corners[3 * a + 1]) -
    (corners[3 * b + 1] - corners[3 * a + 1]) * (x - corners[3 * a])
  );
}

function findEar(corners, loop) {
  for (let i = 0; i < loop.length; ++i) {
    const [a, c] = neighbours(loop, i);
    const b = loop[i];
    if (side(corners, a, b, corners[3 * c], corners[3 * c + 1]) <= 0) continue;
    const holds = (p) => {
      const [x, y] = [corners[3 * p], corners[3 * p + 1]];
      return (
        p !== a && p !== b && p !== c &&
        side(corners, a, b, x, y) > 0 && side(corners, b, c, x, y) > 0 && side(corners, c, a, x, y) > 0
      );
    };
    if (!loop.some(holds)) return i;
  }
  return 0; // rounding left none: any will do
}
