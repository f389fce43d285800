# What only a stand-alone build has: the pure algorithms as a library of their own with its tests,
# benchmarks and the replay program; the module's test runner in ctest; the Python extension. One
# file a line, in alphabetical order.

include(CTest)

set(algorithm_test_sources
    test/algorithm/cdg-window-test.cc
    test/algorithm/cubic-profiles-test.cc
    test/algorithm/cubic-window-test.cc
    test/algorithm/fair-queue-test.cc
    test/algorithm/htcp-window-test.cc
    test/algorithm/hystart-detector-test.cc
    test/algorithm/hystart-plus-plus-test.cc
    test/algorithm/ladder-queue-test.cc
    test/algorithm/main.cc
    test/algorithm/nv-window-test.cc
    test/algorithm/reno-window-test.cc
    test/algorithm/replay-test.cc
    test/algorithm/vectors-test.cc
)

set(algorithm_benchmark_sources
    bench/algorithm-bench.cc
)

set(replay_sources
    tools/replay/cdg-columns.cc
    tools/replay/cubic-columns.cc
    tools/replay/htcp-columns.cc
    tools/replay/nv-columns.cc
    tools/replay/reno-columns.cc
    tools/replay/replay-binding.cc
    tools/replay/replay-program.cc
    tools/replay/replay-settings.cc
    tools/replay/replay.cc
    tools/replay/vector-file.cc
)

# The test data lie under test/, whatever the build folder is.
set(linux_tcp_test_data "LINUX_TCP_TEST_DATA_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}/test/data\""
                        "LINUX_TCP_VECTOR_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}/test/vectors\""
)

if(LINUX_TCP_ALGORITHM_PROGRAMS)
  add_library(linux-tcp-algorithm STATIC ${algorithm_sources} ${algorithm_headers})
  target_include_directories(
    linux-tcp-algorithm PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/model/algorithm
                               ${CMAKE_BINARY_DIR}/include
  )
  target_link_libraries(linux-tcp-algorithm PUBLIC linux-tcp-options)
  set_target_properties(linux-tcp-algorithm PROPERTIES CXX_STANDARD 17)

  find_package(LibLZMA)
  find_package(ZLIB)
  set(linux_tcp_replay OFF)
  if(LIBLZMA_FOUND AND ZLIB_FOUND)
    set(linux_tcp_replay ON)

    add_library(linux-tcp-replay-core STATIC ${replay_sources})
    target_include_directories(
      linux-tcp-replay-core PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/tools/replay
    )
    target_link_libraries(
      linux-tcp-replay-core
      PUBLIC linux-tcp-algorithm
      PRIVATE LibLZMA::LibLZMA ZLIB::ZLIB
    )
    set_target_properties(linux-tcp-replay-core PROPERTIES CXX_STANDARD 17)

    add_executable(linux-tcp-replay tools/replay/main.cc)
    target_link_libraries(linux-tcp-replay PRIVATE linux-tcp-replay-core)
    set_target_properties(
      linux-tcp-replay PROPERTIES CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    )
  else()
    message(STATUS "liblzma or zlib not found: no replay and no tests of the algorithms")
  endif()

  if(LINUX_TCP_TESTS AND algorithm_test_sources)
    find_package(Boost COMPONENTS unit_test_framework)
    if(NOT Boost_FOUND)
      message(STATUS "Boost.Test not found: no tests of the algorithms")
    endif()
  endif()
  if(LINUX_TCP_TESTS AND algorithm_test_sources AND Boost_FOUND AND linux_tcp_replay)
    add_executable(linux-tcp-algorithm-tests ${algorithm_test_sources})
    target_compile_definitions(
      linux-tcp-algorithm-tests PRIVATE BOOST_TEST_DYN_LINK ${linux_tcp_test_data}
    )
    # Boost.Test's macros cost more to optimise than they gain.
    target_compile_options(linux-tcp-algorithm-tests PRIVATE -O1)
    target_link_libraries(
      linux-tcp-algorithm-tests PRIVATE linux-tcp-replay-core Boost::unit_test_framework ZLIB::ZLIB
    )
    set_target_properties(
      linux-tcp-algorithm-tests PROPERTIES CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY
                                           ${CMAKE_BINARY_DIR}
    )
    add_test(NAME linux-tcp-algorithm COMMAND linux-tcp-algorithm-tests)
  endif()

  if(algorithm_benchmark_sources)
    find_package(benchmark QUIET)
    if(benchmark_FOUND)
      add_executable(linux-tcp-algorithm-benchmark ${algorithm_benchmark_sources})
      target_link_libraries(
        linux-tcp-algorithm-benchmark PRIVATE linux-tcp-algorithm benchmark::benchmark_main
      )
      set_target_properties(
        linux-tcp-algorithm-benchmark PROPERTIES CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY
                                                 ${CMAKE_BINARY_DIR}
      )
    else()
      message(STATUS "Google Benchmark not found: no benchmarks")
    endif()
  endif()
endif()

if(LINUX_TCP_ALGORITHM_PROGRAMS AND LINUX_TCP_TESTS)
  add_executable(linux-tcp-fq-fuzz tools/fuzz/fq-fuzz.cc)
  target_include_directories(linux-tcp-fq-fuzz PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/test/algorithm)
  target_link_libraries(linux-tcp-fq-fuzz PRIVATE linux-tcp-algorithm)
  set_target_properties(
    linux-tcp-fq-fuzz PROPERTIES CXX_STANDARD 17 RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
  )
endif()

# Built when asked for: ./run bench fq
if(LINUX_TCP_NS3)
  find_package(benchmark QUIET)
  if(benchmark_FOUND)
    add_executable(linux-tcp-fq-bench EXCLUDE_FROM_ALL bench/fq-bench.cc)
    target_link_libraries(linux-tcp-fq-bench PRIVATE linux-tcp linux-tcp-options benchmark::benchmark)
    set_target_properties(
      linux-tcp-fq-bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    )
  endif()
endif()

if(TARGET linux-tcp-test-runner)
  add_test(NAME linux-tcp-module COMMAND linux-tcp-test-runner --verbose)
endif()

if(LINUX_TCP_NS3)
  if(LINUX_TCP_PYTHON)
    add_subdirectory(bindings/python)
  endif()
  install(
    TARGETS linux-tcp
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
  )
endif()
