#!/usr/bin/python3
"""Prints the contents of .vtp files as VTK reads them, for tests: tests/vtk_dump.py FILE…"""

import sys

from vtkmodules.vtkCommonCore import vtkCommand
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def numbers(values):
    return " ".join(f"{value:.17g}" for value in values)


def dump_arrays(kind, data):
    for i in range(data.GetNumberOfArrays()):
        array = data.GetArray(i)
        rows = [numbers(array.GetTuple(k)) for k in range(array.GetNumberOfTuples())]
        type_name = array.GetDataTypeAsString().replace("long long", "long")  # both have 64 bits
        print(f"{kind} {array.GetName()!r} {type_name} x{array.GetNumberOfComponents()}:",
              ", ".join(rows))


def dump_cells(kind, cells):
    offsets = cells.GetOffsetsArray()
    points = cells.GetConnectivityArray()
    for cell in range(cells.GetNumberOfCells()):
        indices = range(int(offsets.GetTuple1(cell)), int(offsets.GetTuple1(cell + 1)))
        print(kind, *(int(points.GetTuple1(k)) for k in indices))


def dump(path):
    problems = []
    reader = vtkXMLPolyDataReader()
    for event in (vtkCommand.ErrorEvent, vtkCommand.WarningEvent):
        reader.AddObserver(event, lambda *_: problems.append("VTK reports a problem"))
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
    print(f"{data.GetNumberOfPoints()} points, {data.GetNumberOfCells()} cells", *problems)
    for i in range(data.GetNumberOfPoints()):
        print("at", numbers(data.GetPoint(i)))
    for kind, cells in (("vertex", data.GetVerts()), ("line", data.GetLines()),
                        ("strip", data.GetStrips()), ("triangle", data.GetPolys())):
        dump_cells(kind, cells)
    for kind, arrays in (("point", data.GetPointData()), ("cell", data.GetCellData()),
                         ("frame", data.GetFieldData())):
        dump_arrays(kind, arrays)


for name in sys.argv[1:]:
    dump(name)
