// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RDMA_NIC_H
#define RDMA_RDMA_NIC_H

#include "ns3/fabric-device.h"
#include "ns3/header-sizes.h"
#include "ns3/queue-pair-table.h"
#include "ns3/send-scheduler.h"
#include "ns3/work-completion.h"

#include <functional>

namespace ns3::rdma
{

/// Counts of one NIC.
struct NicStats
{
    uint64_t cnpsSent{0};
    uint64_t dataFrames{0}; ///< Sent, retransmissions included.
};

/**
 * @ingroup rdma-nic
 * @brief RoCE v2 NIC: joins queue pairs, send scheduler and port; alone talks to the engine.
 *
 * Reliable connections with WRITE.  A design is chosen by attributes: congestion control, loss
 * recovery, scheduler, header sizes, acknowledgment and CNP rules (NicPreset names the known ones).
 *
 * Hardware is not timed: work requests are seen, packets handled and acknowledgments made in no
 * time, contexts always hit, and received data never waits for PCIe.
 */
class RdmaNic : public Object, public PortOwner, private EventTarget
{
  public:
    using CompletionHandler = std::function<void(const WorkCompletion&)>;

    static TypeId GetTypeId();
    RdmaNic();
    ~RdmaNic() override;

    /**
     * @brief Takes a server's port. Once, before any queue pair.
     * @param core of the fabric; @param device of the server; @param node id of the server
     * @param baseRtt longest round trip of the fabric, for congestion control and BDP-FC
     */
    void Start(FabricCore& core, FabricDevice& device, uint32_t node, Tick baseRtt);

    /// @param handler is told of each work request that ends; it may destroy the queue pair
    void SetCompletionHandler(CompletionHandler handler);

    /// @return the number of a new queue pair, which waits for Connect().
    uint32_t CreateQueuePair();
    void Connect(uint32_t queuePair, const Connection& connection);
    /// Forgets a queue pair; frames that still come for it are dropped.
    void DestroyQueuePair(uint32_t queuePair);

    /// Posts a WRITE. @param bytes at least 1
    void PostWrite(uint32_t queuePair, uint64_t wrId, uint64_t bytes);

    /// @return null if there is none (any more).
    const QueuePair* FindQueuePair(uint32_t queuePair) const;
    uint32_t GetQueuePairCount() const;
    const NicStats& GetStats() const;

    /// @return a table made anew from the attributes.
    HeaderSizes GetHeaderSizes() const;

    /// @return in-order packets per acknowledgment.
    uint32_t GetAckInterval() const;
    uint32_t GetPathMtu() const;

    void Receive(FabricPort& port, FrameIndex index) override;
    void OnDequeue(FabricPort& port, Frame& frame) override;
    PulledFrame Pull(FabricPort& port) override;

  private:
    enum Event : uint32_t
    {
        PACING,   ///< A paced queue pair may send.
        QP_TIMER, ///< Argument: queue pair number.
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnTimer(uint32_t number);

    Requester& GetRequester(QueuePair& queuePair);
    Responder& GetResponder(QueuePair& queuePair);
    void ReceiveData(QueuePair& queuePair, const Frame& frame);
    void Complete(const QueuePair& queuePair, const Completions& completions);

    FrameIndex MakeFrame(const QueuePair& queuePair,
                         uint8_t opcode,
                         uint8_t priority,
                         uint32_t bytes);
    FrameIndex MakeData(QueuePair& queuePair, Tick now);
    void SendAck(const QueuePair& queuePair, const Answer& answer, const Frame& data);
    void SendCnp(const QueuePair& queuePair);
    void Drop(FrameIndex index, DropReason reason);

    void Activate(QueuePair& queuePair); ///< After any event that may let it send.
    bool Schedule(QueuePair& queuePair); ///< @return whether it joined the scheduler.
    void ArmTimer(QueuePair& queuePair);
    void WakeAt(Tick when);

    FabricCore* m_core{nullptr};
    FabricPort* m_port{nullptr};
    uint32_t m_node{0};
    uint32_t m_target{0};
    Tick m_wakeAt{TICK_NEVER}; ///< Of the earliest PACING event under way.
    QueuePairTable m_queuePairs;
    Ptr<SendScheduler> m_scheduler;
    CompletionHandler m_onCompletion;
    NicStats m_stats;

    Ptr<CongestionControl> m_congestionControl; ///< Prototype of each queue pair's own.
    Ptr<LossRecovery> m_lossRecovery;           ///< Likewise.
    PathInfo m_path;
    HeaderSizes m_headerSizes;
    Feedback m_feedback{Feedback::NONE};
    ResponderRules m_responderRules;

    TypeId m_congestionControlType;
    TypeId m_lossRecoveryType;
    TypeId m_schedulerType;
    TypeId m_wireFormatType;
    bool m_hasIpv6{false};
    uint32_t m_pathMtu{0};
    uint8_t m_dataPriority{0};
    uint8_t m_ackPriority{0};
    uint8_t m_cnpPriority{0};
    Time m_cnpInterval;
    uint32_t m_ackInterval{1};
    uint32_t m_retryCount{0};
    bool m_hasBdpFlowControl{false};
};

} // namespace ns3::rdma

#endif // RDMA_RDMA_NIC_H
