/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Replays recorded calls of a Linux congestion control and compares the results field by field.
 *
 *     linux-tcp-replay --algorithm NAME [--set NAME=VALUE ...] [--hz N] FILE...
 */

#include "replay-error.h"
#include "replay.h"

#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace
{

using namespace ns3::linuxtcp;

constexpr int EXIT_ALL_EQUAL = 0;  ///< every field agrees
constexpr int EXIT_MISMATCHES = 1; ///< a field differs
constexpr int EXIT_BAD_INPUT = 2;  ///< a file or an option cannot be used

/// What the command line asks for.
struct Request
{
    bool help{false};               ///< whether to explain the program only
    std::string algorithm;          ///< name of the algorithm
    std::string parameterList;      ///< name of a list of parameters, empty for none
    std::vector<std::string> sets;  ///< parameters
    std::vector<std::string> files; ///< files
};

/// Print how to use the program.
void
PrintHelp()
{
    std::cout << "usage: linux-tcp-replay --algorithm NAME [--set NAME=VALUE ...] [--hz N]\n"
                 "                        [--parameters LIST] FILE...\n"
                 "\n"
                 "Replays recorded calls of a Linux congestion control and compares every output.\n"
                 "\n"
                 "  --algorithm NAME    one of";
    for (const auto& algorithm : GetAlgorithms())
    {
        std::cout << " " << algorithm.name;
    }
    std::cout << "\n"
                 "  --set NAME=VALUE    a parameter by its Linux name (several: A=1;B=2)\n"
                 "  --hz N              timer ticks per second (default 1000)\n"
                 "  --parameters LIST   a CSV file of directory,prefix,parameters; --set and --hz\n"
                 "                      override it\n"
                 "  FILE                .csv, .csv.gz or .csv.xz\n"
                 "\n"
                 "Prints a line for each file. The exit status is 0 if all fields agree, 1 if\n"
                 "some differ, 2 if a file or an option cannot be used.\n";
}

/**
 * @param argc number of arguments
 * @param argv arguments
 * @return what they ask for
 * @throws ReplayError if they are not understood
 */
Request
ParseArguments(int argc, char* argv[])
{
    Request request;
    bool onlyFiles = false;
    for (int i = 1; i < argc; ++i)
    {
        std::string option = argv[i];
        if (onlyFiles || option.empty() || option[0] != '-')
        {
            request.files.push_back(option);
            continue;
        }
        if (option == "--")
        {
            onlyFiles = true;
            continue;
        }
        if (option == "--help" || option == "-h")
        {
            request.help = true;
            return request;
        }
        const size_t equals = option.find('=');
        const bool attached = equals != std::string::npos;
        const std::string name = option.substr(0, equals);
        if (name != "--algorithm" && name != "--set" && name != "--hz" && name != "--parameters")
        {
            throw ReplayError("unknown option '" + name +
                              "': must be one of --algorithm, --set, --hz, --parameters, --help");
        }
        if (!attached && i + 1 == argc)
        {
            throw ReplayError(name + ": needs a value");
        }
        const std::string value = attached ? option.substr(equals + 1) : argv[++i];
        if (name == "--algorithm")
        {
            request.algorithm = value;
        }
        else if (name == "--parameters")
        {
            request.parameterList = value;
        }
        else
        {
            request.sets.push_back(name == "--hz" ? "hz=" + value : value);
        }
    }
    if (request.algorithm.empty())
    {
        throw ReplayError("--algorithm is missing");
    }
    if (request.files.empty())
    {
        throw ReplayError("no file to replay");
    }
    return request;
}

/**
 * @param request what to do
 * @return the exit status
 * @throws ReplayError if an option cannot be used
 */
int
Replay(const Request& request)
{
    const AlgorithmBinding& algorithm = FindAlgorithm(request.algorithm);
    ReplaySettings given;
    for (const auto& set : request.sets)
    {
        given.SetAll(set);
    }
    CheckSettings(algorithm, given);
    int status = EXIT_ALL_EQUAL;
    for (const auto& path : request.files)
    {
        try
        {
            ReplaySettings settings;
            if (!request.parameterList.empty())
            {
                settings = ReadSettings(request.parameterList, path);
            }
            for (const auto& set : request.sets)
            {
                settings.SetAll(set);
            }
            const ReplayReport report = ReplayFile(algorithm, settings, path);
            std::cout << report << std::flush;
            if (report.mismatches > 0 && status == EXIT_ALL_EQUAL)
            {
                status = EXIT_MISMATCHES;
            }
        }
        catch (const ReplayError& error)
        {
            std::cerr << "linux-tcp-replay: " << error.what() << std::endl;
            status = EXIT_BAD_INPUT;
        }
    }
    return status;
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        const Request request = ParseArguments(argc, argv);
        if (request.help)
        {
            PrintHelp();
            return EXIT_ALL_EQUAL;
        }
        return Replay(request);
    }
    catch (const std::exception& error)
    {
        std::cerr << "linux-tcp-replay: " << error.what() << std::endl;
        return EXIT_BAD_INPUT;
    }
}
