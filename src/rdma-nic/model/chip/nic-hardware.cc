// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-hardware.h"

#include "ns3/packet-pipelines.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <numeric>
#include <stdexcept>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(NicHardware);

namespace
{
/// Distinct from the streams of switches, links and arrivals.
constexpr uint64_t STREAMS{uint64_t{3} << 40};
constexpr uint64_t STREAMS_PER_NIC{2};
constexpr uint64_t GPU_STREAMS{STREAMS + (uint64_t{1} << 39)}; ///< After the streams of all NICs.
/// After the streams of GPUs.
constexpr uint64_t INGRESS_STREAMS{GPU_STREAMS + (uint64_t{1} << 38)};
constexpr Tick SHORTEST_CYCLE{100};      ///< 10 GHz.
constexpr Tick LONGEST_CYCLE{1'000'000}; ///< 1 MHz.
constexpr uint32_t DOORBELL_BYTES{8};
constexpr uint32_t ACK_BYTES{62}; ///< Ethernet 14, IPv4 20, UDP 8, BTH 12, AETH 4, ICRC 4.

Tick
GetLatency(const PacketPipeline& pipeline, uint32_t bytes)
{
    const std::vector<Tick> blocks = pipeline.GetBreakdown(bytes);
    return std::accumulate(blocks.begin(), blocks.end(), Tick{0});
}
} // namespace

TypeId
NicHardware::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<NicHardware, Object>("ns3::rdma::NicHardware", "RdmaNic")
            .Add("PipelineClass",
                 Member(&NicHardware::m_pipelineType, BlockPipeline::GetTypeId()),
                 "Class of the packet path of each direction, whose blocks and clock are below")
            .Add("TransmitBlocks",
                 Member(&NicHardware::m_transmitBlocks, "transmit=30"),
                 "Blocks from payload to port, as \"name=cycles, name=cycles+packet, "
                 "name=cycles/packet-cycles\" (one block of 30 cycles: our estimate)")
            .Add("ReceiveBlocks",
                 Member(&NicHardware::m_receiveBlocks, "receive=30"),
                 "Blocks from port to DMA (one block of 30 cycles: our estimate)")
            .Add("AnswerBlock",
                 Member(&NicHardware::m_answerBlock, ""),
                 "Receive block at whose end acknowledgments are made from the packet's header, "
                 "while its payload still arrives; empty: when the packet has passed all blocks")
            .Add("AnswerEntry",
                 Member(&NicHardware::m_answerEntry, ""),
                 "First transmit block of acknowledgments; empty: they pass all blocks")
            .Add("Cycle",
                 Member(&NicHardware::m_cycle, "3333ps", SHORTEST_CYCLE, LONGEST_CYCLE),
                 "Clock period (3.333 ns: 300 MHz, SRNIC section 5)")
            .Add("BusBytes",
                 Member(&NicHardware::m_busBytes, 64, 1, 4096),
                 "Bytes per cycle (64: 512 bit, BALBOA section 4)")
            .Add("PacketCycles",
                 Member(&NicHardware::m_packetCycles, 1, 1, 100000),
                 "Cycles between the starts of two packets at least, the message rate limit of "
                 "small ones (1: one packet per cycle)")
            .Add("TransmitBuffer",
                 Member(&NicHardware::m_transmitBufferBytes, 49152, 1),
                 "Bytes of frames whose payload is being read or on the chip (48 KiB: two PCIe "
                 "round trips at 100 Gb/s and a burst of 16 KiB)")
            .Add("MaxOutstanding",
                 Member(&NicHardware::m_maxOutstandingBytes, 0),
                 "Payload of a queue pair that was sent and is not acknowledged, bytes at most, "
                 "whatever congestion control allows; one packet may always go; 0: no limit "
                 "(InfiniBand has none but 2^23 packets)")
            .Add("MaxReads",
                 Member(&NicHardware::m_maxReads, 0),
                 "READs and atomics in flight of all queue pairs at most, in addition to the limit "
                 "of each; 0: no limit (StRoM section 4.1: a multi-queue)")
            .Add("HoldsReads",
                 Member(&NicHardware::m_holdsReads, false),
                 "Whether an entry of MaxReads is in use until the response's payload has left "
                 "the chip for memory (BALBOA section 4.3); else until the response has arrived "
                 "(StRoM section 4.1)")
            .Add("Prefetch",
                 Member(&NicHardware::m_prefetchBytes, 0),
                 "Payload of WRITEs and SENDs of a queue pair that the chip reads from host memory "
                 "before congestion control lets it leave, bytes; 0: a payload is read when its "
                 "packet may leave")
            .Add("CompletionBytes",
                 Member(&NicHardware::m_completionBytes, 64, 4, 256),
                 "Size of a completion queue entry, bytes (64: mlx5)")
            .Add("OnloadsBitmaps",
                 Member(&NicHardware::m_onloadsBitmaps, false),
                 "Whether packets out of order are handled by host software (SRNIC section 4.4.2)")
            .Add("MetadataBytes",
                 Member(&NicHardware::m_metadataBytes, 16, 4, 256),
                 "Bytes of metadata with which the NIC notifies software of a packet out of order "
                 "(16: PSN and expected PSN of SRNIC section 4.4.2 and a queue pair number, "
                 "aligned; the paper prints no size)")
            .Add("NakDelay",
                 Member(&NicHardware::m_nakDelay, Time(0), Time(0), Seconds(1)),
                 "Time until a sequence NAK makes the requester go back, and until a CNP for a "
                 "missing PSN takes effect, in addition to that of an acknowledgment")
            .Add("Interrupts",
                 Member(&NicHardware::m_hasInterrupts, false),
                 "Whether consumers sleep until a completion wakes them; else they poll "
                 "(perftest's default)");
    return tid;
}

