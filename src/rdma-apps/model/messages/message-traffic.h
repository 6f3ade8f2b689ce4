// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_TRAFFIC_H
#define RDMA_MESSAGE_TRAFFIC_H

#include "ns3/message-ends.h"
#include "ns3/message-report.h"
#include "ns3/polled-queue.h"
#include "ns3/run-traffic.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-messages
 * @brief Clients that keep messages under way on queue pairs to servers, which last for the run.
 *
 * As the traffic engines of NIC tests: a queue pair posts the next list of work requests when there
 * is room for all of it.  Each rank makes all memory, and the queue pairs of its own servers.
 */
class MessageTraffic : public RunTraffic, private EventTarget
{
  public:
    /// @throws InputError, VerbsError if the NICs do not take the queue pairs
    MessageTraffic(MessagePlan plan, const TrafficContext& context);
    ~MessageTraffic() override;

    std::vector<uint32_t> CountQueuePairs() const override;
    void Start() override;
    Tick GetEnd() const override;
    void AddTo(WindowState& state, bool isDue) const override;
    bool MayLeavePackets() const override;

    void AddDelivered(std::vector<uint64_t>& bytes) const override
    {
        m_connector.AddDelivered(bytes);
    }

    void Finish(bool isStalled, Tick end) override;
    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override;

  private:
    enum Event : uint32_t
    {
        START,  ///< Argument: place of the sender.
        REFILL, ///< Argument: place of the receiver.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Schedule(Tick when, Event event, uint32_t argument);
    void Connect(uint32_t client, uint32_t server, uint64_t number);
    QueuePairInit MakeInit(const ProgramEnd& end) const;
    QueuePairAttributes MakeAttributes() const;
    void PostLists(uint32_t place);
    SendWorkRequest MakeRequest(uint32_t place);
    void PostReceive(uint32_t place);
    void OnSent(const WorkCompletion& completion);
    void OnReceived(const WorkCompletion& completion);

    TrafficContext m_context;
    MessagePlan m_plan;
    FabricEngine& m_engine;
    Tick m_until;
    ProgramConnector m_connector;
    PolledQueue m_sendCompletions;
    PolledQueue m_receiveCompletions;
    MessageMemory m_memory;
    MessageReport m_report;
    std::vector<MessageSender> m_senders;     ///< Of this rank, as the rows of the report.
    std::vector<MessageReceiver> m_receivers; ///< Of this rank.
    std::vector<SendWorkRequest> m_list;      ///< Posted together.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_TRAFFIC_H
