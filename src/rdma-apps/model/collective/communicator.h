// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COMMUNICATOR_H
#define RDMA_COMMUNICATOR_H

#include "ns3/collective-log.h"
#include "ns3/communicator-links.h"
#include "ns3/staging-copies.h"
#include "ns3/work-posters.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Counts of a communicator on this process.
struct CommunicatorCounts
{
    uint64_t posted{0};  ///< Messages.
    uint64_t arrived{0}; ///< Of these.
    uint64_t ended{0};   ///< Iterations of a rank.
    uint64_t failed{0};  ///< Messages.
    Tick lastEnd{0};
};

/// A rank that has not ended.
struct WaitingRank
{
    uint64_t turn; ///< iteration * stages + stage.
    uint32_t rank;
    uint32_t awaited; ///< A rank of which a message is missing; none: UINT32_MAX.
};

/**
 * @ingroup rdma-collective
 * @brief The ranks of a communicator at work on the iterations of a collective.
 *
 * A rank is done with a stage when all messages to it have arrived and all of its own are posted;
 * if it receives none, when its own are complete.  Then it begins the next stage, after the time
 * that it computes before this stage, or the next iteration.  Ranks wait for each other by messages
 * only, and a message for a later stage may arrive early.  The time of a step ends with the last
 * message: a rank that sends and receives none does not count.
 *
 * Memory is in proportion to the connections and to the messages on their way, not to the messages
 * of the graphs.
 *
 * A message ends at its receiver when it has been copied (StagingCopies) and processed, which takes
 * the same time for all.  Not modelled: processing in proportion to the bytes, and flow control of
 * the receiving buffer.
 */
class Communicator : private EventTarget
{
  public:
    /// @param number of the communicator in the plan; all references outlive this
    /// @param renewals outlive this; null: none
    Communicator(const CollectivePlan& plan,
                 uint32_t number,
                 const TrafficContext& context,
                 ProgramConnector& connector,
                 QueuePairRenewals* renewals = nullptr);
    ~Communicator() override;

    /// Schedules the first iteration of this process' ranks.
    void Start();

    /// @return how many ranks this process simulates.
    uint32_t GetRanksHere() const
    {
        return m_ranksHere;
    }

    const CommunicatorCounts& GetCounts() const
    {
        return m_counts;
    }

    CollectiveLog& GetLog()
    {
        return m_log;
    }

    const CommunicatorLinks& GetLinks() const
    {
        return m_links;
    }

    /// @return the rank of this process that is behind all others; of several, the lowest. Unset:
    /// all have ended, or the workload is over.
    std::optional<WaitingRank> FindLast() const;

    /// @return duration of an iteration's stages in the empty network, at least.
    Tick FindBound() const;

  private:
    enum Event : uint32_t
    {
        BEGIN,   ///< A rank begins an iteration. Argument: rank.
        DEPART,  ///< A message within a server has left its sender. Argument: index in m_pending.
        DELIVER, ///< It has arrived. Argument: index in m_pending.
        PROCESS, ///< A receiver has processed a message. Argument: index in m_pending.
        OVER,    ///< A rank posts nothing any more. Argument: rank.
        WORKED,  ///< A rank has computed before a stage. Argument: rank.
        POST,    ///< A thread posts a message, or it is copied. Argument: index in m_pending.
    };

    /// A group of the plan, with the numbers of its messages among those of its stage.
    struct Group
    {
        const CollectiveGroup* plan;
        uint32_t stage;
        uint64_t firstMessage;
        bool hasSenderDependencies;
    };

    /// What a rank does in a stage.
    struct Duty
    {
        static constexpr uint32_t NONE{UINT32_MAX};

        uint32_t group{NONE};
        uint32_t member{0}; ///< Its number in the group.
        uint64_t sends{0};
        uint64_t receives{0};
    };

    /// A message of a group's graph, in an iteration.
    struct Message
    {
        uint32_t group;
        uint32_t iteration;
        uint64_t id;
    };

    /// A message from its posting to its completion, or while its receiver processes it.
    struct Pending
    {
        Message message;
        uint32_t link;
    };

    struct RankState
    {
        bool isHere{false};
        bool isOver{false};   ///< It posts nothing any more.
        bool hasBegun{false}; ///< The stage of its turn.
        Tick begunAt{0};      ///< When the step of that stage began.
        uint64_t turn{0};
        uint64_t posted{0};
        uint64_t completed{0};
        uint64_t received{0};
        uint32_t lastSender{UINT32_MAX};
        std::vector<Message> waiting;       ///< Of later turns, without missing predecessors.
        std::map<uint64_t, uint64_t> early; ///< Messages that have arrived, by later turn.
        Tick freeAt{0};                     ///< When it can send within the server.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void MakeGroups();
    void CountDuties();
    void Stop(uint32_t rank);
    void BeginIteration(uint32_t rank);
    void EnterStage(uint32_t rank);
    void BeginStage(uint32_t rank);
    void EndStep(uint32_t rank);
    void EndStages(uint32_t rank);
    void Post(uint32_t rank, const Message& message);
    /// @return when a message that is ready now is posted.
    Tick FindPosting(uint32_t rank, uint32_t link, uint64_t bytes);
    void PostToNic(uint32_t pending);
    void SendLocally(uint32_t rank, uint32_t pending, uint64_t bytes);
    uint32_t AddPending(const Message& message, uint32_t link);
    Pending TakePending(uint32_t pending);
    void OnSent(const WorkCompletion& completion);
    void OnReceived(const WorkCompletion& completion);
    void OnComplete(const Pending& sent);
    void Arrive(uint32_t link, uint64_t id);
    void Process(const Pending& arrived);
    void CountDependents(const Message& message, uint32_t member);
    void CountPredecessor(const Message& message, const RankMessage& what);
    bool IsDone(const RankState& state, const Duty& duty) const;
    uint64_t GetTurn(const Message& message) const;
    uint32_t GetStage(uint64_t turn) const;
    uint32_t GetIteration(uint64_t turn) const;
    uint32_t GetRecord(uint64_t turn) const;
    const Duty& GetDuty(uint32_t rank) const;
    Tick Now() const;

    const CollectivePlan& m_plan;
    const TrafficContext& m_context;
    FabricEngine& m_engine;
    uint32_t m_target;
    std::vector<Group> m_groups;
    uint64_t m_stageMessages{0};             ///< Of the stage with most of them.
    std::vector<std::vector<Duty>> m_duties; ///< By stage and rank.
    std::vector<uint32_t> m_stepOf;          ///< By stage; behind the last one, that of no stage.
    std::vector<RankState> m_ranks;
    CommunicatorLinks m_links;
    WorkPosters m_posters;
    StagingCopies m_copies; ///< By link.
    CollectiveLog m_log;
    std::vector<Pending> m_pending; ///< A slab.
    std::vector<uint32_t> m_free;
    /// Missing predecessors of messages that have several, of which some have ended; looked up.
    std::unordered_map<uint64_t, uint32_t> m_missing;
    CommunicatorCounts m_counts;
    uint32_t m_ranksHere{0};
};

} // namespace ns3::rdma

#endif // RDMA_COMMUNICATOR_H
