/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Replays recorded calls of a Linux congestion control and compares the results field by field.
 */

#include "replay-program.h"

#include <iostream>

/**
 * @param argc number of arguments
 * @param argv arguments
 * @return the exit status
 */
int
main(int argc, char* argv[])
{
    return ns3::linuxtcp::RunReplay({argv + 1, argv + argc}, std::cout, std::cerr);
}
