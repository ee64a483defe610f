/**
 * Triangulates the simple polygon with vertices `begin` … `end` − 1 by ear clipping, in O(n³) time;
 * returns indices of vertices.
 */
export function triangulate(vertices, begin, end) {
  const remaining = [];
  for (let i = begin; i < end; ++i) remaining.push(i);
  if (signedArea(vertices, remaining) < 0) remaining.reverse();
  const out = [];
  while (remaining.length > 3) {
    const ear = findEar(vertices, remaining);
    const [previous, next] = neighbors(remaining, ear);
    out.push(previous, remaining[ear], next);
    remaining.splice(ear, 1);
  }
  if (remaining.length === 3) out.push(...remaining);
  return out;
}

function signedArea(vertices, loop) {
  let twice = 0;
  for (let i = 0; i < loop.length; ++i) {
    const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
    twice += vertices[3 * a] * vertices[3 * b + 1] - vertices[3 * b] * vertices[3 * a + 1];
  }
  return twice / 2;
}

const neighbors = (loop, i) => [
  loop[(i + loop.length - 1) % loop.length],
  loop[(i + 1) % loop.length],
];

/** Twice the signed area of (a, b, (x, y)): positive if the point is left of the edge from a to b. */
function orientation(vertices, a, b, x, y) {
  return (
    (vertices[3 * b] - vertices[3 * a]) * (y - vertices[3 * a + 1]) -
    (vertices[3 * b + 1] - vertices[3 * a + 1]) * (x - vertices[3 * a])
  );
}

function findEar(vertices, loop) {
  for (let i = 0; i < loop.length; ++i) {
    const [a, c] = neighbors(loop, i);
    const b = loop[i];
    if (orientation(vertices, a, b, vertices[3 * c], vertices[3 * c + 1]) <= 0) continue;
    const contains = (p) => {
      const [x, y] = [vertices[3 * p], vertices[3 * p + 1]];
      return (
        p !== a && p !== b && p !== c &&
        orientation(vertices, a, b, x, y) > 0 && orientation(vertices, b, c, x, y) > 0 && orientation(vertices, c, a, x, y) > 0
      );
    };
    if (!loop.some(contains)) return i;
  }
  return 0; // no ear because of rounding: any vertex will do
}
