# The target docs: the manual and the API reference as HTML in docs/html of the build folder. Without Doxygen there is no such target.
set(PUDDLE_DOCS_DIR ${CMAKE_BINARY_DIR}/docs)
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  message(STATUS "No Doxygen: no target docs (run scripts/install-deps.sh)")
  return()
endif()
# The pages in the order of their links in docs/index.md, before those without a link.
set(PUDDLE_DOCS_ORDER "")
if(EXISTS ${CMAKE_SOURCE_DIR}/docs/index.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/index.md)
  file(READ docs/index.md index)
  string(REGEX MATCHALL "\\([^):#]+\\.md" links "(index.md${index}")
  foreach(link ${links})
    string(SUBSTRING "${link}" 1 -1 page)
    get_filename_component(page ${page} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR}/docs)
    if(EXISTS ${page})
      string(APPEND PUDDLE_DOCS_ORDER " \"${page}\"")
    endif()
  endforeach()
endif()
configure_file(docs/Doxyfile.in ${CMAKE_BINARY_DIR}/Doxyfile @ONLY)
file(GLOB_RECURSE DOCS_INPUTS CONFIGURE_DEPENDS docs/*.md docs/*.png docs/*.gif docs/*.jpg docs/*.svg docs/*.css include/puddle/*.h)
add_custom_command(OUTPUT ${PUDDLE_DOCS_DIR}/html/index.html
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PUDDLE_DOCS_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PUDDLE_DOCS_DIR}
  COMMAND ${DOXYGEN_EXECUTABLE} ${CMAKE_BINARY_DIR}/Doxyfile
  COMMAND ${CMAKE_SOURCE_DIR}/scripts/check-docs.sh ${PUDDLE_DOCS_DIR}
  DEPENDS ${DOCS_INPUTS} ${CMAKE_BINARY_DIR}/Doxyfile CONTRIBUTING.md CHANGELOG.md scripts/filter-manual.sh scripts/check-docs.sh
  COMMENT "Building the manual and the API reference" VERBATIM)
add_custom_target(docs DEPENDS ${PUDDLE_DOCS_DIR}/html/index.html)
