# Finds xxHash: the Debian package has no CMake package file.
if(TARGET xxhash::xxhash)
  return()
endif()
find_library(ABUT_XXHASH_LIBRARY NAMES xxhash REQUIRED)
find_path(ABUT_XXHASH_INCLUDE NAMES xxhash.h REQUIRED)
mark_as_advanced(ABUT_XXHASH_LIBRARY ABUT_XXHASH_INCLUDE)
add_library(xxhash::xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES IMPORTED_LOCATION ${ABUT_XXHASH_LIBRARY}
                      INTERFACE_INCLUDE_DIRECTORIES ${ABUT_XXHASH_INCLUDE})
