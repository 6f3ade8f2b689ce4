// SPDX-License-Identifier: GPL-2.0-only
#include "busy-dctcp.h"

#include "ns3/uinteger.h"

#include <vector>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BusyDctcp);

namespace
{

constexpr size_t ARRAY_BYTES{size_t{1} << 26};
constexpr int TOP_BITS{64 - 26};

/// A step of Knuth's generator (MMIX), kept by the compiler although its result is unused.
void
Step(uint64_t& value)
{
    value = value * 6364136223846793005 + 1442695040888963407;
    asm volatile("" : "+r"(value));
}

/// @return memory that is there: pages that were only read would all be the same one.
const std::vector<char>&
GetArray()
{
    static const std::vector<char> array(ARRAY_BYTES, 1);
    return array;
}

} // namespace

TypeId
BusyDctcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::BusyDctcp")
                            .SetParent<WindowDctcp>()
                            .AddConstructor<BusyDctcp>()
                            .AddAttribute("Rounds",
                                          "Multiply-adds per acknowledgment",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BusyDctcp::m_rounds),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("Lines",
                                          "Reads of memory per acknowledgment",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BusyDctcp::m_lines),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Ptr<CongestionControl>
BusyDctcp::Fork() const
{
    return CopyObject(Ptr<const BusyDctcp>(this));
}

void
BusyDctcp::Start(const PathInfo& path, Time now)
{
    WindowDctcp::Start(path, now);
    if (m_lines > 0)
    {
        GetArray(); // At the start of the run, which does not count.
    }
}

void
BusyDctcp::OnAck(const AckEvent& ack)
{
    for (uint32_t i = 0; i < m_rounds; ++i)
    {
        Step(m_value);
    }
    for (uint32_t i = 0; i < m_lines; ++i)
    {
        Step(m_value);
        m_value += GetArray()[m_value >> TOP_BITS];
    }
    WindowDctcp::OnAck(ack);
}

} // namespace ns3::rdma
