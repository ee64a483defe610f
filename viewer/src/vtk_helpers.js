// Helpers that build vtk.js objects.
import vtkActor from '@kitware/vtk.js/Rendering/Core/Actor';
import vtkCellArray from '@kitware/vtk.js/Common/Core/CellArray';
import vtkDataArray from '@kitware/vtk.js/Common/Core/DataArray';
import vtkPolyData from '@kitware/vtk.js/Common/DataModel/PolyData';

export function makeActor(mapper, properties = {}) {
  const actor = vtkActor.newInstance();
  actor.setMapper(mapper);
  actor.getProperty().set(properties);
  return actor;
}

/**
 * Makes an actor transparent. It is blended in the opaque pass, after all opaque actors, without
 * writing depth: the translucent passes of vtk.js would draw every particle twice.
 */
export function makeTransparent(actor, opacity, context) {
  actor.setForceOpaque(true);
  actor.getProperty().setOpacity(opacity);
  const properties = actor.getMapper().getViewSpecificProperties();
  properties.ShadersCallbacks = [
    ...(properties.ShadersCallbacks ?? []),
    { callback: () => context().depthMask(false) },
  ];
}

export function pointData(positions) {
  const data = vtkPolyData.newInstance();
  data.getPoints().setData(positions, 3);
  return data;
}

export function addArray(data, name, values, components) {
  data
    .getPointData()
    .addArray(vtkDataArray.newInstance({ name, values, numberOfComponents: components }));
}

/** `colors`: three bytes per point. */
export function setColors(data, colors) {
  data
    .getPointData()
    .setScalars(
      vtkDataArray.newInstance({ name: 'colors', values: colors, numberOfComponents: 3 }),
    );
}

/** Cells of `size` vertices each, with the size before each cell as vtk.js requires. */
export function cellArray(indices, size) {
  const count = indices.length / size;
  const values = new Uint32Array(count * (size + 1));
  for (let i = 0, to = 0; i < count; ++i) {
    values[to++] = size;
    for (let k = 0; k < size; ++k) values[to++] = indices[size * i + k];
  }
  return vtkCellArray.newInstance({ values });
}
