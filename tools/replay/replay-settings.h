/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_REPLAY_SETTINGS_H
#define LINUX_TCP_REPLAY_SETTINGS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Parameters by their Linux names, as the user gave them.
 *
 * An algorithm asks for each of its parameters; what it did not ask for is unknown to it.
 */
class ReplaySettings
{
  public:
    /**
     * @brief Set a parameter.
     * @param name its name
     * @param value its value
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @brief Set parameters.
     * @param assignments NAME=VALUE, several separated by semicolons
     * @throws ReplayError if one is not of that form
     */
    void SetAll(const std::string& assignments);

    /**
     * @brief Get a whole number.
     * @param name name of the parameter
     * @param value its default
     * @param low smallest value allowed
     * @param high largest value allowed
     * @return the value given, or the default
     * @throws ReplayError if the value given is not allowed
     */
    uint32_t Number(const std::string& name,
                    uint32_t value,
                    uint32_t low = 0,
                    uint32_t high = 0xffffffff) const;

    /**
     * @brief Get a switch.
     * @param name name of the parameter
     * @param value its default
     * @return the value given (0 or 1), or the default
     * @throws ReplayError if the value given is not allowed
     */
    bool Switch(const std::string& name, bool value) const;

    /**
     * @brief Get a text.
     * @param name name of the parameter
     * @param value its default
     * @return the value given, or the default
     */
    std::string Text(const std::string& name, const std::string& value) const;

    /// @return timer ticks per second (hz)
    uint32_t Hz() const;

    /**
     * @brief Check that every parameter given has been asked for.
     * @throws ReplayError naming one that has not, and those that have
     */
    void RequireAllKnown() const;

  private:
    std::map<std::string, std::string> m_values; ///< values given
    mutable std::vector<std::string> m_known;    ///< names asked for
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_REPLAY_SETTINGS_H */
