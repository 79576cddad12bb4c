# Where glslangValidator is installed the build checks the shaders, so that errors do not first appear at run time.
find_program(GLSLANG_VALIDATOR glslangValidator)
file(GLOB SHADERS CONFIGURE_DEPENDS shaders/*.vert shaders/*.frag)
if(GLSLANG_VALIDATOR AND SHADERS)
  set(stamp ${CMAKE_BINARY_DIR}/shaders.checked)
  add_custom_command(OUTPUT ${stamp} COMMAND ${GLSLANG_VALIDATOR} -Od ${SHADERS} COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${SHADERS} COMMENT "Checking the shaders" VERBATIM)
  add_custom_target(check_shaders ALL DEPENDS ${stamp})
endif()
