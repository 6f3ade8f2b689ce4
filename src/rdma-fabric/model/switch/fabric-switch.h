// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_SWITCH_H
#define RDMA_FABRIC_SWITCH_H

#include "ns3/admission-policy.h"
#include "ns3/attribute-values.h"
#include "ns3/class-markings.h"
#include "ns3/dscp-map.h"
#include "ns3/ecn-marker.h"
#include "ns3/egress-limits.h"
#include "ns3/fabric-port.h"
#include "ns3/load-balancer.h"
#include "ns3/marking-policy.h"
#include "ns3/object.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/route-table.h"
#include "ns3/shared-buffer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Configuration of a class at one port of a switch.
struct SwitchPortClass
{
    EcnProfile ecn;         ///< For frames that leave by this port.
    double alpha;           ///< Dynamic threshold of frames that arrive by this port.
    uint64_t headroomBytes; ///< If the class is lossless.
    uint64_t linkBytes{0};  ///< FabricPort::GetLinkBuffer(): the least reserve.
};

/// Configuration of one port of a switch.
struct SwitchPortConfig
{
    FabricPort* port;   ///< Not owned.
    EcnProfile ecn;     ///< Of the classes without a MarkingPolicy of their own.
    bool leadsToServer; ///< Else to another switch.
    std::array<SwitchPortClass, PRIORITIES> classes;
};

/**
 * @ingroup rdma-switch
 * @brief Output-queued switch with a shared buffer, ECN marking, PFC and multi-path routing.
 *
 * A frame is routed, admitted by SharedBuffer, queued at its egress port and charged to its ingress
 * queue until its transmission begins.  ECN marking depends on the egress queue behind the frame
 * (marking at dequeue, as in the HPCC simulator family and NVIDIA Spectrum's fast congestion
 * notification).  LoadBalancer, AdmissionPolicy and MarkingPolicy replace these rules; only a
 * policy that is not the default costs a call per frame.  With PFC, the switch pauses the sender of
 * an ingress queue that is above its threshold, and repeats the pause every half pause time.  It
 * resumes the sender when the queue is ResumeMargin below the threshold.
 *
 * A switch stores frames, or cuts through: it then handles a frame when its first HEAD_BYTES have
 * arrived, and charges the whole frame to the buffer at that time.  Frames that arrive at a lower
 * rate than that of the fastest port are stored (real switches compare with the rate of the egress:
 * Microchip's online documentation, "Cut-Through").
 *
 * Not modelled: lookup and crossbar latency (zero), multicast, MAC learning, frames with errors
 * that are forwarded because a switch cuts through.
 */
class FabricSwitch final : public Object, public PortOwner
{
  public:
    /// What a switch that cuts through reads of a frame, as Frame::wireBytes.
    static constexpr uint32_t HEAD_BYTES{64};

    static TypeId GetTypeId();
    ~FabricSwitch() override;

    /// Called before Start(), if classes differ from each other.
    /// @param pools of shared memory, bytes; the rest is the pool of the other classes
    void SetClasses(const ClassTable& classes, const std::vector<uint64_t>& pools = {});

    /// Called before Start(), if the switch has a watchdog.
    void SetWatchdog(const PfcWatchdogConfig& config);

    /**
     * @brief Takes over the ports and sets up the buffer. Called once, before any frame arrives.
     * @param core of the fabric
     * @param ports by port number
     * @param attributes of the policies
     * @param routes of the whole fabric, which outlive the switch
     * @param scale of the fabric; needed only if HasPolicies()
     * @param number of this switch in routes
     * @param seed of the run
     * @param firstStream of the ports + 2 random streams of this switch
     */
    void Start(std::shared_ptr<FabricCore> core,
               const std::vector<SwitchPortConfig>& ports,
               const Routes& routes,
               const FabricScale& scale,
               uint32_t number,
               const AttributeValues& attributes,
               uint64_t seed,
               uint64_t firstStream);

