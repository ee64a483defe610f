# ninja lint: runs clang-tidy over every source file that is built. A stamp per file that passed makes
# the next call check only files that have changed; a change of a header or of the rules rechecks all.
# Most of the time goes into third-party headers: in a unity build, clang-tidy reads them once for
# several files. The preset lint has the largest unity files.
find_program(ABUT_CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
mark_as_advanced(ABUT_CLANG_TIDY)
if(NOT ABUT_CLANG_TIDY OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

file(GLOB_RECURSE rules CONFIGURE_DEPENDS include/*.hpp src/*.hpp src/*.inl bench/*.hpp fuzz/*.hpp
     tests/*.hpp tests/.clang-tidy)
list(APPEND rules ${PROJECT_SOURCE_DIR}/.clang-tidy)
# clang-tidy searches for its rules in the parent folders of a file; unity files are in the build
# folder.
foreach(folder . tests)
  configure_file(${folder}/.clang-tidy ${PROJECT_BINARY_DIR}/${folder}/.clang-tidy COPYONLY)
endforeach()

function(lint file name)  # SOURCE…
  set(stamp ${PROJECT_BINARY_DIR}/lint/${name}.stamp)
  cmake_path(GET stamp PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${ABUT_CLANG_TIDY} --quiet -p ${PROJECT_BINARY_DIR} ${file}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${ARGN} ${rules}
    COMMENT "Checking ${name}"
    VERBATIM)
  set(stamps ${stamps} ${stamp} PARENT_SCOPE)
endfunction()

get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
if(ABUT_TESTS)
  foreach(folder tests fuzz)
    get_property(more DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    list(APPEND targets ${more})
  endforeach()
endif()
# Snippets of documents are written for readers.
list(REMOVE_ITEM targets abut_snippets abut_readme_example)
foreach(target ${targets})
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
  get_target_property(unity ${target} UNITY_BUILD)
  if(NOT unity)
    foreach(source ${sources})
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      lint(${source} ${name} ${source})
    endforeach()
    continue()
  endif()
  get_target_property(binary ${target} BINARY_DIR)
  get_target_property(size ${target} UNITY_BUILD_BATCH_SIZE)
  set(batch 0)
  while(sources)
    list(SUBLIST sources 0 ${size} batch_sources)
    list(REMOVE_ITEM sources ${batch_sources})
    lint(${binary}/CMakeFiles/${target}.dir/Unity/unity_${batch}_cxx.cxx ${target}_${batch} ${batch_sources})
    math(EXPR batch "${batch} + 1")
  endwhile()
endforeach()
add_custom_target(lint DEPENDS ${stamps})
