# The web page of `abut view`: built by npm and Vite from viewer/ in a folder under the build folder,
# whenever its sources change, and embedded in the program. Without npm the program is built without
# it, and `abut view` reports that.
find_program(ABUT_NPM npm)
mark_as_advanced(ABUT_NPM)
if(ABUT_NPM)
  set(can_build_page ON)
else()
  set(can_build_page OFF)
endif()
option(ABUT_VIEWER "Build the web page of abut view; needs npm" ${can_build_page})

if(NOT ABUT_VIEWER)
  target_sources(abut_serve PRIVATE ${PROJECT_SOURCE_DIR}/src/serve/page/stub.cpp)
  return()
endif()
if(NOT ABUT_NPM)
  message(FATAL_ERROR "ABUT_VIEWER needs npm: install it, or configure with -DABUT_VIEWER=OFF")
endif()

set(page ${PROJECT_BINARY_DIR}/viewer)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/viewer
     viewer/index.html viewer/vite.config.js viewer/src/*)
list(TRANSFORM page_sources PREPEND ${PROJECT_SOURCE_DIR}/viewer/ OUTPUT_VARIABLE page_inputs)
set(page_packages package.json package-lock.json .npmrc)
list(TRANSFORM page_packages PREPEND ${PROJECT_SOURCE_DIR}/viewer/ OUTPUT_VARIABLE package_inputs)
set(omit --omit=dev)  # packages that only the tests need
if(ABUT_TESTS)
  set(omit)
endif()

add_custom_command(OUTPUT ${page}/node_modules/.package-lock.json
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page}
  COMMAND ${CMAKE_COMMAND} -E copy ${package_inputs} ${page}
  COMMAND ${ABUT_NPM} ci --prefix ${page} --ignore-scripts --no-audit --no-fund --no-update-notifier
          --loglevel=error ${omit}
  COMMAND ${CMAKE_COMMAND} -E touch ${page}/node_modules/.package-lock.json
  DEPENDS ${package_inputs}
  COMMENT "Installing the packages of the viewer"
  VERBATIM)
set(page_files index.html viewer.css viewer.js)
list(TRANSFORM page_files PREPEND ${page}/dist/)
add_custom_command(OUTPUT ${page_files}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/viewer/index.html
          ${PROJECT_SOURCE_DIR}/viewer/vite.config.js ${page}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${page}/src
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/viewer/src ${page}/src
  COMMAND ${ABUT_NPM} --prefix ${page} run --silent build -- --logLevel warn
  DEPENDS ${page_inputs} ${page}/node_modules/.package-lock.json
  WORKING_DIRECTORY ${page}
  COMMENT "Building the viewer"
  VERBATIM)

configure_file(src/serve/page/embedded.cpp.in ${page}/embedded.cpp @ONLY)
set_source_files_properties(${page}/embedded.cpp PROPERTIES OBJECT_DEPENDS "${page_files}"
                            SKIP_UNITY_BUILD_INCLUSION ON)
target_sources(abut_serve PRIVATE ${page}/embedded.cpp)
