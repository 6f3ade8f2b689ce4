// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clock-domain.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/wide-integer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t TICKS_PER_SECOND{1'000'000'000'000};
} // namespace

ClockDomain::ClockDomain(uint64_t hertz, uint32_t busBytes)
    : m_hertz(hertz),
      m_busBytes(busBytes)
{
    NS_ABORT_MSG_IF(hertz == 0 || hertz > TICKS_PER_SECOND,
                    "A clock has 1 Hz to 1 THz, not " << hertz << " Hz");
    NS_ABORT_MSG_IF(busBytes == 0, "A bus has at least 1 byte");
}

Tick
ClockDomain::GetTime(Cycle cycle) const
{
    NS_ASSERT_MSG(cycle >= 0, "before the start of the run");
    return static_cast<Tick>(static_cast<Uint128>(cycle) * TICKS_PER_SECOND / m_hertz);
}

Cycle
ClockDomain::GetCycle(Tick time) const
{
    NS_ASSERT_MSG(time >= 0, "before the start of the run");
    const Uint128 scaled = static_cast<Uint128>(time) * m_hertz + (TICKS_PER_SECOND - 1);
    return static_cast<Cycle>(scaled / TICKS_PER_SECOND);
}

uint32_t
ClockDomain::GetWords(uint32_t bytes) const
{
    return std::max<uint32_t>(1, (bytes + m_busBytes - 1) / m_busBytes);
}

} // namespace ns3::rdma