Ptr<NicHardware>
NicHardware::Make(const NicDesign& design, TypeId type)
{
    auto hardware = design.Create<NicHardware>(type);
    hardware->m_pcie = design.Create<PcieLink>();
    hardware->m_cpu = design.Create<HostCpu>();
    hardware->m_contexts = design.Create<ContextCache>();
    hardware->m_translations = design.Create<TranslationCache>();
    hardware->m_receiveWqes = design.Create<ReceiveWqeCache>();
    hardware->m_gpu = design.Create<GpuPath>();
    hardware->m_fetcher = design.Create<WqeFetcher>();
    hardware->m_ingress = design.Create<IngressMeter>();
    hardware->m_receiveBuffer = design.Create<ReceiveBuffer>();
    hardware->m_cardMemory = design.Create<CardMemory>();
    hardware->m_transmit = design.Create<PacketPipeline>(hardware->m_pipelineType);
    hardware->m_receive = design.Create<PacketPipeline>(hardware->m_pipelineType);
    hardware->DoMakeUnits(design);
    return hardware;
}

void
NicHardware::DoMakeUnits(const NicDesign&)
{
}

std::vector<TypeId>
NicHardware::GetUnitTypes() const
{
    return {PcieLink::GetTypeId(),
            HostCpu::GetTypeId(),
            ContextCache::GetTypeId(),
            TranslationCache::GetTypeId(),
            ReceiveWqeCache::GetTypeId(),
            GpuPath::GetTypeId(),
            WqeFetcher::GetTypeId(),
            IngressMeter::GetTypeId(),
            ReceiveBuffer::GetTypeId(),
            CardMemory::GetTypeId(),
            m_pipelineType};
}

void
NicHardware::DoDispose()
{
    // A unit refers only to units released after it, by plain references.
    m_receive = nullptr;
    m_transmit = nullptr;
    m_cardMemory = nullptr;
    m_receiveBuffer = nullptr;
    m_ingress = nullptr;
    m_fetcher = nullptr;
    m_gpu = nullptr;
    m_receiveWqes = nullptr;
    m_translations = nullptr;
    m_contexts = nullptr;
    m_cpu = nullptr;
    m_pcie = nullptr;
    Object::DoDispose();
}

