// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_SWITCH_H
#define RDMA_FABRIC_SWITCH_H

#include "ns3/attribute-values.h"
#include "ns3/ecn-marker.h"
#include "ns3/fabric-port.h"
#include "ns3/load-balancer.h"
#include "ns3/object.h"
#include "ns3/route-table.h"
#include "ns3/shared-buffer.h"

#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// What differs from port to port of a switch.
struct SwitchPortConfig
{
    FabricPort* port;       ///< Not owned.
    EcnProfile ecn;         ///< Of the frames that leave by it.
    double alpha;           ///< Dynamic threshold of the frames that come in by it.
    uint64_t headroomBytes; ///< For each lossless priority.
};

/**
 * @ingroup rdma-switch
 * @brief Output-queued switch with a shared buffer, ECN marking, PFC and multi-path routing.
 *
 * A frame is admitted by SharedBuffer, routed, queued at its egress port and charged to its ingress
 * queue until its transmission begins.  ECN looks at the egress queue that the frame leaves behind
 * (marking at dequeue, as the HPCC simulator family and NVIDIA Spectrum's fast congestion
 * notification do).  With PFC on, an ingress queue above its threshold pauses the sender at the
 * other end, again every half pause time while it stays there, and resumes it when it has fallen by
 * ResumeMargin.
 *
 * Not modelled: lookup and crossbar latency (zero), egress admission, multicast, MAC learning.
 */
class FabricSwitch final : public Object, public PortOwner
{
  public:
    static TypeId GetTypeId();
    FabricSwitch();
    ~FabricSwitch() override;

    /**
     * @brief Takes the ports and sets up the buffer. Once, before any frame.
     * @param core of the fabric
     * @param ports by port number; @param attributes of the load balancer
     * @param seed of the run; @param firstStream of ports + 1 random streams that are this switch's
     */
    void Start(std::shared_ptr<FabricCore> core,
               const std::vector<SwitchPortConfig>& ports,
               const AttributeValues& attributes,
               uint64_t seed,
               uint64_t firstStream);

    /// @param routes of the whole fabric, outlive the switch or the next call; @param number of
    /// this switch in them
    void SetRoutes(const Routes& routes, uint32_t number);

    /// @return the port that the frames of a flow take now, as far as that is known without them;
    /// null if none.
    FabricPort* FindFlowEgress(uint32_t dst, uint32_t entropy) const;

    const SharedBuffer& GetBuffer() const;

    // Signature of the trace.
    using BufferCallback = void (*)(uint64_t bytes);

    /// @return the trace source of the bytes that the buffer holds; frames that need not wait never
    /// count. Once the ports are there.
    TracedCallback<uint64_t>& GetBufferTrace();

    void Receive(FrameIndex index) override;
    void OnDequeue(FabricPort& port, Frame& frame) override;
    PulledFrame Pull(FabricPort& port) override;
    uint32_t PredictEgress(const Frame& frame) const override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;

  private:
    enum Event : uint32_t
    {
        REFRESH_PAUSE = ARRIVAL + 1, ///< Argument: ingress queue.
    };

    /// What was last sent to the sender of an ingress queue.
    struct PauseState
    {
        Tick notifiedAt{0};
        bool isPaused{false};
        bool hasRefresh{false}; ///< A REFRESH_PAUSE event is under way.
    };

    void DoDispose() override;
    void Forward(FrameIndex index);
    FabricPort* GetEgress(const Frame& frame) const;
    template <typename Chooser>
    FabricPort* FindPort(uint32_t dst, Chooser choose) const;
    [[gnu::noinline]] FabricPort* FindEgress(const Frame& frame) const;
    void CheckChoice(const char* call, uint32_t chosen, uint32_t count) const;
    [[noreturn, gnu::cold]] void FailChoice(const char* call,
                                            uint32_t chosen,
                                            uint32_t count) const;
    void RefreshPause(uint32_t queue);
    void Drop(FrameIndex index, DropReason reason);
    void ObserveBuffer(const Frame& frame, uint32_t queueBytes);
    void Pause(uint32_t queue);
    void Resume(uint32_t queue);
    void ScheduleRefresh(uint32_t queue);
    Tick GetRefreshInterval(uint32_t queue) const;

    bool IsLossless(uint32_t priority) const
    {
        return ((m_losslessPriorities >> priority) & 1) != 0;
    }

    /// By priority first: the queues of the one priority in use lie side by side.
    uint32_t MakeQueue(uint32_t port, uint32_t priority) const
    {
        return priority * m_portCount + port;
    }

    /// Ports of equal cost towards another switch: a stretch of m_nextPorts.
    struct NextHops
    {
        static constexpr uint32_t MAX_FIRST{(1U << 22) - 1};
        static constexpr uint32_t MAX_COUNT{(1U << 10) - 1};
        uint32_t first : 22;
        uint32_t count : 10; ///< 0: unreachable.
    };

    /// @return the place in m_nextPorts that a frame goes by. @param hops at least one
    uint32_t ChooseNextHop(const Frame& frame, NextHops hops) const
    {
        return hops.count == 1 ? hops.first : ChooseAmong(frame, hops);
    }

    // Out of line, as FindEgress(): a path without calls saves no registers.
    [[gnu::noinline]] uint32_t ChooseAmong(const Frame& frame, NextHops hops) const;
    Tick GetLongestFlight() const; ///< Of a frame over any link, once it has set out.

    // Read for every frame.
    std::shared_ptr<FabricCore> m_core;
    const Attachment* m_attachments{nullptr}; ///< By endpoint id.
    std::vector<NextHops> m_nextHops;         ///< By number of the destination switch.
    std::vector<FabricPort*> m_nextPorts;     ///< Of all groups of RouteTable.
    std::vector<uint32_t> m_nextTargets;      ///< Frame::egress for each of m_nextPorts.
    std::vector<FabricPort*> m_ports;
    std::vector<uint32_t> m_portTargets; ///< Frame::egress for each of m_ports.
    Tick m_egressKnownFrom{0};           ///< Frames that arrive before may have another egress.
    LoadBalancer* m_balancer{nullptr};   ///< Of m_loadBalancer.
    uint32_t m_number{0};
    uint32_t m_portCount{0};
    bool m_isPfcEnabled{false};
    bool m_canPredict{false}; ///< LoadBalancer::IsStateless().
    uint8_t m_losslessPriorities{0x08};
    std::optional<SharedBuffer> m_buffer;
    std::vector<EcnMarker> m_markers; ///< By egress port.
    Ptr<LoadBalancer> m_loadBalancer;

    std::vector<PauseState> m_pauses; ///< By ingress queue.
    uint32_t m_target{0};
    uint64_t m_bufferBytes{0};
    uint64_t m_reserveBytes{0};
    uint32_t m_resumeMargin{0};
    uint16_t m_pauseQuanta{0};
    TypeId m_loadBalancerType;
    std::unique_ptr<TracedCallback<uint64_t>> m_bufferTrace; ///< Null until the first connection.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_SWITCH_H
