// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_HARDWARE_H
#define RDMA_NIC_HARDWARE_H

#include "ns3/card-memory.h"
#include "ns3/context-cache.h"
#include "ns3/gpu-path.h"
#include "ns3/host-cpu.h"
#include "ns3/ingress-meter.h"
#include "ns3/nic-design.h"
#include "ns3/packet-pipelines.h"
#include "ns3/pcie-link.h"
#include "ns3/receive-buffer.h"
#include "ns3/receive-wqe-cache.h"
#include "ns3/translation-cache.h"
#include "ns3/wqe-fetcher.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The hardware units of one NIC and its host, which its queue pairs share.
 *
 * Each unit is a class with its own attributes in hardware/ or host/; the paths of a TimedChip
 * define the order in which a packet passes them.  A NIC whose hardware is off has no NicHardware.
 */
class NicHardware : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return hardware whose units have the design's attribute values.
    /// @param type NicHardware or derived from it
    static Ptr<NicHardware> Make(const NicDesign& design, TypeId type = GetTypeId());

    /// @return the classes of its units; a derived class adds its own.
    virtual std::vector<TypeId> GetUnitTypes() const;

    /// @return the fault of the attributes, one line; empty if there is none.
    std::string FindFault() const;

    /// Called once, first. Throws a VerbsError if there is a fault. @param seed of the run;
    /// @param endpoint id of the NIC's first port
    void Start(uint64_t seed, uint32_t endpoint);

    PcieLink& GetPcie() const
    {
        return *m_pcie;
    }

    HostCpu& GetCpu() const
    {
        return *m_cpu;
    }

    ContextCache& GetContextCache() const
    {
        return *m_contexts;
    }

    TranslationCache& GetTranslationCache() const
    {
        return *m_translations;
    }

    ReceiveWqeCache& GetReceiveWqeCache() const
    {
        return *m_receiveWqes;
    }

    GpuPath& GetGpuPath() const
    {
        return *m_gpu;
    }

    /// @return payload on the chip whose write to memory is pending.
    uint64_t GetWriteBacklog(Tick now) const
    {
        return m_pcie->GetWriteBacklog(now) + m_gpu->GetWaitingBytes();
    }

    WqeFetcher& GetWqeFetcher() const
    {
        return *m_fetcher;
    }

    IngressMeter& GetIngressMeter() const
    {
        return *m_ingress;
    }

    ReceiveBuffer& GetReceiveBuffer() const
    {
        return *m_receiveBuffer;
    }

    CardMemory& GetCardMemory() const
    {
        return *m_cardMemory;
    }

    PacketPipeline& GetTransmitPipeline() const
    {
        return *m_transmit;
    }

    PacketPipeline& GetReceivePipeline() const
    {
        return *m_receive;
    }

    /// @return most bytes of frames that are requested and not on the wire yet.
    uint64_t GetTransmitBufferBytes() const
    {
        return m_transmitBufferBytes;
    }

    /// @return most unacknowledged payload of a queue pair.
    uint64_t GetMaxOutstandingBytes() const
    {
        return m_maxOutstandingBytes == 0 ? UINT64_MAX : m_maxOutstandingBytes;
    }

    /// @return most READs and atomics in flight of all queue pairs; 0: no limit.
    uint32_t GetMaxReads() const
    {
        return m_maxReads;
    }

    /// @return whether packets out of order are handled by host software (SRNIC section 4.4.2).
    bool OnloadsBitmaps() const
    {
        return m_onloadsBitmaps;
    }

    /// @return bytes of metadata that software gets for each packet out of order.
    uint32_t GetMetadataBytes() const
    {
        return m_metadataBytes;
    }

    /// @return how much longer a negative acknowledgment takes than an acknowledgment.
    Tick GetNakDelay() const
    {
        return m_nakDelay;
    }

    /// @return whether entries of GetMaxReads() are in use until the response has left the chip.
    bool HoldsReadsUntilPlaced() const
    {
        return m_holdsReads;
    }

    /// @return how long an acknowledgment takes from the receive pipeline to the port.
    Tick GetControlLatency() const
    {
        return m_controlLatency;
    }

    /// @return how much earlier than the packet has passed the receive pipeline its acknowledgment
    /// is made.
    const HeaderLead& GetAnswerLead() const
    {
        return m_answerLead;
    }

    /// @return payload of WRITEs and SENDs per queue pair that is read before it may be sent.
    uint64_t GetPrefetchBytes() const
    {
        return m_prefetchBytes;
    }

    /// @return the time that two idle NICs of this kind add to a round trip: from the credit for a
    /// full packet to the handling of its acknowledgment.
    /// @param rate of the port
    Tick GetIdleRoundTrip(uint32_t payloadBytes, uint32_t frameBytes, DataRate rate) const;

    /// The NIC writes a completion. @return when the consumer has received it
    Tick Complete(Tick now, uint32_t queuePair);

    /// The host has posted `requests` work requests, and rings.
    /// @param pushedBytes stored with the doorbell
    /// @return when the doorbell reaches the NIC
    Tick Ring(Tick now, uint32_t queuePair, uint32_t requests, uint32_t pushedBytes);

    /// As Complete(), without core time. @return when the completion is in the host's memory
    Tick WriteCompletion(Tick now);

    /// As Ring(), without core time.
    Tick StoreDoorbell(Tick now, uint32_t pushedBytes);

  protected:
    void DoDispose() override;

  private:
    /// Makes the additional units of a derived class. Default: none.
    virtual void DoMakeUnits(const NicDesign& design);
    PipelineConfig MakePipeline(PipelineDirection direction) const;
    std::string FindAnswerFault() const;
    /// Sets the lead and the path of acknowledgments.
    void StartAnswers();

    Ptr<PcieLink> m_pcie;
    Ptr<HostCpu> m_cpu;
    Ptr<ContextCache> m_contexts;
    Ptr<TranslationCache> m_translations;
    Ptr<ReceiveWqeCache> m_receiveWqes;
    Ptr<GpuPath> m_gpu;
    Ptr<WqeFetcher> m_fetcher;
    Ptr<IngressMeter> m_ingress;
    Ptr<ReceiveBuffer> m_receiveBuffer;
    Ptr<CardMemory> m_cardMemory;
    Ptr<PacketPipeline> m_transmit;
    Ptr<PacketPipeline> m_receive;
    Tick m_controlLatency{0};
    HeaderLead m_answerLead;

    TypeId m_pipelineType;
    std::string m_transmitBlocks;
    std::string m_receiveBlocks;
    std::string m_answerBlock;
    std::string m_answerEntry;
    Time m_cycle;
    uint32_t m_busBytes{0};
    uint32_t m_packetCycles{0};
    uint64_t m_transmitBufferBytes{0};
    uint64_t m_maxOutstandingBytes{0};
    uint64_t m_prefetchBytes{0};
    uint32_t m_maxReads{0};
    bool m_holdsReads{false};
    uint32_t m_completionBytes{0};
    uint32_t m_metadataBytes{0};
    bool m_onloadsBitmaps{false};
    bool m_hasInterrupts{false};
    Tick m_nakDelay{0};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_HARDWARE_H
