// A plane that clips the whole scene: everything on its positive side is removed. Spheres are
// clipped as solids, so that the section shows disks; walls, faces and force chains are hollow.
import vtkPlane from '@kitware/vtk.js/Common/DataModel/Plane';

const declaration = `//VTK::Clip::Dec
uniform vec4 abutClipPlaneVC; // normal and offset in view coordinates; zero: no clipping
`;

// Inserted after vtk.js has computed the visible point of the sphere.
const sphereClipping = `//VTK::Clip::Impl
  float clipDistance = dot(abutClipPlaneVC.xyz, vertexVC.xyz) + abutClipPlaneVC.w;
  if (clipDistance > 0.0) {
    float approach = -dot(abutClipPlaneVC.xyz, EyeDir);
    if (approach <= 0.0) discard;
    vec3 sectionPoint = vertexVC.xyz + (clipDistance / approach) * EyeDir;
    vec3 fromCenter = sectionPoint - centerVCVSOutput;
    if (dot(fromCenter, fromCenter) > radiusVCVSOutput * radiusVCVSOutput) discard;
    vertexVC.xyz = sectionPoint;
    normalVCVSOutput = abutClipPlaneVC.xyz;
    vec4 sectionPC = VCPCMatrix * vertexVC;
    gl_FragDepth = (sectionPC.z / sectionPC.w + 1.0) / 2.0;
  }
`;

const stickClipping = `//VTK::Clip::Impl
  if (dot(abutClipPlaneVC.xyz, vertexVC.xyz) + abutClipPlaneVC.w > 0.0) discard;
`;

export class Clip {
  #plane = vtkPlane.newInstance();
  #origin = [0, 0, 0];
  #normal = null;

  /**
   * A plane normal to `axis` (0, 1, 2; null: no clipping) at a coordinate. The side below it
   * remains visible, or the side above if `isFlipped`.
   */
  set(axis, position, isFlipped) {
    this.#normal = axis === null ? null : [0, 1, 2].map((k) => (k === axis ? (isFlipped ? -1 : 1) : 0));
    this.#origin = [0, 1, 2].map((k) => (k === axis ? position : 0));
    if (!this.#normal) return;
    this.#plane.setOrigin(this.#origin);
    this.#plane.setNormal(this.#normal.map((n) => -n)); // vtk.js keeps the positive side
  }

  /** The visible part of the segment from `from` to `to`, as a range of its parameter. */
  visibleRange(from, to) {
    if (!this.#normal) return [0, 1];
    const distance = (p) => this.#normal.reduce((sum, n, k) => sum + n * (p[k] - this.#origin[k]), 0);
    const [a, b] = [distance(from), distance(to)];
    if (a > 0 && b > 0) return [1, 0];
    if (a <= 0 && b <= 0) return [0, 1];
    const crossing = a / (a - b);
    return a > 0 ? [crossing, 1] : [0, crossing];
  }

  applyToMesh(mapper) {
    mapper.removeAllClippingPlanes();
    if (this.#normal) mapper.addClippingPlane(this.#plane);
  }

  applyToSpheres(mapper) {
    this.#replaceShader(mapper, sphereClipping);
  }

  applyToSticks(mapper) {
    this.#replaceShader(mapper, stickClipping);
  }

  #replaceShader(mapper, fragment) {
    const replace = (originalValue, replacementValue) => ({
      shaderType: 'Fragment',
      originalValue,
      replaceFirst: true,
      replacementValue,
      replaceAll: false,
    });
    const properties = mapper.getViewSpecificProperties();
    properties.OpenGL = {
      ShaderReplacements: [
        replace('//VTK::Clip::Dec', declaration),
        replace('//VTK::Clip::Impl', fragment),
      ],
    };
    properties.ShadersCallbacks = [
      {
        userData: this,
        callback: (clip, buffers, renderer) => clip.#setUniform(buffers.getProgram(), renderer),
      },
    ];
  }

  #setUniform(program, renderer) {
    if (!program.isUniformUsed('abutClipPlaneVC')) return;
    program.setUniform4f('abutClipPlaneVC', ...this.#inViewCoordinates(renderer.getActiveCamera()));
  }

  #inViewCoordinates(camera) {
    if (!this.#normal) return [0, 0, 0, 0];
    const m = camera.getViewMatrix(); // row-major
    const [nx, ny, nz] = this.#normal;
    const [ox, oy, oz] = this.#origin;
    const row = (r, x, y, z, w) => m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3] * w;
    const normal = [0, 1, 2].map((r) => row(r, nx, ny, nz, 0));
    const origin = [0, 1, 2].map((r) => row(r, ox, oy, oz, 1));
    return [...normal, -normal.reduce((sum, n, k) => sum + n * origin[k], 0)];
  }
}
