/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STREAM_RANDOM_SOURCE_H
#define STREAM_RANDOM_SOURCE_H

#include "ns3/random-variable-stream.h"
#include "ns3/seeded-random-source.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup linux-tcp
 * @brief Make the random source of a connection from a stream of ns-3.
 *
 * Only the seed comes from the stream, so that what one connection draws later does not change
 * what another one gets.
 *
 * @param seeds the stream
 * @return a generator of the connection's own
 */
inline std::shared_ptr<linuxtcp::RandomSource>
MakeRandomSource(Ptr<UniformRandomVariable> seeds)
{
    const uint64_t high = seeds->GetInteger(0, 0xffffffff);
    const uint64_t low = seeds->GetInteger(0, 0xffffffff);
    return std::make_shared<linuxtcp::SeededRandomSource>(high << 32 | low);
}

} // namespace ns3

#endif /* STREAM_RANDOM_SOURCE_H */
