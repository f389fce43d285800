/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_REPLAY_ERROR_H
#define LINUX_TCP_REPLAY_ERROR_H

#include <stdexcept>

namespace ns3
{
namespace linuxtcp
{

/// What keeps a file from being replayed; the text is one line for the user.
class ReplayError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_REPLAY_ERROR_H */