std::string
NicHardware::FindFault() const
{
    std::string fault;
    try
    {
        for (const auto direction : {PipelineDirection::TRANSMIT, PipelineDirection::RECEIVE})
        {
            const PipelineConfig config = MakePipeline(direction);
            fault = fault.empty() ? m_transmit->FindFault(config) : fault;
        }
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    for (const std::string& one : {fault,
                                   FindAnswerFault(),
                                   m_pcie->FindFault(),
                                   m_ingress->FindFault(),
                                   m_translations->FindFault(),
                                   m_receiveBuffer->FindFault(),
                                   m_gpu->FindFault()})
    {
        if (!one.empty())
        {
            return one;
        }
    }
    return {};
}

std::string
NicHardware::FindAnswerFault() const
{
    const auto check = [](const std::string& blocks,
                          const std::string& name,
                          const std::string& attribute) -> std::string {
        std::string names;
        for (const PipelineBlock& block : ParsePipelineBlocks(blocks))
        {
            if (block.name == name)
            {
                return {};
            }
            names += (names.empty() ? "" : ", ") + block.name;
        }
        return "ns3::rdma::NicHardware::" + attribute + ": expected one of " + names + ", got " +
               name;
    };
    std::string fault =
        m_answerBlock.empty() ? "" : check(m_receiveBlocks, m_answerBlock, "AnswerBlock");
    return fault.empty() && !m_answerEntry.empty()
               ? check(m_transmitBlocks, m_answerEntry, "AnswerEntry")
               : fault;
}

void
NicHardware::StartAnswers()
{
    const std::vector<Tick> blocks = m_transmit->GetBreakdown(ACK_BYTES);
    const std::size_t entry = m_answerEntry.empty() ? 0 : m_transmit->FindBlock(m_answerEntry);
    m_controlLatency =
        std::accumulate(blocks.begin() + static_cast<std::ptrdiff_t>(entry), blocks.end(), Tick{0});
    if (!m_answerBlock.empty())
    {
        m_answerLead = m_receive->GetHeaderLead(m_receive->FindBlock(m_answerBlock));
    }
}

PipelineConfig
NicHardware::MakePipeline(PipelineDirection direction) const
{
    const bool isTransmit = direction == PipelineDirection::TRANSMIT;
    PipelineConfig config;
    config.cycle = ToTick(m_cycle);
    config.busBytes = m_busBytes;
    config.packetCycles = m_packetCycles;
    config.blocks = ParsePipelineBlocks(isTransmit ? m_transmitBlocks : m_receiveBlocks);
    config.direction = direction;
    return config;
}

void
NicHardware::Start(uint64_t seed, uint32_t endpoint)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    const uint64_t stream = STREAMS + endpoint * STREAMS_PER_NIC;
    m_pcie->Start(RandomStream(seed, stream));
    m_contexts->Start(*m_pcie, RandomStream(seed, stream + 1));
    m_translations->Start(*m_pcie);
    m_gpu->Start(RandomStream(seed, GPU_STREAMS + endpoint));
    m_receiveWqes->Start(*m_pcie);
    m_fetcher->Start(*m_pcie);
    m_ingress->Start(RandomStream(seed, INGRESS_STREAMS + endpoint));
    m_receiveBuffer->Start();
    m_transmit->Start(MakePipeline(PipelineDirection::TRANSMIT));
    m_receive->Start(MakePipeline(PipelineDirection::RECEIVE));
    StartAnswers();
}

Tick
NicHardware::GetIdleRoundTrip(uint32_t payloadBytes, uint32_t frameBytes, DataRate rate) const
{
    const Ptr<PcieLink> pcie = m_pcie->MakeIdle();
    const Tick readFor =
        m_prefetchBytes > 0 ? 0 : pcie->Read(0, 0, DmaKind::PAYLOAD, 0, payloadBytes);
    Tick answerAfter = m_controlLatency;
    if (m_answerLead.headBytes > 0)
    {
        const uint32_t behind = frameBytes - std::min(frameBytes, m_answerLead.headBytes);
        const Tick wire = SerializationRate(rate).GetDuration(behind);
        answerAfter -= std::min(answerAfter, m_answerLead.Get(frameBytes, wire));
    }
    return m_fetcher->GetIdleTurn() + readFor + GetLatency(*m_transmit, frameBytes) +
           GetLatency(*m_receive, frameBytes) + answerAfter + GetLatency(*m_receive, ACK_BYTES);
}

Tick
NicHardware::Complete(Tick now, uint32_t queuePair)
{
    const Tick written = WriteCompletion(now);
    const Tick noticed =
        m_hasInterrupts ? m_cpu->Run(now, written, queuePair, CpuTask::NOTIFY) : written;
    return m_cpu->Run(now, noticed, queuePair, CpuTask::POLL);
}

Tick
NicHardware::Ring(Tick now, uint32_t queuePair, uint32_t requests, uint32_t pushedBytes)
{
    const Tick posted = m_cpu->Run(now, now, queuePair, CpuTask::POST, requests);
    const Tick rung = m_cpu->Run(now, posted, queuePair, CpuTask::DOORBELL);
    return rung + StoreDoorbell(now, pushedBytes) - now;
}

Tick
NicHardware::WriteCompletion(Tick now)
{
    return m_pcie->Write(now, now, DmaKind::COMPLETION, 0, m_completionBytes);
}

Tick
NicHardware::StoreDoorbell(Tick now, uint32_t pushedBytes)
{
    return m_pcie->Store(now, std::max(DOORBELL_BYTES, pushedBytes));
}

} // namespace ns3::rdma
