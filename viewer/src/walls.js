import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import { cellArray, makeActor, makeTransparent, pointData } from './vtk_helpers.js';

/** Draws transparent triangles (3D) and segments (2D). */
export class Walls {
  #clip;
  #faces = vtkMapper.newInstance({ scalarVisibility: false });
  #lines = vtkMapper.newInstance({ scalarVisibility: false });
  #faceActor = makeActor(this.#faces, { ambient: 0.5, diffuse: 0.5 });
  #lineActor = makeActor(this.#lines, { lineWidth: 2, lighting: false });

  constructor({ renderer, context }, clip, color) {
    this.#clip = clip;
    makeTransparent(this.#faceActor, 0.16, context);
    for (const actor of [this.#faceActor, this.#lineActor]) {
      actor.setVisibility(false);
      actor.getProperty().setColor(...color);
      renderer.addActor(actor);
    }
  }

  draw({ vertices, triangles, segments }) {
    const faces = pointData(vertices);
    faces.setPolys(cellArray(triangles, 3));
    this.#faces.setInputData(faces);
    this.#faceActor.setVisibility(triangles.length > 0);
    const lines = pointData(vertices);
    lines.setLines(cellArray(segments, 2));
    this.#lines.setInputData(lines);
    this.#lineActor.setVisibility(segments.length > 0);
    this.updateClip();
  }

  hide() {
    this.#faceActor.setVisibility(false);
    this.#lineActor.setVisibility(false);
  }

  updateClip() {
    this.#clip.applyToMesh(this.#faces);
    this.#clip.applyToMesh(this.#lines);
  }
}
