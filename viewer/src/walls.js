import vtkMapper from '@kitware/vtk.js/Rendering/Core/Mapper';
import { actorOf, cells, pointData, seeThrough } from './shapes.js';

/** Triangles one can see through, and segments. */
export class Walls {
  #cut;
  #faces = vtkMapper.newInstance({ scalarVisibility: false });
  #lines = vtkMapper.newInstance({ scalarVisibility: false });
  #faceActor = actorOf(this.#faces, { ambient: 0.5, diffuse: 0.5 });
  #lineActor = actorOf(this.#lines, { lineWidth: 2, lighting: false });

  constructor({ renderer, context }, cut, colour) {
    this.#cut = cut;
    seeThrough(this.#faceActor, 0.16, context);
    for (const actor of [this.#faceActor, this.#lineActor]) {
      actor.setVisibility(false);
      actor.getProperty().setColor(...colour);
      renderer.addActor(actor);
    }
  }

  show({ corners, triangles, segments }) {
    const faces = pointData(corners);
    faces.setPolys(cells(triangles, 3));
    this.#faces.setInputData(faces);
    this.#faceActor.setVisibility(triangles.length > 0);
    const lines = pointData(corners);
    lines.setLines(cells(segments, 2));
    this.#lines.setInputData(lines);
    this.#lineActor.setVisibility(segments.length > 0);
    this.cutAnew();
  }

  hide() {
    this.#faceActor.setVisibility(false);
    this.#lineActor.setVisibility(false);
  }

  cutAnew() {
    this.#cut.clip(this.#faces);
    this.#cut.clip(this.#lines);
  }
}
