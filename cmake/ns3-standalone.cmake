# Stand-alone build of this module against an installed ns-3 3.37 or newer: Debian's libns3-dev,
# the wheel of PyPI, or a prefix of one's own.
#
# It finds ns-3, mends what its exported targets get wrong, sets the library variables of ns-3's
# own build (libcore, libinternet, ...) and defines the commands build_lib() and
# build_lib_example(), so that CMakeLists.txt reads the same as in ns-3's contrib folder.

include(CheckCXXCompilerFlag)

set(LINUX_TCP_STANDALONE ON)

option(LINUX_TCP_NS3 "Build the ns-3 module; OFF builds the pure algorithms only" ON)
option(LINUX_TCP_ALGORITHM_PROGRAMS "Build the tests, benchmarks and replay of the algorithms" ON)
option(LINUX_TCP_TESTS "Build the tests" ON)
option(LINUX_TCP_EXAMPLES "Build the example programs" ON)
option(LINUX_TCP_PYTHON "Build the Python extension (needs nanobind)" OFF)
option(LINUX_TCP_SANITIZE "Compile with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(LINUX_TCP_WERROR "Treat warnings as errors" OFF)
option(NS3_FROM_PYTHON "Take ns-3 from the wheel installed in the Python interpreter" OFF)
option(NS3_ASSERT "Enable NS_ASSERT in this module where ns-3 does not say how it was built" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# assert() stays on in every type.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_HEADER_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/include/ns3)
file(MAKE_DIRECTORY ${CMAKE_HEADER_OUTPUT_DIRECTORY})

# A Python package keeps its library and headers inside its folder.
if(SKBUILD)
  set(CMAKE_INSTALL_LIBDIR linux_tcp/lib)
  set(CMAKE_INSTALL_INCLUDEDIR linux_tcp/include)
else()
  include(GNUInstallDirs)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(LINUX_TCP_CCACHE ccache)
  mark_as_advanced(LINUX_TCP_CCACHE)
  if(LINUX_TCP_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${LINUX_TCP_CCACHE})
  endif()
endif()

# What all code of this module is compiled with. The headers of ns-3 are system headers to it.
add_library(linux-tcp-options INTERFACE)
target_compile_options(linux-tcp-options INTERFACE -Wall -Wextra)
# Nobody replaces single functions of the shared library, so they may be inlined.
check_cxx_compiler_flag(-fno-semantic-interposition LINUX_TCP_HAS_NO_INTERPOSITION)
if(LINUX_TCP_HAS_NO_INTERPOSITION)
  target_compile_options(linux-tcp-options INTERFACE -fno-semantic-interposition)
endif()
if(LINUX_TCP_WERROR)
  target_compile_options(linux-tcp-options INTERFACE -Werror)
endif()
if(LINUX_TCP_SANITIZE)
  set(linux_tcp_sanitize -fsanitize=address,undefined)
  target_compile_options(
    linux-tcp-options INTERFACE ${linux_tcp_sanitize} -fno-sanitize-recover=all
                                -fno-omit-frame-pointer
  )
  target_link_options(linux-tcp-options INTERFACE ${linux_tcp_sanitize})
endif()

# Link the headers given into the folder of "ns3/x.h" includes, as ns-3 does in its own build.
function(linux_tcp_forward_headers)
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    set(forward ${CMAKE_HEADER_OUTPUT_DIRECTORY}/${name})
    set(content "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"\n")
    set(present "")
    if(EXISTS ${forward})
      file(READ ${forward} present)
    endif()
    if(NOT present STREQUAL content)
      file(WRITE ${forward} "${content}")
    endif()
  endforeach()
endfunction()

# The folder of the wheel's CMake package. CMake does not look into site-packages, and would take
# another ns-3 in /usr without a word.
function(linux_tcp_find_wheel result)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND
      ${Python_EXECUTABLE} -c
      "import pathlib, sys
for folder in sys.path:
    for lib in ('lib64', 'lib'):
        found = pathlib.Path(folder or '.') / 'ns3' / lib / 'cmake' / 'ns3'
        if (found / 'ns3Config.cmake').is_file():
            print(found.resolve(), end='')
            sys.exit(0)
sys.exit(1)"
    OUTPUT_VARIABLE folder
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "NS3_FROM_PYTHON=ON, but ${Python_EXECUTABLE} has no ns-3: "
                        "install it with pip install --no-deps ns3==3.44.post0, "
                        "or set NS3_FROM_PYTHON=OFF for an ns-3 of the system"
    )
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

if(LINUX_TCP_NS3)
  if(NS3_FROM_PYTHON)
    linux_tcp_find_wheel(ns3_DIR)
  endif()
  # No version is asked for: ns3ConfigVersion.cmake accepts the exact version only.
  find_package(ns3 QUIET)
  if(NOT ns3_FOUND)
    message(
      FATAL_ERROR
        "No installed ns-3 found. Install one (Debian: apt-get install libns3-dev ns3; both are "
        "needed), or give its folder with -Dns3_DIR=PREFIX/lib/cmake/ns3, or install the wheel "
        "(pip install --no-deps ns3==3.44.post0) and give -DNS3_FROM_PYTHON=ON"
    )
  endif()
  if(ns3_VERSION VERSION_LESS 3.37)
    message(FATAL_ERROR "ns-3 ${ns3_VERSION} in ${ns3_DIR} is too old: 3.37 or newer is needed")
  endif()
  message(STATUS "ns-3 ${ns3_VERSION} in ${ns3_DIR}")

  # The standard its headers need; they do not compile with a newer one in every case.
  if(ns3_VERSION VERSION_LESS 3.41)
    set(CMAKE_CXX_STANDARD 17)
  elseif(ns3_VERSION VERSION_LESS 3.46)
    set(CMAKE_CXX_STANDARD 20)
  else()
    set(CMAKE_CXX_STANDARD 23)
  endif()

  # The targets were called ns3::libcore up to 3.42 and ns3::core afterwards.
  if(TARGET ns3::libcore)
    set(linux_tcp_prefix ns3::lib)
  else()
    set(linux_tcp_prefix ns3::)
  endif()

  # The folder with the headers of ns-3 and nothing else. The wheel ships the headers of another
  # Boost beside them, which must not hide the system's.
  get_target_property(folders ${linux_tcp_prefix}core INTERFACE_INCLUDE_DIRECTORIES)
  set(linux_tcp_ns3_headers "")
  foreach(folder ${folders})
    if(EXISTS ${folder}/ns3/core-module.h)
      set(linux_tcp_ns3_headers ${folder})
      break()
    endif()
  endforeach()
  if(NOT linux_tcp_ns3_headers)
    message(FATAL_ERROR "ns-3 in ${ns3_DIR} has no header ns3/core-module.h")
  endif()
  set(linux_tcp_ns3_link ${CMAKE_BINARY_DIR}/ns3-include)
  file(MAKE_DIRECTORY ${linux_tcp_ns3_link})
  file(CREATE_LINK ${linux_tcp_ns3_headers}/ns3 ${linux_tcp_ns3_link}/ns3 SYMBOLIC)

  # Mend every module's target and set its library variable.
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target ${targets})
    get_target_property(kind ${target} TYPE)
    if(NOT kind MATCHES "_LIBRARY$" OR NOT target MATCHES "^${linux_tcp_prefix}(.+)$")
      continue()
    endif()
    set(lib${CMAKE_MATCH_1} ${target})

    set_target_properties(
      ${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${linux_tcp_ns3_link}
    )

    # Keep the modules, flags and libraries that exist here; the others were found on the machine
    # that built the package, and the modules bring their own.
    get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
    set(kept "")
    foreach(library ${libraries})
      if(library MATCHES "^ns3::" OR library MATCHES "^-" OR (IS_ABSOLUTE "${library}" AND EXISTS
                                                                "${library}"
                                                             )
      )
        list(APPEND kept ${library})
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${kept}")

    # Debian's 3.37 was built with logging, but does not tell its users so.
    get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
    if(NOT definitions)
      set(definitions NS3_LOG_ENABLE)
      if(NS3_ASSERT)
        list(APPEND definitions NS3_ASSERT_ENABLE)
      endif()
    endif()
    list(FILTER definitions EXCLUDE REGEX "^PROJECT_SOURCE_PATH")
    set_target_properties(${target} PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
  endforeach()

  foreach(module core network internet traffic-control point-to-point applications)
    if(NOT lib${module})
      message(FATAL_ERROR "ns-3 in ${ns3_DIR} lacks the module ${module}")
    endif()
  endforeach()
else()
  set(CMAKE_CXX_STANDARD 17)
endif()

# As build_lib() of ns-3: a module with its headers, tests and examples.
function(build_lib)
  cmake_parse_arguments(
    BLIB "IGNORE_PCH" "LIBNAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES" ${ARGN}
  )
  linux_tcp_forward_headers(${BLIB_HEADER_FILES})
  if(NOT LINUX_TCP_NS3)
    return()
  endif()

  set(content "#ifndef NS3_MODULE_LINUX_TCP\n#define NS3_MODULE_LINUX_TCP\n\n")
  foreach(header ${BLIB_HEADER_FILES})
    get_filename_component(name ${header} NAME)
    string(APPEND content "#include \"ns3/${name}\"\n")
  endforeach()
  string(APPEND content "\n#endif\n")
  file(CONFIGURE OUTPUT ${CMAKE_HEADER_OUTPUT_DIRECTORY}/${BLIB_LIBNAME}-module.h
       CONTENT "${content}" @ONLY
  )

  # Not libns3*: ns-3's Python bindings search the folders for that name.
  add_library(${BLIB_LIBNAME} SHARED ${BLIB_SOURCE_FILES} ${BLIB_HEADER_FILES})
  target_link_libraries(${BLIB_LIBNAME} PUBLIC ${BLIB_LIBRARIES_TO_LINK})
  target_link_libraries(${BLIB_LIBNAME} PRIVATE $<BUILD_INTERFACE:linux-tcp-options>)
  target_include_directories(
    ${BLIB_LIBNAME} PUBLIC $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include>
                           $<INSTALL_INTERFACE:include>
  )
  set_target_properties(
    ${BLIB_LIBNAME}
    PROPERTIES
      PUBLIC_HEADER
      "${BLIB_HEADER_FILES};${CMAKE_HEADER_OUTPUT_DIRECTORY}/${BLIB_LIBNAME}-module.h"
  )

  if(LINUX_TCP_TESTS AND BLIB_TEST_SOURCES)
    add_executable(${BLIB_LIBNAME}-test-runner test/test-runner.cc ${BLIB_TEST_SOURCES})
    target_compile_definitions(
      ${BLIB_LIBNAME}-test-runner PRIVATE NS_TEST_SOURCEDIR="test"
    )
    target_link_libraries(${BLIB_LIBNAME}-test-runner PRIVATE ${BLIB_LIBNAME} linux-tcp-options)
    set_target_properties(
      ${BLIB_LIBNAME}-test-runner PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    )
  endif()

  if(LINUX_TCP_EXAMPLES AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt)
    set(BLIB_LIBNAME ${BLIB_LIBNAME})
    add_subdirectory(examples)
  endif()
endfunction()

# As build_lib_example() of ns-3: a program that uses the module.
function(build_lib_example)
  cmake_parse_arguments(
    EXAMPLE "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK" ${ARGN}
  )
  add_executable(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES} ${EXAMPLE_HEADER_FILES})
  target_link_libraries(
    ${EXAMPLE_NAME} PRIVATE ${BLIB_LIBNAME} ${EXAMPLE_LIBRARIES_TO_LINK} linux-tcp-options
  )
  set_target_properties(
    ${EXAMPLE_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples
  )
endfunction()
