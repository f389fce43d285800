/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-program.h"

#include "replay-error.h"
#include "replay.h"

#include <ostream>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/// What the command line asks for.
struct Request
{
    bool help{false};               ///< whether to explain the program only
    std::string algorithm;          ///< name of the algorithm
    std::string parameterList;      ///< name of a list of parameters, empty for none
    std::vector<std::string> sets;  ///< parameters
    std::vector<std::string> files; ///< files
};

/**
 * @brief Print how to use the program.
 * @param out where to print
 */
void
PrintHelp(std::ostream& out)
{
    out << "usage: linux-tcp-replay --algorithm NAME [--set NAME=VALUE ...] [--hz N]\n"
           "                        [--parameters LIST] FILE...\n"
           "\n"
           "Replays recorded calls of a Linux congestion control and compares every output.\n"
           "\n"
           "  --algorithm NAME    one of";
    for (const auto& algorithm : GetAlgorithms())
    {
        out << " " << algorithm.name;
    }
    out << "\n"
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
 * @param arguments words of the command line
 * @return what they ask for
 * @throws ReplayError if they are not understood
 */
Request
ParseArguments(const std::vector<std::string>& arguments)
{
    Request request;
    bool onlyFiles = false;
    for (size_t i = 0; i < arguments.size(); ++i)
    {
        const std::string& option = arguments[i];
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
        if (!attached && i + 1 == arguments.size())
        {
            throw ReplayError(name + ": needs a value");
        }
        const std::string value = attached ? option.substr(equals + 1) : arguments[++i];
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
 * @param out where to print reports
 * @param err where to print errors
 * @return the exit status
 * @throws ReplayError if an option cannot be used
 */
int
Replay(const Request& request, std::ostream& out, std::ostream& err)
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
            out << report << std::flush;
            if (report.mismatches > 0 && status == EXIT_ALL_EQUAL)
            {
                status = EXIT_MISMATCHES;
            }
        }
        catch (const ReplayError& error)
        {
            err << "linux-tcp-replay: " << error.what() << std::endl;
            status = EXIT_BAD_INPUT;
        }
    }
    return status;
}

} // namespace

int
RunReplay(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err)
{
    try
    {
        const Request request = ParseArguments(arguments);
        if (request.help)
        {
            PrintHelp(out);
            return EXIT_ALL_EQUAL;
        }
        return Replay(request, out, err);
    }
    catch (const ReplayError& error)
    {
        err << "linux-tcp-replay: " << error.what() << std::endl;
        return EXIT_BAD_INPUT;
    }
}

} // namespace linuxtcp
} // namespace ns3
