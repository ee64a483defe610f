# Compiles every C++ snippet of README.md and docs; the first one of the README is also run.
set(documents README.md ARCHITECTURE.md CONTRIBUTING.md docs/simulation.md docs/domains.md docs/common_plane.md
              docs/performance.md src/broad/README.md)
list(TRANSFORM documents PREPEND ${PROJECT_SOURCE_DIR}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${documents})
execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/snippets/extract ${CMAKE_CURRENT_BINARY_DIR}/snippets ${documents}
                OUTPUT_VARIABLE snippets OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" snippets "${snippets}")
add_library(abut_snippets OBJECT ${snippets})
set_target_properties(abut_snippets PROPERTIES UNITY_BUILD OFF)
target_include_directories(abut_snippets PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/snippets)
target_link_libraries(abut_snippets PRIVATE abut)

add_executable(abut_readme_example ${CMAKE_CURRENT_BINARY_DIR}/snippets/readme_1.cpp)
target_link_libraries(abut_readme_example PRIVATE abut)
add_test(NAME readme_example_prints_the_contact COMMAND abut_readme_example)
set_tests_properties(readme_example_prints_the_contact PROPERTIES LABELS library
                     PASS_REGULAR_EXPRESSION "^0 touches 1\n$")
