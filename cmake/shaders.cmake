# A broken shader breaks the build, not the first start, where the validator is at hand.
find_program(GLSLANG_VALIDATOR glslangValidator)
file(GLOB SHADERS CONFIGURE_DEPENDS shaders/*.vert shaders/*.frag)
if(GLSLANG_VALIDATOR AND SHADERS)
  set(stamp ${CMAKE_BINARY_DIR}/shaders.checked)
  add_custom_command(OUTPUT ${stamp} COMMAND ${GLSLANG_VALIDATOR} -Od ${SHADERS} COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${SHADERS} COMMENT "Checking the shaders" VERBATIM)
  add_custom_target(check_shaders ALL DEPENDS ${stamp})
endif()
