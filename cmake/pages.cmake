# Manual pages and completions, which the program puddle_pages prints from the program's tables: pages/ of the build folder.
set(PUDDLE_PAGES_DIR ${CMAKE_BINARY_DIR}/pages)
if(NOT PUDDLE_APP OR CMAKE_CROSSCOMPILING)
  return()
endif()
file(GLOB PAGES_SOURCES CONFIGURE_DEPENDS src/cli/pages/*.c)
list(REMOVE_ITEM PAGES_SOURCES ${CMAKE_SOURCE_DIR}/src/cli/pages/roff.c)
add_executable(puddle_pages ${PAGES_SOURCES})
target_link_libraries(puddle_pages PRIVATE puddle_program puddle_flags PkgConfig::CJSON)
set(bash ${CMAKE_SOURCE_DIR}/assets/completions/puddle.bash)
file(GLOB PAGES_SCENES CONFIGURE_DEPENDS assets/scenes/*.yaml)
add_custom_command(OUTPUT ${PUDDLE_PAGES_DIR}/puddle
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PUDDLE_PAGES_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PUDDLE_PAGES_DIR}/man1 ${PUDDLE_PAGES_DIR}/man5
  COMMAND puddle_pages ${PUDDLE_PAGES_DIR}
  COMMAND ${CMAKE_COMMAND} -E cat ${PUDDLE_PAGES_DIR}/bash-tables ${bash} > ${PUDDLE_PAGES_DIR}/puddle
  DEPENDS puddle_pages ${bash} ${PAGES_SCENES} COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${PUDDLE_PAGES_DIR}/puddle)
