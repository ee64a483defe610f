import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import { actorOf, cells, pointData, setColours } from './shapes.js';
import { trianglesOf } from './triangles.js';

/** Polygons with their outlines, and polyhedra. */
export class Blocks {
  #cut;
  #faces = vtkMapper.newInstance();
  #lines = vtkMapper.newInstance({ scalarVisibility: false });
  #faceActor = actorOf(this.#faces, { ambient: 0.4, diffuse: 0.6 });
  #lineActor = actorOf(this.#lines, { lineWidth: 1.5, lighting: false });
  #mesh = null;

  constructor(renderer, cut, outline) {
    this.#cut = cut;
    this.#lineActor.getProperty().setColor(...outline);
    for (const actor of [this.#faceActor, this.#lineActor]) {
      actor.setVisibility(false);
      renderer.addActor(actor);
    }
  }

  /** Triangles of all, and the block each belongs to; made once for a frame. */
  static mesh({ corners, outlines, triangles, id }) {
    const faces = [];
    const owner = [];
    const edges = [];
    for (let k = 0; k + 1 < outlines.length; ++k) {
      const [begin, end] = [outlines[k], outlines[k + 1]];
      const some = trianglesOf(corners, begin, end);
      faces.push(...some);
      for (let i = 0; i < some.length / 3; ++i) owner.push(id[k]);
      for (let i = begin; i < end; ++i) edges.push(i, i + 1 < end ? i + 1 : begin);
    }
    for (let i = 0; i < triangles.length / 3; ++i) {
      faces.push(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
      owner.push(id[i]);
    }
    return { corners, faces, owner, edges };
  }

  /** `colourOf(id)`: three bytes. */
  show(mesh, colourOf) {
    this.#mesh = mesh;
    // Corners of their own for each triangle, so that each block has its colour and faces are flat.
    const places = new Float32Array(3 * mesh.faces.length);
    const colours = new Uint8Array(3 * mesh.faces.length);
    const corner = new Uint32Array(mesh.faces.length);
    mesh.faces.forEach((from, to) => {
      places.set(mesh.corners.subarray(3 * from, 3 * from + 3), 3 * to);
      colours.set(colourOf(mesh.owner[Math.floor(to / 3)]), 3 * to);
      corner[to] = to;
    });
    const data = pointData(places);
    data.setPolys(cells(corner, 3));
    setColours(data, colours);
    this.#faces.setInputData(data);
    this.#faceActor.setVisibility(mesh.faces.length > 0);
    const lines = pointData(mesh.corners);
    lines.setLines(cells(mesh.edges, 2));
    this.#lines.setInputData(lines);
    this.#lineActor.setVisibility(mesh.edges.length > 0);
    this.cutAnew();
  }

  hide() {
    this.#mesh = null;
    this.#faceActor.setVisibility(false);
    this.#lineActor.setVisibility(false);
  }

  cutAnew() {
    this.#cut.clip(this.#faces);
    this.#cut.clip(this.#lines);
  }

  /** The id of the first block on the way, and how far along it is. */
  hit(from, to, cut) {
    let best = { id: null, way: Infinity };
    if (!this.#mesh) return best;
    const { corners, faces, owner } = this.#mesh;
    const [begin, end] = cut.remaining(from, to);
    for (let i = 0; i < owner.length; ++i) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const at = 3 * faces[3 * i + k];
        return [corners[at], corners[at + 1], corners[at + 2]];
      });
      const way = crossing(from, to, a, b, c);
      if (way !== null && way >= begin && way <= end && way < best.way) best = { id: owner[i], way };
    }
    return best;
  }
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Where a way from `from` to `to` meets a triangle, as a part of it; or null. */
function crossing(from, to, a, b, c) {
  const direction = minus(to, from);
  const [u, v, w] = [minus(b, a), minus(c, a), minus(from, a)];
  const across = cross(direction, v);
  const volume = dot(u, across);
  if (volume === 0) return null;
  const s = dot(w, across) / volume;
  const turned = cross(w, u);
  const t = dot(direction, turned) / volume;
  return s >= 0 && t >= 0 && s + t <= 1 ? dot(v, turned) / volume : null;
}
