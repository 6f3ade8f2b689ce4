// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RDMA_NIC_H
#define RDMA_RDMA_NIC_H

#include "ns3/fabric-device.h"
#include "ns3/nic-core.h"
#include "ns3/nic-design.h"
#include "ns3/queue-pair-view.h"
#include "ns3/shared-parameters.h"
#include "ns3/timed-chip.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/// Counts of one NIC.
struct NicStats
{
    uint64_t cnpsSent{0};
    uint64_t dataFrames{0}; ///< Sent, retransmissions and READ responses included.
};

/// A port for a NIC.
struct NicPort
{
    FabricDevice* device;
    uint32_t endpoint; ///< Its id.
};

/**
 * @ingroup rdma-nic
 * @brief RoCE v2 NIC: verbs above, ports below; makes the transport, and a chip for each port.
 *
 * Reliable and unreliable connections and datagrams with the verbs of libibverbs.  A NicDesign
 * selects congestion control, loss recovery, scheduler, wire format, acknowledgment and CNP rules,
 * and the attributes of each.
 *
 * If the attribute Hardware is false, the chips are InstantChips: work requests, packets and
 * acknowledgments are handled in no time, contexts are on the chip, and PCIe takes no time. If it
 * is true, they are TimedChips with a NicHardware.
 */
class RdmaNic : public Object
{
  public:
    using CompletionHandler = WorkReporter::CompletionHandler;
    using AsyncEventHandler = WorkReporter::AsyncEventHandler;

    static TypeId GetTypeId();
    RdmaNic();
    ~RdmaNic() override;

    /// @return a NIC of the design; its policies and hardware are made from the design, too.
    static Ptr<RdmaNic> Make(std::shared_ptr<const NicDesign> design);

    /// @return a NIC that is not started, with the design and the attributes of this one.  It uses
    /// the policy prototypes of this NIC if their links have the same rate.  A fabric has many NICs
    /// of few designs, and ns-3 sets the attributes of a new object one by one.
    Ptr<RdmaNic> Copy() const;

    const NicDesign& GetDesign() const
    {
        return *m_design;
    }

    /// @return hardware of a design, of the class that its attribute HardwareClass names.
    static Ptr<NicHardware> MakeHardware(const NicDesign& design);

    /// @return queue pairs that a NIC of a design holds at a time.
    static QueuePairLimit GetQueuePairLimit(const NicDesign& design);

    /**
     * @brief Uses a port of a server. Called once, before any queue pair is made.
     * @param core of the fabric; @param device of the port; @param endpoint id of the port
     * @param baseRtt longest round trip of the fabric, for congestion control and BDP-FC
     * @param seed of the run, for the random numbers of hardware and entropy selectors
     */
    void Start(FabricCore& core,
               FabricDevice& device,
               uint32_t endpoint,
               Tick baseRtt,
               uint64_t seed = 1);

    /// Uses several ports of a server, which share one hardware.
    /// @param ports at least one, all of one rate
    void Start(FabricCore& core,
               const std::vector<NicPort>& ports,
               Tick baseRtt,
               uint64_t seed = 1);

    /// @return null if hardware takes no time.
    const NicHardware* GetHardware() const;

    /// @return memory of its GPU, to be registered in protection domains; null: there is no GPU, or
    /// hardware takes no time. After Start().
    Ptr<GpuMemory> GetGpuMemory() const;

    // The next three functions are about a port. They throw a VerbsError if hardware takes no time.

    /// Called with each packet whose payload is written to the host, and the time when the host can
    /// see it.
    TimedReceivePath::PlacedTrace& GetPlacedTrace(uint32_t port = 0);

    /// @return counts of the slow path.
    const SlowPathStats& GetSlowPathStats(uint32_t port = 0) const;

    /// @return counts of the schedule queue.
    const SendPathStats& GetSendPathStats(uint32_t port = 0) const;

    /// @return the trace sources of its queue pairs; the first call makes them, and tracing begins.
    QueuePairTraces& GetTraces();

    /// @param handler is called for each work request that ends on a queue pair without completion
    /// queue; it may destroy the queue pair
    void SetCompletionHandler(CompletionHandler handler);

    /// @param handler is called for asynchronous events (ibv_get_async_event)
    void SetAsyncEventHandler(AsyncEventHandler handler);

    /// @param number a free one for the queue pair; unset: the next one
    /// @param port by which it first sends
    /// @return the number of a new queue pair in RESET, to be changed by ModifyQueuePair() or
    /// Connect(). Throws a VerbsError if the number is in use, no number is free, there is no such
    /// port, or a shared receive queue has no completion queue.
    uint32_t CreateQueuePair(const QueuePairInit& init = {},
                             std::optional<uint32_t> number = std::nullopt,
                             uint32_t port = 0);

    /**
     * @brief Changes a queue pair's state, its attributes first (ibv_modify_qp).
     * @return false, with nothing changed, if the transition is not allowed, RTR lacks the
     * connection, or an attribute is out of bounds.
     */
    bool ModifyQueuePair(uint32_t queuePair,
                         QpState state,
                         const QueuePairAttributes& attributes = {});

    /// From RESET to RTS at once. Throws a VerbsError where ModifyQueuePair() would return false.
    void Connect(uint32_t queuePair,
                 const Connection& connection,
                 QueuePairAttributes attributes = {});

    /// Destroys a queue pair; later frames for it are dropped.
    void DestroyQueuePair(uint32_t queuePair);

    /// Posts a plain WRITE: a length without addresses. Throws a VerbsError before RTS and on UD.
    /// @param bytes 0: one packet without payload (IBTA Vol. 1, Section 9.2.1)
    void PostWrite(uint32_t queuePair, uint64_t wrId, uint64_t bytes);