    /// @return whether another class than the default decides about admission or marking.
    bool HasPolicies() const;

    /// Called when the routes given to Start() have changed.
    void UpdateRoutes();

    /// @return the port that the frames of a flow take now, as predicted by
    /// LoadBalancer::ChooseForFlow(); null if there is no route.
    FabricPort* FindFlowEgress(uint32_t dst, uint32_t entropy) const
    {
        return FindPort(dst, [&](NextHops hops) {
            if (hops.count == 1)
            {
                return uint32_t{hops.first};
            }
            return m_isEcmp ? hops.first + m_table.ecmp.Choose(entropy, hops.count)
                            : ChooseForFlow(entropy, hops);
        });
    }

    const SharedBuffer& GetBuffer() const;

    // Signature of the trace.
    using BufferCallback = void (*)(uint64_t bytes);

    /// @return the trace source of the bytes in the buffer. Frames that are not queued are not
    /// counted. Only after Start().
    TracedCallback<uint64_t>& GetBufferTrace();

    void Receive(FrameIndex index) override;
    void OnDequeue(FabricPort& port, Frame& frame) override;
    PulledFrame Pull(FabricPort& port, uint32_t classNumber) override;
    const EgressTable* GetEgressTable() const override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    bool IsUpkeep(uint32_t kind, uint32_t argument) const override;

    /// @return whether this switch has paused the sender at the other end of a port's link.
    bool IsSenderPaused(uint32_t port, uint32_t priority) const
    {
        return m_pauses[MakeQueue(port, priority)].isPaused;
    }

  private:
    enum Event : uint32_t
    {
        REFRESH_PAUSE = ARRIVAL + 1, ///< Argument: ingress queue.
    };

    /// The last PFC frame sent to the sender of an ingress queue.
    struct PauseState
    {
        Tick notifiedAt{0};
        bool isPaused{false};
        bool hasRefresh{false}; ///< A REFRESH_PAUSE event is pending.
    };

