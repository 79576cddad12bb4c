# Installs, in the standard folders, the program, the library with its headers, pkg-config file and CMake package, and the
# data files that the program loads. The manual is installed if the target docs was built. Each component is a part of a
# Debian package (cmake/package.cmake); `cmake --install` without --component installs all.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS puddle_shared EXPORT puddle-targets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS puddle_static EXPORT puddle-static-targets)
install(DIRECTORY include/puddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/puddle)
install(EXPORT puddle-targets NAMESPACE puddle:: DESTINATION ${package_dir})
install(EXPORT puddle-static-targets NAMESPACE puddle:: DESTINATION ${package_dir})
configure_package_config_file(cmake/puddle-config.cmake.in ${CMAKE_BINARY_DIR}/puddle-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/puddle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/puddle-config.cmake ${CMAKE_BINARY_DIR}/puddle-config-version.cmake
  DESTINATION ${package_dir})

# Places from the file's own folder, so that any prefix works, also a moved one.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE PUDDLE_PC_PREFIX)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE PUDDLE_PC_INCLUDEDIR)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE PUDDLE_PC_LIBDIR)
configure_file(cmake/puddle.pc.in ${CMAKE_BINARY_DIR}/puddle.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/puddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT pages)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT pages)
install(DIRECTORY ${PUDDLE_DOCS_DIR}/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL COMPONENT manual)

install(DIRECTORY assets/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/puddle COMPONENT program FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY assets/thumbnails DESTINATION ${CMAKE_INSTALL_DATADIR}/puddle COMPONENT program FILES_MATCHING PATTERN "*.png")
if(PUDDLE_APP)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
  install(TARGETS puddle_bin)
  install(DIRECTORY shaders DESTINATION ${CMAKE_INSTALL_DATADIR}/puddle FILES_MATCHING PATTERN "*.vert" PATTERN "*.frag")
  install(DIRECTORY ${PUDDLE_PAGES_DIR}/man1 ${PUDDLE_PAGES_DIR}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT pages OPTIONAL)
  install(FILES ${PUDDLE_PAGES_DIR}/puddle DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)
  install(FILES ${PUDDLE_PAGES_DIR}/_puddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT pages OPTIONAL)
  install(FILES ${PUDDLE_PAGES_DIR}/puddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endif()
