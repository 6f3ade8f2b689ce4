// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timer-array-go-back-n.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TimerArrayGoBackN);

TypeId
TimerArrayGoBackN::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TimerArrayGoBackN")
            .SetParent<GoBackN>()
            .SetGroupName("FpgaRnic")
            .AddConstructor<TimerArrayGoBackN>()
            .AddAttribute("QueuePairs",
                          "Queue pairs that the NIC has tables for, and entries of the array (500, "
                          "up to 16,000: StRoM section 6.1)",
                          UintegerValue(500),
                          MakeUintegerAccessor(&TimerArrayGoBackN::m_queuePairs),
                          MakeUintegerChecker<uint32_t>(1, 16'000))
            .AddAttribute("Frequency",
                          "Of the clock, Hz: one entry is looked at in each cycle (156.25 MHz: "
                          "StRoM section 6.1)",
                          UintegerValue(156'250'000),
                          MakeUintegerAccessor(&TimerArrayGoBackN::m_frequency),
                          MakeUintegerChecker<uint64_t>(1'000'000, 10'000'000'000));
    return tid;
}

Ptr<LossRecovery>
TimerArrayGoBackN::Fork() const
{
    return CopyObject(Ptr<const TimerArrayGoBackN>(this));
}

Tick
TimerArrayGoBackN::GetExpiry(Tick start, Tick timeout) const
{
    constexpr uint64_t PS_PER_SECOND{1'000'000'000'000};
    const auto scan = static_cast<Tick>(PS_PER_SECOND * m_queuePairs / m_frequency);
    const Tick firstLook = start / scan + 1;
    const Tick count = timeout / scan + 1;
    return (firstLook + count) * scan;
}

uint32_t
TimerArrayGoBackN::GetMaxQueuePairs() const
{
    return std::min(m_queuePairs, GoBackN::GetMaxQueuePairs());
}

} // namespace ns3::rdma
