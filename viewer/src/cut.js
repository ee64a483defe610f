// A plane that cuts everything: what lies on its positive side is taken away. Spheres are cut as
// solids, so that the cut shows discs; walls and faces are simply clipped.
import vtkPlane from '@kitware/vtk.js/Common/DataModel/Plane';

const declaration = `//VTK::Clip::Dec
uniform vec4 cutPlaneVC; // its normal and distance as the camera sees them; zero: no cut
`;

// In the place where vtk.js has worked out the point of the sphere that is seen.
const throughSpheres = `//VTK::Clip::Impl
  float beyondCut = dot(cutPlaneVC.xyz, vertexVC.xyz) + cutPlaneVC.w;
  if (beyondCut > 0.0) {
    float approach = -dot(cutPlaneVC.xyz, EyeDir);
    if (approach <= 0.0) discard;
    vec3 onCut = vertexVC.xyz + (beyondCut / approach) * EyeDir;
    vec3 fromCentre = onCut - centerVCVSOutput;
    if (dot(fromCentre, fromCentre) > radiusVCVSOutput * radiusVCVSOutput) discard;
    vertexVC.xyz = onCut;
    normalVCVSOutput = cutPlaneVC.xyz;
    vec4 cutPC = VCPCMatrix * vertexVC;
    gl_FragDepth = (cutPC.z / cutPC.w + 1.0) / 2.0;
  }
`;

const throughSticks = `//VTK::Clip::Impl
  if (dot(cutPlaneVC.xyz, vertexVC.xyz) + cutPlaneVC.w > 0.0) discard;
`;

export class Cut {
  #plane = vtkPlane.newInstance();
  #origin = [0, 0, 0];
  #normal = null;

  /** Across an axis (0, 1, 2) at a coordinate; the side below it stays, or the one above. */
  set(axis, place, isFlipped) {
    this.#normal = axis === null ? null : [0, 1, 2].map((k) => (k === axis ? (isFlipped ? -1 : 1) : 0));
    this.#origin = [0, 1, 2].map((k) => (k === axis ? place : 0));
    if (!this.#normal) return;
    this.#plane.setOrigin(this.#origin);
    this.#plane.setNormal(this.#normal.map((n) => -n)); // vtk.js keeps the positive side
  }

  takesAway(x, y, z) {
    if (!this.#normal) return false;
    const [nx, ny, nz] = this.#normal;
    const [ox, oy, oz] = this.#origin;
    return nx * (x - ox) + ny * (y - oy) + nz * (z - oz) > 0;
  }

  /** The part of a ray from `from` to `to` that the cut leaves, as a range of its parameter. */
  remaining(from, to) {
    if (!this.#normal) return [0, 1];
    const side = (p) => this.#normal.reduce((sum, n, k) => sum + n * (p[k] - this.#origin[k]), 0);
    const [a, b] = [side(from), side(to)];
    if (a > 0 && b > 0) return [1, 0];
    if (a <= 0 && b <= 0) return [0, 1];
    const crossing = a / (a - b);
    return a > 0 ? [crossing, 1] : [0, crossing];
  }

  clip(mapper) {
    mapper.removeAllClippingPlanes();
    if (this.#normal) mapper.addClippingPlane(this.#plane);
  }

  applyToSpheres(mapper) {
    this.#apply(mapper, throughSpheres);
  }

  applyToSticks(mapper) {
    this.#apply(mapper, throughSticks);
  }

  #apply(mapper, fragment) {
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
        callback: (cut, buffers, renderer) => cut.#tell(buffers.getProgram(), renderer),
      },
    ];
  }

  #tell(program, renderer) {
    if (!program.isUniformUsed('cutPlaneVC')) return;
    program.setUniform4f('cutPlaneVC', ...this.#asSeenBy(renderer.getActiveCamera()));
  }

  #asSeenBy(camera) {
    if (!this.#normal) return [0, 0, 0, 0];
    const m = camera.getViewMatrix(); // by rows
    const [nx, ny, nz] = this.#normal;
    const [ox, oy, oz] = this.#origin;
    const row = (r, x, y, z, w) => m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3] * w;
    const normal = [0, 1, 2].map((r) => row(r, nx, ny, nz, 0));
    const origin = [0, 1, 2].map((r) => row(r, ox, oy, oz, 1));
    return [...normal, -normal.reduce((sum, n, k) => sum + n * origin[k], 0)];
  }
}