    /// Posts a request and all that are linked behind it (ibv_post_send).
    /// @param bad if not null, is set to the first request that was not posted.
    PostResult PostSend(uint32_t queuePair,
                        const SendWorkRequest& request,
                        const SendWorkRequest** bad = nullptr);

    /// Posts a request of a kernel on the NIC: it needs no doorbell and no fetch.
    PostResult PostOnChip(uint32_t queuePair, const SendWorkRequest& request);

    /// Posts receive requests to the queue pair's own queue (ibv_post_recv); not if it has a shared
    /// one.
    PostResult PostReceive(uint32_t queuePair,
                           const ReceiveWorkRequest& request,
                           const ReceiveWorkRequest** bad = nullptr);

    /// @return unset if no queue pair has that number.
    std::optional<QueuePairView> FindQueuePair(uint32_t queuePair) const;
    NicStats GetStats() const;

    HeaderSizes GetHeaderSizes() const;

    /// @return ports by which a queue pair sends at a time: all with an entropy selector. Only
    /// after Start().
    uint32_t GetPlaneCount() const;
    Ptr<WireFormat> MakeWireFormat() const;
    IpVersion GetIpVersion() const;
    /// @return what congestion control needs from the responder.
    Feedback GetFeedback() const;
    /// @return which packets carry INT headers: none unless congestion control needs them.
    IntRules GetIntRules() const;

    /// @return which NIC of a server a connection uses: the checked result of
    /// PathSelector::ChooseNic().
    uint32_t ChooseNic(uint64_t connection, uint32_t nics) const;

    /// @return which port a connection uses: the checked result of PathSelector::ChoosePort().
    uint32_t ChoosePort(uint64_t connection) const;

    uint32_t GetPortCount() const
    {
        return m_core ? m_core->ports.GetCount() : 0;
    }

    /// @return the port by which a queue pair sends now; 0 if no queue pair has that number.
    uint32_t FindPort(uint32_t queuePair) const;

    // As given to Start().
    uint32_t GetEndpoint(uint32_t port = 0) const
    {
        return m_core->ports.GetEndpoint(port);
    }

    Ptr<FabricDevice> GetDevice(uint32_t port = 0) const
    {
        return m_core->ports.GetDevice(port);
    }

    FabricCore& GetCore() const
    {
        return m_core->ports.GetFabric();
    }

    /// @return in-order packets per acknowledgment.
    uint32_t GetAckInterval() const
    {
        return m_settings->ackInterval;
    }

    uint32_t GetPathMtu() const
    {
        return m_settings->pathMtu;
    }

  private:
    /// Attributes that the NIC reads when it starts.
    struct Settings : public TransportSettings
    {
        TypeId congestionControlType;
        TypeId lossDetectorType;
        TypeId timeoutType;
        TypeId schedulerType;
        TypeId wireFormatType;
        TypeId pathSelectorType;
        TypeId flightType;
        TypeId receiverControlType;
        TypeId admissionType;
        TypeId entropySelectorType;
        TypeId creditSchedulerType;
        TypeId hardwareType;
        DataRate portRateLimit;
        uint32_t portRateBurst{0}; ///< Bytes.
        uint32_t maxQueuePairs{0};
        uint16_t pathMtu{0};
        uint8_t intHops{0};
        uint8_t dataPriority{0};
        uint8_t ackPriority{0};
        uint8_t cnpPriority{0};
        uint8_t reportPriority{0};
        uint8_t creditPriority{0};
        uint8_t dataDscp{0};
        uint8_t ackDscp{0};
        uint8_t cnpDscp{0};
        std::string dscpMap;
        bool isHardwareTimed{false};
        bool hasIpv6{false};
    };

    RdmaNic(const RdmaNic& original);
    void DoDispose() override;
    void SetCnpInterval(Time interval);
    Time GetCnpInterval() const;
    FrameStyle MakeStyle(const HeaderSizes& sizes) const;
    std::unique_ptr<PacketPath> MakeChip(FabricCore& core,
                                         const NicPort& port,
                                         uint32_t number) const;
    TimedChip& GetTimed(uint32_t port) const;
    /// Throws a VerbsError unless the NIC is started and not disposed of.
    NicCore& GetStarted() const;
    /// @param rate of its ports
    Tick GetBaseRtt(Tick networkRtt, DataRate rate) const;
    /// Reads the DSCP and the service level of a queue pair, which is about to be connected.
    void ApplyMark(QueuePair& queuePair) const;
    /// Stores the facts of the path to the peer if congestion control uses them.
    void SetOwnPath(QueuePair& queuePair) const;
    TransportDefaults MakeDefaults(const FabricCore& core,
                                   const PathInfo& path,
                                   uint32_t ports,
                                   uint64_t seed) const;

    std::shared_ptr<const NicDesign> m_design;
    std::shared_ptr<const TransportFactory> m_factory; ///< Shared by the NICs of the design.
    std::unique_ptr<QueuePairTraces> m_traces;         ///< Null until the first connection.
    std::unique_ptr<NicCore> m_core;                   ///< Null: not started, or disposed of.
    Ptr<NicHardware> m_hardware;                       ///< Of all ports; null: it takes no time.
    SharedParameters<Settings> m_settings;             ///< Shared with copies.
    std::optional<FrameStyle>
        m_style; ///< Of its first port, or of its original's; from Start() on.
    Time m_cnpInterval;
};

} // namespace ns3::rdma

#endif // RDMA_RDMA_NIC_H
