/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-binding.h"

#include "replay-error.h"

namespace ns3
{
namespace linuxtcp
{

int64_t
ReplayRow::ToPackets(uint32_t seq) const
{
    const auto behind = static_cast<int32_t>(static_cast<uint32_t>(sndNxtBytes) - seq);
    const int64_t bytes = static_cast<int64_t>(sndNxtBytes) - behind;
    // A number that was never set is 0, however far the connection has come.
    return seq == 0 || bytes < 0 ? seq / connection.mss : bytes / connection.mss;
}

const std::vector<AlgorithmBinding>&
GetAlgorithms()
{
    static const std::vector<AlgorithmBinding> ALGORITHMS = {
        GetCdgBinding(),
        GetCubicBinding(),
        GetHtcpBinding(),
        GetNvBinding(),
        GetRenoBinding(),
    };
    return ALGORITHMS;
}

const AlgorithmBinding&
FindAlgorithm(const std::string& name)
{
    std::string list;
    for (const auto& algorithm : GetAlgorithms())
    {
        if (algorithm.name == name)
        {
            return algorithm;
        }
        list += (list.empty() ? "" : ", ") + algorithm.name;
    }
    throw ReplayError("unknown algorithm '" + name + "': must be one of " + list);
}

} // namespace linuxtcp
} // namespace ns3
