// Pieces of vtk.js that every drawn thing is made of.
import vtkActor from '@kitware/vtk.js/Rendering/Core/Actor';
import vtkCellArray from '@kitware/vtk.js/Common/Core/CellArray';
import vtkDataArray from '@kitware/vtk.js/Common/Core/DataArray';
import vtkPolyData from '@kitware/vtk.js/Common/DataModel/PolyData';

export function actorOf(mapper, properties = {}) {
  const actor = vtkActor.newInstance();
  actor.setMapper(mapper);
  actor.getProperty().set(properties);
  return actor;
}

/**
 * Shows what is behind an actor. Blended where it is drawn, after all that is solid: the passes of
 * vtk.js for translucent things would draw every particle twice.
 */
export function seeThrough(actor, opacity, context) {
  actor.setForceOpaque(true);
  actor.getProperty().setOpacity(opacity);
  const properties = actor.getMapper().getViewSpecificProperties();
  properties.ShadersCallbacks = [
    ...(properties.ShadersCallbacks ?? []),
    { callback: () => context().depthMask(false) },
  ];
}

export function pointData(places) {
  const data = vtkPolyData.newInstance();
  data.getPoints().setData(places, 3);
  return data;
}

export function addArray(data, name, values, components) {
  data
    .getPointData()
    .addArray(vtkDataArray.newInstance({ name, values, numberOfComponents: components }));
}

export function setColours(data, colours) {
  data
    .getPointData()
    .setScalars(
      vtkDataArray.newInstance({ name: 'colours', values: colours, numberOfComponents: 3 }),
    );
}

/** Corners of cells of one size, each with its number before it, as vtk.js wants them. */
export function cells(corners, each) {
  const count = corners.length / each;
  const values = new Uint32Array(count * (each + 1));
  for (let i = 0, to = 0; i < count; ++i) {
    values[to++] = each;
    for (let k = 0; k < each; ++k) values[to++] = corners[each * i + k];
  }
  return vtkCellArray.newInstance({ values });
}
