# The Python module puddle: python/puddle, and _library.py, which declares what the public headers declare.
# PUDDLE_PYTHON_DIR: its folder, from the prefix. Default: where python3 looks for modules below the prefix, else
# lib/python3.X/site-packages, which needs PYTHONPATH. Without python3 and without the variable no module is installed.
find_program(PUDDLE_PYTHON python3)
if(PUDDLE_PYTHON AND NOT DEFINED PUDDLE_PYTHON_DIR)
  execute_process(COMMAND ${PUDDLE_PYTHON} ${CMAKE_SOURCE_DIR}/python/folder.py ${CMAKE_INSTALL_PREFIX}
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(PUDDLE_PYTHON_DIR "${folder}" CACHE STRING "Folder of the Python module puddle, from the prefix; empty: none")
endif()
if(NOT PUDDLE_PYTHON_DIR)
  message(STATUS "No Python module: no python3 gives its folder (set PUDDLE_PYTHON_DIR)")
  return()
endif()

cmake_path(ABSOLUTE_PATH PUDDLE_PYTHON_DIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE module)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${module}/puddle OUTPUT_VARIABLE library)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_DATADIR BASE_DIRECTORY ${module}/puddle OUTPUT_VARIABLE data)
set(declarations ${CMAKE_BINARY_DIR}/python/_library.py)
file(GLOB PUBLIC_HEADERS CONFIGURE_DEPENDS include/puddle/*.h)
add_custom_command(OUTPUT ${declarations}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/python
  COMMAND sh ${CMAKE_SOURCE_DIR}/python/declare.sh ${declarations} ${CMAKE_SOURCE_DIR}/include
    ${library}/$<TARGET_SONAME_FILE_NAME:puddle_shared> ${data}/puddle ${CMAKE_C_COMPILER}
  DEPENDS ${PUBLIC_HEADERS} python/declare.sh VERBATIM)
add_custom_target(puddle_python ALL DEPENDS ${declarations})

# puddle_install_python(FOLDER COMPONENT [options of install]): FOLDER is from the prefix.
function(puddle_install_python folder component)
  install(DIRECTORY python/puddle DESTINATION ${folder} COMPONENT ${component} ${ARGN} FILES_MATCHING PATTERN "*.py"
    PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  install(FILES ${declarations} DESTINATION ${folder}/puddle COMPONENT ${component} ${ARGN})
endfunction()
puddle_install_python(${PUDDLE_PYTHON_DIR} python)
