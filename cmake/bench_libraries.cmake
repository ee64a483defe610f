# The module of other libraries that `abut bench --libraries` measures; only stubs without
# ABUT_BENCH_LIBRARIES.
if(NOT ABUT_BENCH_LIBRARIES)
  abut_module(libraries bench/libraries DEPENDS core ONLY stubs.cpp)
  return()
endif()

find_package(TBB REQUIRED)
find_package(embree 3 REQUIRED)
find_package(Bullet REQUIRED)
find_package(box2d REQUIRED)
find_package(fcl REQUIRED)
find_library(ccd_library ccd REQUIRED)
foreach(header nanoflann.hpp CGAL/box_intersection_d.h boost/geometry/index/rtree.hpp)
  find_path(found_${header} ${header} REQUIRED NO_CACHE)
endforeach()

# The other libraries are compiled for all instructions of this machine. Inline functions compiled
# that way must not replace those of abut, which is measured as users build it: so this module is a
# shared library that exports only its entry points.
file(GLOB libraries CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/bench/libraries bench/libraries/*.cpp)
list(REMOVE_ITEM libraries stubs.cpp)
abut_module(libraries bench/libraries KIND SHARED DEPENDS core ONLY ${libraries})
target_compile_options(abut_libraries PRIVATE -march=native)
# FCL needs the faces of polyhedra, which only a header of the narrow phase declares.
target_include_directories(abut_libraries PRIVATE
                           $<TARGET_PROPERTY:abut_narrow,INTERFACE_INCLUDE_DIRECTORIES>)
set_target_properties(abut_libraries PROPERTIES CXX_VISIBILITY_PRESET hidden
                                                VISIBILITY_INLINES_HIDDEN ON)
target_link_options(abut_libraries PRIVATE LINKER:--exclude-libs,ALL)  # nor those of abut_core
target_include_directories(abut_libraries SYSTEM PRIVATE ${BULLET_INCLUDE_DIRS})
target_link_libraries(abut_libraries PRIVATE TBB::tbb embree box2d::box2d fcl ${ccd_library}
                                         ${BULLET_LIBRARIES})
