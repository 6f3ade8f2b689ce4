// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pass-through-service.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PassThroughService);

TypeId
PassThroughService::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<PassThroughService, StreamService>("ns3::rdma::PassThroughService",
                                                              "FpgaRnic")
            .Add("Code",
                 Member(&PassThroughService::m_code, RPC_CODE, 1),
                 "RPC code; services of one NIC need different codes (32: our choice)")
            .Add("Latency",
                 Member(&PassThroughService::m_latency, 11, 0, 1'000'000),
                 "Cycles from a word in to the word out (11: 44 ns at 250 MHz, as the inspection "
                 "of BALBOA section 5.1.2)")
            .Add("Interval",
                 Member(&PassThroughService::m_interval, 1, 1, 1024),
                 "Cycles between two words; 1 is line rate (1: BALBOA section 8.1)")
            .Add("Parallel",
                 Member(&PassThroughService::m_isParallel, true),
                 "Whether it works on a copy (true: as the inspection)");
    return tid;
}

uint64_t
PassThroughService::GetRpcCode() const
{
    return m_code;
}

StreamService::Placement
PassThroughService::GetPlacement() const
{
    return m_isParallel ? Placement::PARALLEL : Placement::ON_PATH;
}

KernelStep
PassThroughService::OnPacket(const KernelInput&)
{
    return {};
}

StreamStep
PassThroughService::OnStream(const StreamInput& input)
{
    PassThroughCounts& counts = input.isSent ? m_sent : m_received;
    const auto bytes = static_cast<uint32_t>(input.bytes.GetSize());
    ++counts.packets;
    counts.bytes += bytes;
    counts.messages += input.isFirst;
    const StreamTimes times =
        m_timing.Pass(GetClock(), input.isSent, input.at, bytes, m_latency, m_interval);
    StreamStep step;
    step.passedAt = times.passedAt;
    step.readyAt = times.readyAt;
    return step;
}

} // namespace ns3::rdma
