# Manual pages and completions: pages/ of the build folder. The program puddle_pages prints them from the program's tables.
set(PUDDLE_PAGES_DIR ${CMAKE_BINARY_DIR}/pages)
if(NOT PUDDLE_APP OR CMAKE_CROSSCOMPILING)
  return()
endif()
file(GLOB PAGES_SOURCES CONFIGURE_DEPENDS src/cli/pages/*.c)
list(REMOVE_ITEM PAGES_SOURCES ${CMAKE_SOURCE_DIR}/src/cli/pages/roff.c)
add_executable(puddle_pages ${PAGES_SOURCES})
target_link_libraries(puddle_pages PRIVATE puddle_program puddle_flags PkgConfig::CJSON)
set(code ${CMAKE_SOURCE_DIR}/assets/completions/puddle)
file(GLOB PAGES_SCENES CONFIGURE_DEPENDS assets/scenes/*.yaml)
add_custom_command(OUTPUT ${PUDDLE_PAGES_DIR}/puddle
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PUDDLE_PAGES_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PUDDLE_PAGES_DIR}/man1 ${PUDDLE_PAGES_DIR}/man5
  COMMAND puddle_pages ${PUDDLE_PAGES_DIR}
  COMMAND ${CMAKE_COMMAND} -E cat ${PUDDLE_PAGES_DIR}/zsh-tables ${code}.zsh > ${PUDDLE_PAGES_DIR}/_puddle
  COMMAND ${CMAKE_COMMAND} -E cat ${code}.fish ${PUDDLE_PAGES_DIR}/fish-tables > ${PUDDLE_PAGES_DIR}/puddle.fish
  COMMAND ${CMAKE_COMMAND} -E cat ${PUDDLE_PAGES_DIR}/bash-tables ${code}.bash > ${PUDDLE_PAGES_DIR}/puddle
  DEPENDS puddle_pages ${code}.bash ${code}.fish ${code}.zsh ${PAGES_SCENES} COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${PUDDLE_PAGES_DIR}/puddle)
