# What embedders link: libpuddle.so and libpuddle.a. Both have the symbols that the public
# headers mark with PD_API and no others: one object of the whole library, whose hidden symbols are local.
set(object ${CMAKE_BINARY_DIR}/puddle.o)
if(APPLE)
  # The linker makes hidden symbols local by itself.
  set(join ${CMAKE_LINKER} -r -force_load $<TARGET_FILE:puddle_internal> -o ${object})
  set(localize ${CMAKE_COMMAND} -E true)
else()
  set(join ${CMAKE_LINKER} -r --whole-archive $<TARGET_FILE:puddle_internal> -o ${object})
  set(localize ${CMAKE_OBJCOPY} --localize-hidden ${object})
endif()
add_custom_command(OUTPUT ${object} DEPENDS puddle_internal COMMAND ${join} COMMAND ${localize} VERBATIM)
add_library(puddle_shared SHARED ${object})
add_library(puddle_static STATIC ${object})
foreach(library puddle_shared puddle_static)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME puddle)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE PkgConfig::YAML Threads::Threads m)
endforeach()
# Number of the binary interface, in the SONAME and in the name of the package libpuddle0. A change after which programs must
# be compiled again raises the number (puddle.h, Compatibility).
set(PUDDLE_ABI 0)
set_target_properties(puddle_shared PROPERTIES EXPORT_NAME puddle
  VERSION ${PUDDLE_ABI}.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH} SOVERSION ${PUDDLE_ABI})
set_target_properties(puddle_static PROPERTIES EXPORT_NAME static)
