# A room of the house: a folder of sources that only sees the rooms it needs.
#   abut_room(broad src/broad NEEDS core)      files say  #include "core/grid.hpp"
# Each room's headers stand alone on an include path of their own (a link named after the room), so
# that including a room one does not need does not compile. main.cpp belongs to the program. KIND is
# STATIC unless said otherwise; ONLY takes some files of the folder instead of all. A room in
# ABUT_COLD_ROOMS, where little time is spent, is compiled with ABUT_COLD_OPTIONS, to be built sooner.
function(abut_room name folder)
  cmake_parse_arguments(ROOM "" "KIND" "NEEDS;ONLY" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(ROOM_ONLY)
    list(TRANSFORM ROOM_ONLY PREPEND ${PROJECT_SOURCE_DIR}/${folder}/ OUTPUT_VARIABLE sources)
  endif()
  if(NOT ROOM_KIND)
    set(ROOM_KIND STATIC)
  endif()
  set(door ${PROJECT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${door})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${door}/${name} SYMBOLIC)
  add_library(abut_${name} ${ROOM_KIND} ${sources})
  target_include_directories(abut_${name} PUBLIC ${door} ${PROJECT_SOURCE_DIR}/include)
  list(TRANSFORM ROOM_NEEDS PREPEND abut_ REGEX "^[a-z]+$")
  target_link_libraries(abut_${name} PUBLIC ${ROOM_NEEDS} Threads::Threads PRIVATE abut_flags)
  if(name IN_LIST ABUT_COLD_ROOMS)
    target_compile_options(abut_${name} PRIVATE ${ABUT_COLD_OPTIONS})
  endif()
endfunction()
