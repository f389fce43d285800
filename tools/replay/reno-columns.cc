/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reno-window.h"
#include "replay-binding.h"

namespace ns3
{
namespace linuxtcp
{

AlgorithmBinding
GetRenoBinding()
{
    AlgorithmBinding binding;
    binding.name = "reno";
    binding.build = [](const ReplaySettings& settings, RandomSource&) {
        settings.Hz();
        ReplaySubject subject;
        subject.algorithm = std::make_shared<RenoWindow>();
        return subject;
    };
    return binding;
}

} // namespace linuxtcp
} // namespace ns3
