# find_package(arbiter) gives `arbiter::bot`, the headers of bots, and `arbiter_add_bot(NAME SOURCE...)`, a bot's library.
get_filename_component(arbiter_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET arbiter::bot)
  add_library(arbiter::bot INTERFACE IMPORTED)
  set_target_properties(arbiter::bot PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${arbiter_PREFIX}/include")
endif()

function(arbiter_add_bot name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE arbiter::bot)
  # `arbiter ./NAME.so`, with the entry point alone for others to see.
  set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_CXX_COMPILER)
    # It runs where libstdc++ is another one.
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
  endif()
endfunction()