    void DoDispose() override;
    void StartPolicies(const std::vector<SwitchPortConfig>& ports,
                       const AttributeValues& attributes,
                       uint64_t seed,
                       uint64_t firstStream);
    void StartMarkings(const std::vector<SwitchPortConfig>& ports,
                       const AttributeValues& attributes,
                       uint64_t seed,
                       uint64_t firstStream);
    /// Sets m_plainFrom.
    void UpdatePlain();
    /// With classes of its own, a switch obeys pauses of lossless classes only (IEEE 802.1Qbb: PFC
    /// is enabled per priority).
    void IgnoreLossyPauses();
    /// The watchdog has changed the state of a queue.
    void OnStorm(FabricPort& port, uint8_t priority, bool isStorm);
    void TakeRoutes();
    // The functions that Forward() and OnDequeue() call are not inlined and are called last: the
    // usual way then saves no registers.
    void Forward(FrameIndex index, Tick now);
    /// As Forward(), for a frame whose egress is unknown, or if policies are called for each frame.
    [[gnu::noinline]] void RouteAndForward(FrameIndex index, Tick now);
    /// Gives a frame the priority of its DSCP. Only with m_dscpMap.
    void Classify(Frame& frame) const;
    /// Calls the policies for a frame that has arrived.
    /// @return false: the frame has been dropped
    bool PassPolicies(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// As Admit(), with the calls of the policies.
    void AdmitByPolicies(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// Sends the frame if the buffer has room, else drops it. Only if the egress port is free.
    [[gnu::noinline]] void SendIfRoom(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// Queues the frame, after the calls of the policies, or drops it. Only if the egress port is
    /// not free.
    [[gnu::noinline]] void AdmitToQueue(FrameIndex index,
                                        Frame& frame,
                                        FabricPort& egress,
                                        Tick now);
    /// Charges the frame to the buffer and queues it, or drops it. Only if the egress port is not
    /// free.
    void Queue(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// One of the two.
    void Admit(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// Calls m_admission.
    /// @return false: the frame has been dropped
    bool Decide(FrameIndex index, Frame& frame, FabricPort& egress, Tick now);
    /// @return whether a frame may take the place of the newest queued frame of its priority.
    static bool IsReplaceable(const ArrivedFrame& arrived);
    /// Puts the frame in that place. The index holds the replaced frame afterwards.
    void ReplaceNewest(FrameIndex index, FabricPort& egress);
    bool HasRoom(const Frame& frame) const;
    /// @return whether the frame leaves at once or its queue stays within its limit.
    bool FitsQueue(const Frame& frame, const FabricPort& egress, Tick now) const;
    bool IsLastHop(const FabricPort& egress) const;
    void Trim(Frame& frame, FabricPort& egress);
    void Mark(Frame& frame, FabricPort& egress);
    /// Marks a frame that leaves a queue, and resumes the sender of its ingress queue.
    [[gnu::noinline]] void AfterDequeue(FabricPort& port, Frame& frame);
    void MarkByPolicy(Frame& frame, FabricPort& egress, uint64_t queueBytes, MarkingPoint point);
    bool ShouldMark(const Frame& frame,
                    const FabricPort& egress,
                    uint64_t queueBytes,
                    MarkingPoint point);

    /// @param choose gets the ports of equal cost, at least one; returns an index in m_nextPorts
    /// @return null if there is no route.
    template <typename Chooser>
    [[gnu::always_inline]] FabricPort* FindPort(uint32_t dst, Chooser choose) const
    {
        const Attachment& attachment = m_table.attachments[dst];
        if (attachment.switchNumber == m_table.number)
        {
            return m_ports[attachment.port];
        }
        if (attachment.switchNumber == Attachment::ABSENT)
        {
            return nullptr;
        }
        const NextHops hops = m_table.GetNextHops(attachment.switchNumber);
        return hops.count == 0 ? nullptr : m_nextPorts[choose(hops)];
    }

    FabricPort* FindEgress(Frame& frame) const;
    void CheckChoice(const char* call, uint32_t chosen, uint32_t count) const;
    [[noreturn, gnu::cold]] void FailChoice(const char* call,
                                            uint32_t chosen,
                                            uint32_t count) const;
    void RefreshPause(uint32_t queue);
    /// Reports to the port by which a frame arrived that it leaves the buffer. Only with
    /// m_hasLinkBuffers.
    void ReleaseToLink(const Frame& frame);
    void DropForLackOfRoom(FrameIndex index);
    void Drop(FrameIndex index, DropReason reason);
    void ObserveBuffer(const Frame& frame, uint32_t queueBytes);
    void Pause(uint32_t queue);
    void Resume(uint32_t queue);
    void PauseIfOver(uint32_t queue);
    void ResumeIfBelow(uint32_t queue);
    void ScheduleRefresh(uint32_t queue);
    Tick GetRefreshInterval(uint32_t queue) const;

    bool IsLossless(uint32_t priority) const
    {
        return ((m_losslessPriorities >> priority) & 1) != 0;
    }

    /// By priority first: the queues of one priority are adjacent in memory.
    uint32_t MakeQueue(uint32_t port, uint32_t priority) const
    {
        return priority * m_portCount + port;
    }

    /// @param hops at least one port
    /// @return the index in m_nextPorts of a frame's egress port.
    uint32_t ChooseNextHop(Frame& frame, NextHops hops) const
    {
        if (hops.count == 1)
        {
            return hops.first;
        }
        return m_isEcmp ? hops.first + m_table.ecmp.Choose(frame.entropy, hops.count)
                        : ChooseAmong(frame, hops);
    }

    uint32_t ChooseAmong(Frame& frame, NextHops hops) const;
    /// @param hops two ports or more
    /// @return the index in m_nextPorts of the egress port that a flow takes now.
    uint32_t ChooseForFlow(uint32_t entropy, NextHops hops) const;
    /// @return the longest time from sending to arrival of a frame, over all links.
    Tick GetLongestFlight() const;

    // Members that are read for every frame.
    std::shared_ptr<FabricCore> m_core;
    /// From this time on, an arriving frame with Frame::egress that finds this port free leaves
    /// without policies. TICK_NEVER: none does.
    Tick m_plainFrom{0};
    uint32_t m_portCount{0};
    bool m_isPfcEnabled{false};
    bool m_marksAtDequeue{false};   ///< m_marking decides.
    bool m_asksAfterDequeue{false}; ///< m_marksAtDequeue or m_hasLinkBuffers.
    uint8_t m_losslessPriorities{0x08};
    bool m_hasFramePolicies{false}; ///< A policy is called for arriving frames.
    uint32_t m_pausedQueues{0};     ///< Ingress queues whose sender is paused.
    std::optional<SharedBuffer> m_buffer;
    std::vector<EcnMarker> m_markers; ///< By egress port; they mark no frame if m_marking is set.
    EgressTable m_table;              ///< Its choice holds only if m_isEcmp.

    bool m_isEcmp{false};                 ///< m_loadBalancer is an EcmpBalancer.
    std::vector<NextHops> m_groups;       ///< The groups of RouteTable.
    std::vector<uint32_t> m_nextTargets;  ///< Frame::egress for each of m_nextPorts.
    std::vector<uint32_t> m_portTargets;  ///< Frame::egress for each of m_ports.
    std::vector<FabricPort*> m_nextPorts; ///< None, and then the ports of all groups.
    std::vector<FabricPort*> m_ports;
    LoadBalancer* m_balancer{nullptr}; ///< The object of m_loadBalancer.
    Ptr<LoadBalancer> m_loadBalancer;

    // Members that are read for frames with policies.
    Ptr<AdmissionPolicy> m_admission; ///< Null: TailDrop.
    Ptr<MarkingPolicy> m_marking;     ///< Null: RedMarking at dequeue, or m_classMarkings.
    std::unique_ptr<ClassMarkings> m_classMarkings; ///< Null: all classes have one policy.
    std::unique_ptr<EgressLimits> m_egressLimits;   ///< Null: no class has one.
    std::unique_ptr<PfcWatchdog> m_watchdog;        ///< Null: none.
    Tick m_egressKnownFrom{0};    ///< From this time on, Frame::egress of arriving frames is right.
    bool m_hasLinkBuffers{false}; ///< FabricPort::Release() is called for frames that leave.
    bool m_isFreePlain{false};    ///< None is called for a frame that finds its egress free.
    std::optional<DscpMap> m_dscpMap; ///< Unset: frames keep their priority.
    bool m_marksAtEnqueue{false};
    bool m_marksPayloadOnly{false}; ///< Of m_markers: frames without payload are not marked.
    bool m_needsOnForward{false};
    uint8_t m_trimPriority{0};
    SwitchView m_view; ///< The view of the load balancer.

    std::vector<PauseState> m_pauses; ///< By ingress queue.
    uint32_t m_target{0};
    bool m_cutsThrough{false}; ///< Attribute, which Fabric reads.
    uint64_t m_bufferBytes{0};
    uint64_t m_reserveBytes{0};
    uint32_t m_resumeMargin{0};
    uint16_t m_pauseQuanta{0};
    std::unique_ptr<ClassTable> m_classes; ///< Null: all classes have the switch's settings.
    std::vector<uint64_t> m_pools;         ///< Bytes; without the rest.
    std::optional<PfcWatchdogConfig> m_watchdogConfig;
    TypeId m_loadBalancerType;
    TypeId m_admissionType;
    TypeId m_markingType;
    TypeId m_schedulerType;    ///< Of all ports of the fabric; EgressScheduler: none.
    std::string m_dscpMapText; ///< Attribute.
    std::unique_ptr<TracedCallback<uint64_t>> m_bufferTrace; ///< Null until the first connection.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_SWITCH_H
