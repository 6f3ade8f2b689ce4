// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timer-array-timeout.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TimerArrayTimeout);

TypeId
TimerArrayTimeout::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<TimerArrayTimeout, FixedTimeout>("ns3::rdma::TimerArrayTimeout",
                                                            "FpgaRnic")
            .Add("QueuePairs",
                 Member(&TimerArrayTimeout::m_queuePairs, 500, 1, 16'000),
                 "Queue pairs that the NIC has timers for, the entries of the array (500, up to "
                 "16,000: StRoM section 6.1)")
            .Add("Frequency",
                 Member(&TimerArrayTimeout::m_frequency, 156'250'000, 1'000'000, 10'000'000'000),
                 "Clock frequency, Hz: one entry is checked in each cycle (156.25 MHz: StRoM "
                 "section 6.1)");
    return tid;
}

Time
TimerArrayTimeout::Get(const AwaitedAnswer& awaited) const
{
    constexpr uint64_t PS_PER_SECOND{1'000'000'000'000};
    const Time fixed = FixedTimeout::Get(awaited);
    const Tick timeout = ToTick(fixed);
    if (timeout >= TICK_NEVER - awaited.start)
    {
        return fixed;
    }
    const auto scan = static_cast<Tick>(PS_PER_SECOND * m_queuePairs / m_frequency);
    const Tick firstLook = awaited.start / scan + 1;
    const Tick count = timeout / scan + 1;
    return ToTime((firstLook + count) * scan - awaited.start);
}

Ptr<const RetransmissionTimeout>
TimerArrayTimeout::WithAckTimeout(Time timeout) const
{
    return CopyWith(*this, timeout);
}

uint32_t
TimerArrayTimeout::GetMaxQueuePairs() const
{
    return m_queuePairs;
}

} // namespace ns3::rdma
