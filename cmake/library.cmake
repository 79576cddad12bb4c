# What embedders link: libpuddle.so and libpuddle.a, from the same objects. The symbols without PD_API have hidden visibility: the
# shared library does not export them. In the static library they begin with pd_ as the API does (scripts/check-exports.sh).
add_library(puddle_shared SHARED $<TARGET_OBJECTS:puddle_static> ${PUDDLE_WIDE_OBJECTS})
foreach(library puddle_shared puddle_static)
  set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME puddle)
  target_include_directories(${library} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE PkgConfig::YAML Threads::Threads m)
endforeach()
# Number of the binary interface, in the SONAME and in the name of the package libpuddle0. A change after which programs must
# be compiled again raises the number (puddle.h, Compatibility).
set(PUDDLE_ABI 0)
set_target_properties(puddle_shared PROPERTIES EXPORT_NAME puddle
  VERSION ${PUDDLE_ABI}.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH} SOVERSION ${PUDDLE_ABI})
set_target_properties(puddle_static PROPERTIES EXPORT_NAME static)
