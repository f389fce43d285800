/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_NS3_COMPAT_H
#define LINUX_TCP_NS3_COMPAT_H

/**
 * @file
 * @ingroup linux-tcp
 * The differences between the versions of ns-3 that the module supports, 3.37 to the development
 * tree. No other file asks for the version.
 */

#include "ns3/enum.h"
#include "ns3/test.h"

#include <type_traits>
#include <utility>

#ifndef LINUX_TCP_NS3_VERSION
#include "ns3/linux-tcp-config.h"
#endif

#if LINUX_TCP_NS3_VERSION < 3045
/**
 * @ingroup linux-tcp
 * Declare GetInstanceTypeId() in a class whose parent overrides that of Object. Up to 3.44 such a
 * class must override it again, or its attributes are not initialised; from 3.45 the method is
 * final.
 */
#define LINUX_TCP_DECLARE_INSTANCE_TYPE_ID TypeId GetInstanceTypeId() const override;
/**
 * @ingroup linux-tcp
 * Define GetInstanceTypeId() of a class that uses LINUX_TCP_DECLARE_INSTANCE_TYPE_ID.
 * @param type the class
 */
#define LINUX_TCP_DEFINE_INSTANCE_TYPE_ID(type)                                                    \
    TypeId type::GetInstanceTypeId() const                                                         \
    {                                                                                              \
        return GetTypeId();                                                                        \
    }
#else
#define LINUX_TCP_DECLARE_INSTANCE_TYPE_ID
#define LINUX_TCP_DEFINE_INSTANCE_TYPE_ID(type)
#endif

namespace ns3
{
namespace linuxtcp
{

/**
 * @ingroup linux-tcp
 * @brief Accessor of an enumeration attribute, by member variable or by setter and getter.
 *
 * MakeEnumAccessor() takes the type of the enumeration from 3.41 on.
 *
 * @tparam E the enumeration
 * @tparam Args the arguments' types
 * @param args what MakeEnumAccessor() takes
 * @return the accessor
 */
template <typename E, typename... Args>
Ptr<const AttributeAccessor>
MakeEnumAttributeAccessor(Args... args)
{
#if LINUX_TCP_NS3_VERSION < 3041
    return MakeEnumAccessor(args...);
#else
    return MakeEnumAccessor<E>(args...);
#endif
}

// Kinds of test suite and test case. The enumerations moved into scoped ones in 3.42.
#if LINUX_TCP_NS3_VERSION < 3042
constexpr TestSuite::Type TEST_SUITE_UNIT = TestSuite::UNIT;        ///< Unit tests.
constexpr TestSuite::Type TEST_SUITE_SYSTEM = TestSuite::SYSTEM;    ///< System tests.
constexpr TestCase::TestDuration TEST_CASE_QUICK = TestCase::QUICK; ///< Always run.
constexpr TestCase::TestDuration TEST_CASE_EXTENSIVE =
    TestCase::EXTENSIVE; ///< Run when more than a quick test is asked for.
constexpr TestCase::TestDuration TEST_CASE_TAKES_FOREVER =
    TestCase::TAKES_FOREVER; ///< Run only when asked for by fullness.
#else
constexpr TestSuite::Type TEST_SUITE_UNIT = TestSuite::Type::UNIT;        ///< Unit tests.
constexpr TestSuite::Type TEST_SUITE_SYSTEM = TestSuite::Type::SYSTEM;    ///< System tests.
constexpr TestCase::Duration TEST_CASE_QUICK = TestCase::Duration::QUICK; ///< Always run.
constexpr TestCase::Duration TEST_CASE_EXTENSIVE =
    TestCase::Duration::EXTENSIVE; ///< Run when more than a quick test is asked for.
constexpr TestCase::Duration TEST_CASE_TAKES_FOREVER =
    TestCase::Duration::TAKES_FOREVER; ///< Run only when asked for by fullness.
#endif

/// @cond INTERNAL
namespace compat
{

template <typename State, typename = void>
struct HasSmoothedRtt : std::false_type
{
};

template <typename State>
struct HasSmoothedRtt<State, std::void_t<decltype(std::declval<State>().m_srtt)>> : std::true_type
{
};

template <typename State, typename = void>
struct HasCwndLimited : std::false_type
{
};

template <typename State>
struct HasCwndLimited<State, std::void_t<decltype(std::declval<State>().m_isCwndLimited)>>
    : std::true_type
{
};

} // namespace compat

/// @endcond

/**
 * @ingroup linux-tcp
 * @brief The smoothed round-trip time a socket state holds.
 *
 * A member of its own since 3.43; before, the member named after the last round-trip time held the
 * smoothed one.
 *
 * @tparam State TcpSocketState
 * @param state the state
 * @return the smoothed round-trip time, as a Time or a TracedValue of one
 */
template <typename State>
decltype(auto)
GetSmoothedRtt(const State& state)
{
    if constexpr (compat::HasSmoothedRtt<State>::value)
    {
        return (state.m_srtt);
    }
    else
    {
        return (state.m_lastRtt);
    }
}

/**
 * @ingroup linux-tcp
 * @brief Whether the socket state says by itself if the congestion window limited the sender.
 *
 * True from 3.42 on.
 *
 * @tparam State TcpSocketState
 */
template <typename State>
constexpr bool KNOWS_CWND_LIMITED = compat::HasCwndLimited<State>::value;

/**
 * @ingroup linux-tcp
 * @brief Whether the congestion window limited the sender, where the socket state knows.
 * @tparam State TcpSocketState
 * @param state the state
 * @param unknown what to return before 3.42
 * @return the socket state's flag, or the value for unknown
 */
template <typename State>
bool
IsCwndLimited(const State& state, bool unknown)
{
    if constexpr (KNOWS_CWND_LIMITED<State>)
    {
        return state.m_isCwndLimited;
    }
    else
    {
        return unknown;
    }
}

/// Whether a congestion control is told of the state CWR: from 3.48 on.
constexpr bool CWR_STATE_IS_REPORTED = LINUX_TCP_NS3_VERSION >= 3048;

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_NS3_COMPAT_H */
