// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_TRAFFIC_H
#define RDMA_STREAM_TRAFFIC_H

#include "ns3/program-connector.h"
#include "ns3/run-traffic.h"
#include "ns3/stream-host.h"
#include "ns3/stream-plan.h"
#include "ns3/stream-starts.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-stream
 * @brief Streams of messages between programs on hosts, from the start to the end of a run.
 *
 * Each rank makes all hosts, in the same order, and the queue pairs and threads of its own servers.
 */
class StreamTraffic : public RunTraffic, private EventTarget
{
  public:
    /// @throws InputError, VerbsError if the NICs do not take the queue pairs
    StreamTraffic(StreamPlan plan, const TrafficContext& context);
    ~StreamTraffic() override;

    std::vector<uint32_t> CountQueuePairs() const override;
    void Start() override;
    Tick GetEnd() const override;
    void AddTo(WindowState& state, bool isDue) const override;
    /// @return true: a stream is done when its sender has stopped.
    bool MayLeavePackets() const override;

    void AddDelivered(std::vector<uint64_t>& bytes) const override
    {
        m_connector.AddDelivered(bytes);
    }

    void Finish(bool isStalled, Tick end) override;
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

  private:
    /// Each is for one host of this rank, so that their number depends on no rank. Argument: node
    /// id.
    enum Event : uint32_t
    {
        SAMPLE,  ///< An interval ends.
        MEASURE, ///< The measured time begins.
        COOL,    ///< It ends.
        OVER,    ///< Senders stop.
        START,   ///< Programs begin, if that is not at the start of the run.
    };

    /// One queue pair, as far as its ends are here.
    struct Stream
    {
        StreamRecord record;
        const StreamSender* sender{nullptr};
        uint32_t senderEndpoint{0}; ///< Id; of the sender.
        const StreamReceiver* receiver{nullptr};
        uint32_t place{0}; ///< Of the stream at its receiver.
        uint64_t bytesAtFrom{0};
    };

    /// One end of a queue pair that is to be made.
    struct End
    {
        ProgramEnd program;
        RegionLayout layout;     ///< Of the receiver.
        StreamSchedule schedule; ///< Of the sender.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void MakeHosts();
    void MakeGroup(const StreamGroup& group);
    void Connect(const StreamGroup& group, const StreamSettings& settings);
    void ConnectSender(const StreamSettings& settings, const End& end, Stream& stream);
    void ConnectReceiver(const StreamSettings& settings, const End& end, Stream& stream);
    /// @return that of the next stream of a sender. @param stream number
    StreamSchedule MakeSchedule(uint32_t sender, uint64_t stream, const StreamSettings& settings);
    StreamHost& GetHost(uint32_t node);
    void StartHost(uint32_t node);
    void Schedule(Tick when, Event event, uint32_t node);
    void TakeSample(uint32_t node);
    void BeginMeasuring(uint32_t node);

    /// Calls for each stream to a node. @param visit of a stream and its bytes that have arrived
    template <typename Visitor>
    void VisitArrived(uint32_t node, Visitor visit);

    void EndMeasuring(uint32_t node);
    /// @return whether the NIC of a sender has messages that have not ended.
    bool IsPending(const Stream& stream) const;
    /// Adds to the samples what threads have measured themselves.
    void FillMeasured();
    void FindTroubles();
    Ptr<RdmaNic> GetNic(uint32_t endpoint) const;
    uint32_t CountReceived(uint32_t node) const;

    TrafficContext m_context;
    StreamPlan m_plan;
    std::deque<StreamSettings> m_settings;                   ///< By group; programs refer to them.
    std::map<uint32_t, std::unique_ptr<StreamHost>> m_hosts; ///< By node id.
    std::vector<Stream> m_streams;
    ProgramConnector m_connector;
    StreamStarts m_starts;
    StreamReport m_report;
    uint64_t m_started{0};         ///< Streams whose sender is here and has begun.
    uint64_t m_done{0};            ///< Of these, the ones whose sender has stopped.
    std::set<uint32_t> m_measured; ///< Hosts whose measured time is over, by node id.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_TRAFFIC_H
