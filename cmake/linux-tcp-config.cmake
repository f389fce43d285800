# Writes ns3/linux-tcp-config.h, which tells model/ns3-compat.h the version of ns-3. No header of
# ns-3 itself does so in every kind of installation. The version comes from ns3_VERSION (installed
# ns-3) or NS3_VER (in-tree; "3-dev" in the development tree).

if(NOT LINUX_TCP_STANDALONE OR LINUX_TCP_NS3)
  if(LINUX_TCP_STANDALONE)
    set(linux_tcp_ns3 "${ns3_VERSION}")
  else()
    set(linux_tcp_ns3 "${NS3_VER}")
  endif()
  if(linux_tcp_ns3 MATCHES "^([0-9]+)\\.([0-9]+)")
    math(EXPR LINUX_TCP_NS3_VERSION "${CMAKE_MATCH_1} * 1000 + ${CMAKE_MATCH_2}")
  elseif(linux_tcp_ns3 MATCHES "dev")
    set(LINUX_TCP_NS3_VERSION 3999)
  else()
    message(FATAL_ERROR "linux-tcp: ns-3 version '${linux_tcp_ns3}' is not of the form 3.N or 3-dev")
  endif()
  if(LINUX_TCP_NS3_VERSION LESS 3036)
    message(FATAL_ERROR "linux-tcp: ns-3 ${linux_tcp_ns3} is too old for CMake; use wscript there")
  endif()
  configure_file(
    ${CMAKE_CURRENT_LIST_DIR}/linux-tcp-config.h.in
    ${CMAKE_HEADER_OUTPUT_DIRECTORY}/linux-tcp-config.h
  )
  install(FILES ${CMAKE_HEADER_OUTPUT_DIRECTORY}/linux-tcp-config.h
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
  )
endif()
