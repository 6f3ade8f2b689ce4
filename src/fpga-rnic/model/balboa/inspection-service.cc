// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/inspection-service.h"

#include "ns3/kernel-reply.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(InspectionService);

TypeId
InspectionService::GetTypeId()
{
    constexpr int32_t MAX_MARGIN{1 << 24};
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::InspectionService")
                .SetParent<StreamService>()
                .SetGroupName("FpgaRnic")
                .AddConstructor<InspectionService>()
                .AddTraceSource("Verdict",
                                "A packet has been inspected",
                                MakeTraceSourceAccessor(&InspectionService::m_verdictTrace),
                                "ns3::rdma::InspectionService::VerdictCallback"))
            .Add("Weights",
                 {StringValue("").Copy(),
                  MakeStringAccessor(&InspectionService::SetWeights),
                  MakeStringChecker()},
                 "File with the network's weights, made by examples/balboa/detection/train.py; "
                 "without one the service is not deployed")
            .Add("Margin",
                 Member(&InspectionService::m_margin, 0, -MAX_MARGIN, MAX_MARGIN),
                 "Margin added to the threshold in the file of weights, in the units of this file: "
                 "a 256th of the logarithm of the odds (0)")
            .Add("BadBeats",
                 Member(&InspectionService::m_badBeats, 1, 1, 1 << 16),
                 "Bad beats that make a packet bad (1: any bad beat, "
                 "intrusion_detection_decider.sv of fpgasystems/AMD-OHC-2024)")
            .Add("Drop",
                 Member(&InspectionService::m_drops, true),
                 "Whether the data of a bad packet are dropped (true: dpi_transmission_dropper.sv "
                 "of fpgasystems/Coyote); else they go to memory, and the host decides (BALBOA "
                 "section 5.1.2)")
            .Add("Latency",
                 Member(&InspectionService::m_latency, 11, 1, 10000),
                 "Cycles from a beat to its verdict (11: 44 ns at 250 MHz, BALBOA section 5.1.2)")
            .Add("PipelineCycles",
                 Member(&InspectionService::m_pipelineCycles, 51, 0, 10000),
                 "Cycles of the parallel packet pipeline, from the point where beats are taken to "
                 "the point where the verdict joins the command (51: blocks ip, udp, bth and reth "
                 "of the preset balboa, docs/models/balboa.md)");
    return tid;
}

InspectionService::~InspectionService() = default;

void
InspectionService::SetWeights(std::string path)
{
    m_network = path.empty() ? nullptr : std::make_unique<InspectionNetwork>(path);
    m_weights = std::move(path);
}

uint64_t
InspectionService::GetRpcCode() const
{
    return RPC_CODE;
}

std::string
InspectionService::FindFault() const
{
    return m_network ? "" : "expected a file of weights (attribute Weights), got none";
}

StreamService::Placement
InspectionService::GetPlacement() const
{
    return Placement::PARALLEL;
}

InspectionVerdict
InspectionService::Judge(const StreamInput& input) const
{
    InspectionVerdict verdict;
    verdict.queuePair = input.queuePair;
    verdict.address = input.address;
    verdict.bytes = static_cast<uint32_t>(input.bytes.GetSize());
    const std::size_t beats = input.bytes.GetSize() / InspectionNetwork::BEAT_BYTES;
    verdict.beats = static_cast<uint32_t>(beats);
    const int32_t threshold = m_network->GetThreshold() + m_margin;
    for (std::size_t i = 0; i < beats; ++i)
    {
        const uint8_t* beat = input.bytes.GetData() + i * InspectionNetwork::BEAT_BYTES;
        const int32_t score = m_network->GetScore(beat);
        verdict.badBeats += score >= threshold;
        verdict.score = std::max(verdict.score.value_or(score), score);
    }
    verdict.isBad = verdict.badBeats >= m_badBeats;
    return verdict;
}

void
InspectionService::Count(const InspectionVerdict& verdict)
{
    ++m_stats.packets;
    m_stats.badPackets += verdict.isBad;
    m_stats.beats += verdict.beats;
    m_stats.badBeats += verdict.badBeats;
    m_verdictTrace(verdict);
}

Tick
InspectionService::GetHidden() const
{
    return GetClock().GetTime(m_pipelineCycles);
}

StreamStep
InspectionService::OnStream(const StreamInput& input)
{
    const InspectionVerdict verdict = Judge(input);
    Count(verdict);
    const StreamTimes times =
        m_timing.Pass(GetClock(), input.isSent, input.at, verdict.bytes, m_latency, 1);
    StreamStep step;
    step.passedAt = times.passedAt;
    step.readyAt = times.readyAt;
    if (verdict.isBad)
    {
        step.isRejected = m_drops;
        KernelCommand interrupt;
        interrupt.kind = KernelCommand::Kind::INTERRUPT;
        interrupt.at = step.passedAt;
        interrupt.tag = input.address;
        interrupt.queuePair = input.queuePair;
        step.step.commands.push_back(std::move(interrupt));
    }
    return step;
}

KernelStep
InspectionService::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    if (input.isStream || input.bytes.GetSize() < sizeof(uint64_t))
    {
        return step; // There is no address for an answer.
    }
    KernelReply reply;
    for (const uint64_t count :
         {m_stats.packets, m_stats.badPackets, m_stats.beats, m_stats.badBeats})
    {
        const std::size_t size = reply.value.size();
        reply.value.resize(size + sizeof count);
        boost::endian::store_little_u64(reply.value.data() + size, count);
    }
    reply.AddTo(step,
                {input.queuePair, input.bytes.Get64(0), input.replyKey},
                After(input.at, m_latency));
    return step;
}

} // namespace ns3::rdma
