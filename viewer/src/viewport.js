// The vtk.js render window: camera, light, mouse and touch input.
import '@kitware/vtk.js/Rendering/OpenGL/Profiles/Geometry';
import '@kitware/vtk.js/Rendering/OpenGL/Profiles/Molecule';
import vtkGestureCamera from '@kitware/vtk.js/Interaction/Manipulators/GestureCameraManipulator';
import vtkMousePan from '@kitware/vtk.js/Interaction/Manipulators/MouseCameraTrackballPanManipulator';
import vtkMouseRotate from '@kitware/vtk.js/Interaction/Manipulators/MouseCameraTrackballRotateManipulator';
import vtkMouseZoom from '@kitware/vtk.js/Interaction/Manipulators/MouseCameraTrackballZoomToMouseManipulator';
import vtkInteractorStyleManipulator from '@kitware/vtk.js/Interaction/Style/InteractorStyleManipulator';
import vtkOpenGLRenderWindow from '@kitware/vtk.js/Rendering/OpenGL/RenderWindow';
import vtkRenderWindow from '@kitware/vtk.js/Rendering/Core/RenderWindow';
import vtkRenderWindowInteractor from '@kitware/vtk.js/Rendering/Core/RenderWindowInteractor';
import vtkRenderer from '@kitware/vtk.js/Rendering/Core/Renderer';

const maxClickDistance = 5; // pixels; a longer movement is a drag

export class Viewport {
  #box;
  #window = vtkRenderWindow.newInstance();
  #gl = vtkOpenGLRenderWindow.newInstance();
  #style = vtkInteractorStyleManipulator.newInstance();
  #isDrawPending = false;
  #dimension = 0;
  renderer = vtkRenderer.newInstance();

  constructor(box) {
    this.#box = box;
    this.#window.addRenderer(this.renderer);
    this.#window.addView(this.#gl);
    this.#gl.setContainer(box);
    const interactor = vtkRenderWindowInteractor.newInstance();
    interactor.setView(this.#gl);
    interactor.initialize();
    interactor.bindEvents(box);
    interactor.setInteractorStyle(this.#style);
    // Disable the keys of vtk.js (w: wireframe, r: reset): the page has its own.
    interactor.onKeyPress(() => false);
    this.#resize();
    new ResizeObserver(() => this.#resize()).observe(box);
    this.setDimension(3);
  }

  context = () => this.#gl.getContext();

  setBackground(color) {
    this.renderer.setBackground(...color);
    this.draw();
  }

  /** In 2D dragging pans, in 3D it rotates. */
  setDimension(dimension) {
    if (this.#dimension === dimension) return;
    this.#dimension = dimension;
    const style = this.#style;
    style.removeAllMouseManipulators();
    style.removeAllGestureManipulators();
    const drag = dimension === 2 ? vtkMousePan : vtkMouseRotate;
    style.addMouseManipulator(drag.newInstance({ button: 1 }));
    style.addMouseManipulator(vtkMousePan.newInstance({ button: 1, shift: true }));
    style.addMouseManipulator(vtkMousePan.newInstance({ button: 2 }));
    style.addMouseManipulator(vtkMousePan.newInstance({ button: 3 }));
    style.addMouseManipulator(vtkMouseZoom.newInstance({ dragEnabled: false, scrollEnabled: true }));
    style.addMouseManipulator(vtkMouseZoom.newInstance({ button: 1, control: true }));
    const touch = vtkGestureCamera.newInstance();
    touch.setRotateEnabled(dimension === 3);
    style.addGestureManipulator(touch);
    this.renderer.getActiveCamera().setParallelProjection(dimension === 2);
  }

  /** Fits the box [x0, x1, y0, y1, z0, z1] into the view, seen in 3D from the front and slightly above. */
  fitTo(bounds) {
    const camera = this.renderer.getActiveCamera();
    const direction = this.#dimension === 2 ? [0, 0, 1] : [0.55, -1, 0.4];
    camera.setFocalPoint(0, 0, 0);
    camera.setPosition(...direction);
    camera.setViewUp(...(this.#dimension === 2 ? [0, 1, 0] : [0, 0, 1]));
    this.renderer.resetCamera(bounds);
    // resetCamera fits the bounding sphere of the box, which leaves wide margins.
    this.#dimension === 2 ? fitParallelScale(camera, bounds, this.#aspect()) : camera.dolly(1.15 * Math.min(1, this.#aspect()));
    this.renderer.resetCameraClippingRange();
    this.draw();
  }

  #aspect() {
    const [width, height] = this.#gl.getSize();
    return width / height;
  }

  draw() {
    if (this.#isDrawPending) return;
    this.#isDrawPending = true;
    requestAnimationFrame(() => {
      this.#isDrawPending = false;
      this.renderer.resetCameraClippingRange();
      this.#window.render();
    });
  }

  /** Calls `callback(from, to)` with the ray under a click, as a segment in world coordinates. */
  onClick(callback) {
    let down = null;
    this.#box.addEventListener('pointerdown', (event) => {
      down = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null;
    });
    this.#box.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > maxClickDistance) return;
      down = null;
      callback(...this.rayAt(event.clientX, event.clientY));
    });
  }

  rayAt(clientX, clientY) {
    const box = this.#box.getBoundingClientRect();
    const x = (2 * (clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (clientY - box.top)) / box.height;
    const aspect = this.#aspect();
    return [-1, 1].map((z) => [...this.renderer.normalizedDisplayToWorld((x + 1) / 2, (y + 1) / 2, (z + 1) / 2, aspect)]);
  }

  /** The position of a point in pixels of the page. */
  project(point) {
    const box = this.#box.getBoundingClientRect();
    const [x, y] = this.renderer.worldToNormalizedDisplay(...point, this.#aspect());
    return [box.left + x * box.width, box.top + (1 - y) * box.height];
  }

  /** The current view as a promise of a data URL. */
  capturePng() {
    const [image] = this.#window.captureImages('image/png');
    this.#window.render();
    return image;
  }

  #resize() {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.#box;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#gl.setSize(Math.round(clientWidth * scale), Math.round(clientHeight * scale));
    this.draw();
  }
}

function fitParallelScale(camera, bounds, aspect) {
  const [width, height] = [bounds[1] - bounds[0], bounds[3] - bounds[2]];
  camera.setParallelScale(0.56 * Math.max(height, width / aspect, 1e-30));
}
