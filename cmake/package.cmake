# Debian packages and the source archive:
#   cmake --build build/release --target package          build/release/packages/*.deb
#   cmake --build build/release --target package_source   build/release/packages/puddle-VERSION.tar.xz
# A package is a group of components of cmake/install.cmake, with files that only Debian's packages have.
set(PUDDLE_MAINTAINER "The puddle authors <maintainers@puddlefluid.org>" CACHE STRING "Maintainer of the packages: Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME puddle)
set(CPACK_PACKAGE_VENDOR "The puddle authors")
set(CPACK_PACKAGE_HOMEPAGE_URL ${PUDDLE_HOMEPAGE})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_THREADS 0) # all cores
set(CPACK_VERBATIM_VARIABLES ON)

# The source archive: the files of the repository.
set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME puddle-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/\\.git$" "/build/" "/recordings/" "/\\.cache/" "/__pycache__/" "\\.puddle$"
  "/compile_commands\\.json$")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${PUDDLE_MAINTAINER})
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL "")

find_program(PUDDLE_GZIP gzip REQUIRED)
set(PUDDLE_DEBIAN_DIR ${CMAKE_BINARY_DIR}/debian)

# puddle_gzip(OUTPUT INPUT): a compressed file without time and name, so that equal inputs give equal packages.
function(puddle_gzip output input)
  add_custom_command(OUTPUT ${output} DEPENDS ${input} COMMAND sh -c "'${PUDDLE_GZIP}' -9n <'${input}' >'${output}'" VERBATIM)
endfunction()

# The files copyright and changelogs, which Debian wants in every package.
string(TIMESTAMP PUDDLE_DATE "%a, %d %b %Y 00:00:00 +0000" UTC) # of SOURCE_DATE_EPOCH, if set
configure_file(packages/copyright ${PUDDLE_DEBIAN_DIR}/copyright COPYONLY)
configure_file(packages/changelog.in ${PUDDLE_DEBIAN_DIR}/changelog @ONLY)
puddle_gzip(${PUDDLE_DEBIAN_DIR}/changelog.Debian.gz ${PUDDLE_DEBIAN_DIR}/changelog)
puddle_gzip(${PUDDLE_DEBIAN_DIR}/changelog.gz ${CMAKE_SOURCE_DIR}/CHANGELOG.md)
set(debian_files ${PUDDLE_DEBIAN_DIR}/changelog.Debian.gz ${PUDDLE_DEBIAN_DIR}/changelog.gz)
if(TARGET pages)
  set(man ${PUDDLE_DEBIAN_DIR}/man)
  add_custom_command(OUTPUT ${man}/man1/puddle.1.gz DEPENDS ${PUDDLE_PAGES_DIR}/puddle
    COMMAND sh -c "rm -rf '${man}' && mkdir '${man}' && cp -R man1 man5 '${man}' && '${PUDDLE_GZIP}' -9n '${man}'/*/*"
    WORKING_DIRECTORY ${PUDDLE_PAGES_DIR} VERBATIM)
  list(APPEND debian_files ${man}/man1/puddle.1.gz)
endif()
add_custom_target(debian_files ALL DEPENDS ${debian_files})

# puddle_package(NAME SECTION [COMPONENTS ...] [DEPENDS ...] [RECOMMENDS ...] [SUGGESTS ...] [CONTROL ...] [ALL])
#   NAME: also of the file packages/NAME.txt, which describes the package
#   CONTROL: scripts that dpkg runs     ALL: the same package for every processor
macro(puddle_package name section)
  cmake_parse_arguments(_p "ALL" "" "COMPONENTS;DEPENDS;RECOMMENDS;SUGGESTS;CONTROL" ${ARGN})
  string(TOUPPER ${name} _group)
  install(FILES ${PUDDLE_DEBIAN_DIR}/copyright ${PUDDLE_DEBIAN_DIR}/changelog.Debian.gz ${PUDDLE_DEBIAN_DIR}/changelog.gz
    DESTINATION share/doc/${name} COMPONENT debian_${name} EXCLUDE_FROM_ALL)
  foreach(_component ${_p_COMPONENTS} debian_${name})
    string(TOUPPER ${_component} _upper)
    list(APPEND CPACK_COMPONENTS_ALL ${_component})
    set(CPACK_COMPONENT_${_upper}_GROUP ${name})
  endforeach()
  file(READ ${CMAKE_SOURCE_DIR}/packages/${name}.txt CPACK_DEBIAN_${_group}_DESCRIPTION)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS packages/${name}.txt)
  set(CPACK_DEBIAN_${_group}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${_group}_PACKAGE_SECTION ${section})
  foreach(_field DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN _p_${_field} ", " CPACK_DEBIAN_${_group}_PACKAGE_${_field})
  endforeach()
  set(CPACK_DEBIAN_${_group}_PACKAGE_CONTROL_EXTRA ${_p_CONTROL})
  set(CPACK_DEBIAN_${_group}_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  if(_p_ALL)
    set(CPACK_DEBIAN_${_group}_PACKAGE_ARCHITECTURE all)
  else()
    set(CPACK_DEBIAN_${_group}_PACKAGE_SHLIBDEPS ON)
  endif()
endmacro()

set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
if(PUDDLE_APP)
  puddle_package(puddle science COMPONENTS program DEPENDS fonts-dejavu-core libegl1 libgl1
    RECOMMENDS libgl1-mesa-dri "libdecor-0-plugin-1-cairo | libdecor-0-plugin-1" wl-clipboard xclip SUGGESTS puddle-doc fonts-noto-cjk)
  install(FILES README.md DESTINATION share/doc/puddle COMPONENT debian_puddle EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PUDDLE_DEBIAN_DIR}/man DESTINATION share COMPONENT debian_puddle EXCLUDE_FROM_ALL)
  install(FILES ${PUDDLE_PAGES_DIR}/_puddle DESTINATION share/zsh/vendor-completions COMPONENT debian_puddle EXCLUDE_FROM_ALL)
endif()

puddle_package(libpuddle0 libs COMPONENTS library CONTROL ${CMAKE_SOURCE_DIR}/packages/library/triggers)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

puddle_package(libpuddle-dev libdevel COMPONENTS development DEPENDS "libpuddle0 ${same}" libyaml-dev SUGGESTS puddle-doc)
install(DIRECTORY examples DESTINATION share/doc/libpuddle-dev COMPONENT debian_libpuddle-dev EXCLUDE_FROM_ALL)

if(PUDDLE_PYTHON_DIR)
  puddle_package(python3-puddle python DEPENDS "libpuddle0 ${same}" python3 python3-cffi python3-numpy RECOMMENDS puddle
    CONTROL ${CMAKE_SOURCE_DIR}/packages/python/postinst ${CMAKE_SOURCE_DIR}/packages/python/prerm)
  puddle_install_python(lib/python3/dist-packages debian_python3-puddle EXCLUDE_FROM_ALL)
endif()

if(DOXYGEN_FOUND)
  puddle_package(puddle-doc doc COMPONENTS manual ALL)
  set(CPACK_INSTALL_SCRIPTS ${CMAKE_BINARY_DIR}/build-docs.cmake) # cpack builds the manual first
  file(WRITE ${CMAKE_BINARY_DIR}/build-docs.cmake
    "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target docs COMMAND_ERROR_IS_FATAL ANY)\n")
endif()
include(CPack)
