# Manual pages and completions: pages/ of the build folder. scripts/write-pages.py makes them from the tables that puddle prints.
set(PUDDLE_PAGES_DIR ${CMAKE_BINARY_DIR}/pages)
find_program(PUDDLE_PYTHON python3)
if(NOT PUDDLE_APP OR CMAKE_CROSSCOMPILING)
  return()
elseif(NOT PUDDLE_PYTHON)
  message(STATUS "No manual pages and completions: there is no python3 (run scripts/install-deps.sh)")
  return()
endif()
set(code ${CMAKE_SOURCE_DIR}/assets/completions)
set(script ${CMAKE_SOURCE_DIR}/scripts/write-pages.py)
file(GLOB PAGES_SCENES CONFIGURE_DEPENDS assets/scenes/*.yaml)
add_custom_command(OUTPUT ${PUDDLE_PAGES_DIR}/puddle
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PUDDLE_PAGES_DIR}
  COMMAND ${PUDDLE_PYTHON} ${script} $<TARGET_FILE:puddle_bin> ${code} ${PUDDLE_PAGES_DIR}
  DEPENDS puddle_bin ${script} ${code}/puddle.bash ${code}/puddle.fish ${code}/puddle.zsh ${PAGES_SCENES}
  COMMENT "Writing manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${PUDDLE_PAGES_DIR}/puddle)
