import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import { triangulate } from './triangulate.js';
import { cellArray, makeActor, pointData, setColors } from './vtk_helpers.js';

/** Draws polygons with their outlines, and polyhedra. */
export class Blocks {
  #clip;
  #faces = vtkMapper.newInstance();
  #lines = vtkMapper.newInstance({ scalarVisibility: false });
  #faceActor = makeActor(this.#faces, { ambient: 0.4, diffuse: 0.6 });
  #lineActor = makeActor(this.#lines, { lineWidth: 1.5, lighting: false });
  #mesh = null;

  constructor(renderer, clip, outlineColor) {
    this.#clip = clip;
    this.#lineActor.getProperty().setColor(...outlineColor);
    for (const actor of [this.#faceActor, this.#lineActor]) {
      actor.setVisibility(false);
      renderer.addActor(actor);
    }
  }

  /** Triangles of all blocks and the id of the block each belongs to; computed once per frame. */
  static mesh({ vertices, outlines, triangles, id }) {
    const faces = [];
    const owner = [];
    const edges = [];
    for (let k = 0; k + 1 < outlines.length; ++k) {
      const [begin, end] = [outlines[k], outlines[k + 1]];
      const polygonFaces = triangulate(vertices, begin, end);
      faces.push(...polygonFaces);
      for (let i = 0; i < polygonFaces.length / 3; ++i) owner.push(id[k]);
      for (let i = begin; i < end; ++i) edges.push(i, i + 1 < end ? i + 1 : begin);
    }
    for (let i = 0; i < triangles.length / 3; ++i) {
      faces.push(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
      owner.push(id[i]);
    }
    return { vertices, faces, owner, edges };
  }

  /** `colorOf(id)` returns the color of a block as three bytes. */
  draw(mesh, colorOf) {
    this.#mesh = mesh;
    // Vertices are not shared between triangles, so that each block has its own color and faces
    // are shaded flat.
    const positions = new Float32Array(3 * mesh.faces.length);
    const colors = new Uint8Array(3 * mesh.faces.length);
    const indices = new Uint32Array(mesh.faces.length);
    mesh.faces.forEach((from, to) => {
      positions.set(mesh.vertices.subarray(3 * from, 3 * from + 3), 3 * to);
      colors.set(colorOf(mesh.owner[Math.floor(to / 3)]), 3 * to);
      indices[to] = to;
    });
    const data = pointData(positions);
    data.setPolys(cellArray(indices, 3));
    setColors(data, colors);
    this.#faces.setInputData(data);
    this.#faceActor.setVisibility(mesh.faces.length > 0);
    const lines = pointData(mesh.vertices);
    lines.setLines(cellArray(mesh.edges, 2));
    this.#lines.setInputData(lines);
    this.#lineActor.setVisibility(mesh.edges.length > 0);
    this.updateClip();
  }

  hide() {
    this.#mesh = null;
    this.#faceActor.setVisibility(false);
    this.#lineActor.setVisibility(false);
  }

  updateClip() {
    this.#clip.applyToMesh(this.#faces);
    this.#clip.applyToMesh(this.#lines);
  }

  /** The first block that the segment from `from` to `to` hits: its id and the segment parameter. */
  hit(from, to, clip) {
    let best = { id: null, parameter: Infinity };
    if (!this.#mesh) return best;
    const { vertices, faces, owner } = this.#mesh;
    const [begin, end] = clip.visibleRange(from, to);
    for (let i = 0; i < owner.length; ++i) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const offset = 3 * faces[3 * i + k];
        return [vertices[offset], vertices[offset + 1], vertices[offset + 2]];
      });
      const parameter = intersectTriangle(from, to, a, b, c);
      if (parameter !== null && parameter >= begin && parameter <= end && parameter < best.parameter)
        best = { id: owner[i], parameter };
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

/**
 * The parameter t at which the line from + t (to − from) crosses a triangle, or null
 * (Möller–Trumbore).
 */
function intersectTriangle(from, to, a, b, c) {
  const direction = minus(to, from);
  const [u, v, w] = [minus(b, a), minus(c, a), minus(from, a)];
  const p = cross(direction, v);
  const determinant = dot(u, p);
  if (determinant === 0) return null;
  const s = dot(w, p) / determinant;
  const q = cross(w, u);
  const t = dot(direction, q) / determinant;
  return s >= 0 && t >= 0 && s + t <= 1 ? dot(v, q) / determinant : null;
}
