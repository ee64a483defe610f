# Installs the library, its headers, the program if it was built, and the package files for
# find_package(abut) and pkg-config. The installed tree is relocatable.
option(ABUT_INSTALL "Install the library and the program" ${PROJECT_IS_TOP_LEVEL})
if(NOT ABUT_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
set(ABUT_IS_STATIC 1)
if(BUILD_SHARED_LIBS)  # users of a shared library do not link Highway and Qhull
  set(ABUT_IS_STATIC 0)
  set(ABUT_HAS_QHULL 0)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
install(TARGETS abut EXPORT abut)
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
if(TARGET abut_program)
  install(TARGETS abut_program)
endif()

install(EXPORT abut NAMESPACE abut:: FILE abutTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/abutConfig.cmake.in abutConfig.cmake
  INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abutConfig.cmake ${PROJECT_BINARY_DIR}/abutConfigVersion.cmake
  DESTINATION ${package})

# Paths in abut.pc: the prefix relative to abut.pc, libdir and includedir relative to the prefix unless
# they are absolute.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
           OUTPUT_VARIABLE libdir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${libdir}/pkgconfig
           OUTPUT_VARIABLE ABUT_PC_PREFIX)
foreach(dir LIBDIR INCLUDEDIR)
  set(ABUT_PC_${dir} ${CMAKE_INSTALL_${dir}})
  if(NOT IS_ABSOLUTE ${ABUT_PC_${dir}})
    string(PREPEND ABUT_PC_${dir} "\${prefix}/")
  endif()
endforeach()
set(ABUT_PC_LIBRARIES "")
if(ABUT_IS_STATIC)
  string(APPEND ABUT_PC_LIBRARIES " -lhwy")
endif()
if(ABUT_HAS_QHULL)
  string(APPEND ABUT_PC_LIBRARIES " -lqhull_r")
endif()
configure_file(cmake/abut.pc.in abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
