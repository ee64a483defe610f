# A module: a folder of sources compiled into the static library abut_<name>, which can include the
# headers of the modules it depends on and no others.
#   abut_module(broad src/broad DEPENDS core)      files use  #include "core/grid.hpp"
# Each module has its own include root with one symbolic link named after the module, so that
# including a header of a module that is not a dependency does not compile. main.cpp is left to the
# program. KIND overrides the kind of library; ONLY takes these files of the folder instead of all.
# Modules in ABUT_COLD_MODULES take little of the run time; they are compiled with
# ABUT_COLD_OPTIONS to shorten the build.
function(abut_module name folder)
  cmake_parse_arguments(MODULE "" "KIND" "DEPENDS;ONLY" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(MODULE_ONLY)
    list(TRANSFORM MODULE_ONLY PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE sources)
  endif()
  if(NOT MODULE_KIND)
    set(MODULE_KIND STATIC)
  endif()
  set(include_root ${PROJECT_BINARY_DIR}/modules/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${include_root}/${name} SYMBOLIC)
  add_library(abut_${name} ${MODULE_KIND} ${sources})
  target_include_directories(abut_${name} PUBLIC ${include_root} ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM MODULE_DEPENDS PREPEND abut_ REGEX "^[a-z]+$")
  target_link_libraries(abut_${name} PUBLIC ${MODULE_DEPENDS} Threads::Threads PRIVATE abut_flags)
  if(name IN_LIST ABUT_COLD_MODULES)
    target_compile_options(abut_${name} PRIVATE ${ABUT_COLD_OPTIONS})
  endif()
endfunction()
