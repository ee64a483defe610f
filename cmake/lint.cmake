# ninja lint: clang-tidy over every source file that is built. A stamp for each file that passed, so
# that the next call looks only at what has changed since; a header or the rules concern all.
find_program(ABUT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
mark_as_advanced(ABUT_CLANG_TIDY)
if(NOT ABUT_CLANG_TIDY OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
if(ABUT_TESTS)
  foreach(folder tests fuzz)
    get_property(more DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    list(APPEND targets ${more})
  endforeach()
endif()
foreach(target ${targets})
  get_target_property(files ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(file ${files})
    if(file MATCHES "\\.cpp$")
      cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${folder})
      list(APPEND sources ${file})
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES sources)

file(GLOB_RECURSE rules CONFIGURE_DEPENDS include/*.hpp src/*.hpp src/*.inl scenes/*.hpp bench/*.hpp
     fuzz/*.hpp
     tests/*.hpp tests/.clang-tidy)
list(APPEND rules ${PROJECT_SOURCE_DIR}/.clang-tidy)
foreach(source ${sources})
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
  set(stamp ${PROJECT_BINARY_DIR}/lint/${name}.stamp)
  cmake_path(GET stamp PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${ABUT_CLANG_TIDY} --quiet -p ${PROJECT_BINARY_DIR} ${source}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${source} ${rules}
    COMMENT "Checking ${name}"
    VERBATIM)
  list(APPEND stamps ${stamp})
endforeach()
add_custom_target(lint DEPENDS ${stamps})
