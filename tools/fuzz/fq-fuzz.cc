/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup linux-tcp-tests
 * linux-tcp-fq-fuzz --operations N --seed S: compare the fair queue scheduler with a plain model of
 * its description over N random operations.
 */

#include "fair-queue-fuzz.h"

#include <cstdlib>
#include <iostream>
#include <string>

namespace
{

/**
 * @brief Read a number.
 * @param option the option it belongs to
 * @param text the text
 * @return the number; ends the program if it is none
 */
uint64_t
ReadNumber(const std::string& option, const std::string& text)
{
    if (text.empty() || text.size() > 18 ||
        text.find_first_not_of("0123456789") != std::string::npos)
    {
        std::cerr << "linux-tcp-fq-fuzz: " << option << " " << text
                  << " is not allowed: it must be a number without sign\n";
        std::exit(2);
    }
    return std::stoull(text);
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t operations = 1000000;
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++)
    {
        const std::string option = argv[i];
        if ((option == "--operations" || option == "--seed") && i + 1 < argc)
        {
            (option == "--seed" ? seed : operations) = ReadNumber(option, argv[++i]);
        }
        else
        {
            const bool isHelp = option == "--help";
            (isHelp ? std::cout : std::cerr)
                << (isHelp ? "" : "linux-tcp-fq-fuzz: " + option + " is not known\n")
                << "Usage: linux-tcp-fq-fuzz [--operations N] [--seed S]\n"
                << "  --operations N  random operations to compare (1000000)\n"
                << "  --seed S        seed of the random numbers (1)\n";
            return isHelp ? 0 : 2;
        }
    }
    // In portions, so that a long run shows that it lives.
    constexpr uint64_t portion = 1000000;
    for (uint64_t done = 0; done < operations; done += portion)
    {
        FairQueueFuzzer fuzzer;
        const uint64_t count = std::min(portion, operations - done);
        const std::string fault = fuzzer.Run(count, seed + done / portion);
        if (!fault.empty())
        {
            std::cerr << fault << "\n";
            return 1;
        }
        std::cout << done + count << " of " << operations << " operations agree" << std::endl;
    }
    return 0;
}
