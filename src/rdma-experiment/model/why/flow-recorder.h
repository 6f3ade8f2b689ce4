// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_RECORDER_H
#define RDMA_FLOW_RECORDER_H

#include "ns3/fabric.h"
#include "ns3/flow-channel.h"
#include "ns3/flow-observer.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-report.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-why
 * @brief Records what happens to the packets of flows during a run, and divides each flow's
 * completion time into causes when it has ended.
 *
 * Connects to trace sources of ports and queue pairs: the run has the same results, and one without
 * a recorder costs nothing.  A flow's records are kept until its time is divided.
 *
 * One process only: of a run on several ranks it would see a part.
 */
class FlowRecorder : public FlowObserver
{
  public:
    /// @param fabric outlives this; its NICs are there @param flow the only one that is recorded;
    /// unset: all are
    FlowRecorder(Fabric& fabric, std::optional<uint64_t> flow);
    ~FlowRecorder() override;

    void OnStart(const FlowStart& start, const ConnectionEnds& ends) override;

    /// A flow has ended by itself. Once per flow.
    /// @return how its time was spent if it has completed and was recorded, else unset; forgets it
    std::optional<FlowAccount> Take(const FlowRecord& record);

    /// @return the ports that accounts number.
    const PortLogs& GetPorts() const
    {
        return m_ports;
    }

  private:
    /// A NIC, and its ports in m_ports.
    struct NicPlace
    {
        Ptr<RdmaNic> nic;
        std::vector<uint32_t> ports;
    };

    /// A queue pair with flows.
    struct Channel : public FlowChannel
    {
        uint64_t sender;   ///< Key of its queue pair, as the next.
        uint64_t receiver; ///< Of its peer.
        uint32_t nic;      ///< Of m_nics: that of the sender.
        uint32_t flows{0}; ///< That are recorded.
    };

    /// One of the two halves of a channel, to which frames come.
    struct ChannelEnd
    {
        Channel* channel;
        bool isSender; ///< Gets answers; the other end gets data packets.
    };

    struct RecordedFlow
    {
        Channel* channel;
        MessageSpan message;
        Tick postedAt;
    };

    /// The trail of a frame that is under way.
    struct TrailPlace
    {
        const Channel* channel; ///< Only compared: it may be gone.
        TrailIndex trail;
    };

    void AddNics(const TopologyGraph& graph);
    void WatchPorts(const TopologyGraph& graph);
    void WatchPort(uint32_t number, FabricPort& port, bool isOfServer);
    void WatchNic(uint32_t nic);

    Tick Now() const;
    /// @return a queue pair among those of all NICs. @param endpoint of its NIC
    uint64_t MakeKey(uint32_t endpoint, uint32_t queuePair) const;
    Channel& GetChannel(const FlowStart& start, const ConnectionEnds& ends);
    void Release(Channel& channel);
    /// @return null unless the frame is a data packet or an answer of a channel.
    const ChannelEnd* FindEnd(const Frame& frame) const;
    const ChannelEnd* FindSender(uint32_t nic, uint32_t queuePair) const;
    /// @return null: the frame has no trail.
    FrameTrail* FindOwnTrail(const ChannelEnd& end, const Frame& frame);
    /// The same behind the first port. A copy that a link has made gets a trail of its own.
    FrameTrail* FindTrail(const ChannelEnd& end, const Frame& frame);
    TrailIndex BeginTrail(const ChannelEnd& end, const Frame& frame);
    /// @return whether another frame is where this one was: a switch has exchanged them.
    bool HasMoved(const ChannelEnd& end, const FrameTrail& trail) const;
    /// @return the port that has trimmed the previous transmission of a packet, if one has.
    static uint32_t FindTrim(const Channel& channel, const FrameTrail& resent);
    /// @param frame of the answer
    static TrailIndex FindAnswered(const Channel& channel, const Frame& frame, Tick now);

    void OnEnter(uint32_t port, bool isOfServer, const Frame& frame);
    void OnTransmit(uint32_t port, bool isOfServer, const Frame& frame);
    void OnTrim(uint32_t port, const Frame& frame);
    void OnArrive(const Frame& frame);
    void OnProgress(uint32_t nic,
                    uint32_t queuePair,
                    const Requester& requester,
                    const Frame* answer);
    void OnTurn(uint32_t nic, uint32_t queuePair, Tick contextAt, Tick fetchedAt);
    void OnTransmitStages(const Frame& frame, Tick payloadAt, Tick readyAt);
    void OnReceiveStages(const Frame& frame, Tick contextAt, Tick handledAt);

    Fabric& m_fabric;
    std::optional<uint64_t> m_only;
    PortLogs m_ports;
    std::vector<NicPlace> m_nics;
    std::vector<uint32_t> m_nicOf; ///< By endpoint id: place in m_nics.
    std::unordered_map<uint64_t, std::unique_ptr<Channel>> m_channels; ///< By key of the sender.
    std::unordered_map<uint64_t, ChannelEnd> m_ends;                   ///< By key of either end.
    std::unordered_map<uint64_t, RecordedFlow> m_flows;                ///< By number.
    /// By the place of the frame in memory, which it keeps until it is freed. Not iterated.
    std::unordered_map<const Frame*, TrailPlace> m_trails;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_RECORDER_H
