// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_TEARDOWN_H
#define RDMA_FLOW_TEARDOWN_H

#include "ns3/byte-buffer.h"
#include "ns3/fabric-engine.h"
#include "ns3/flow-record.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/// Notifies the receiving server that a flow has ended.
struct TeardownNotice
{
    Tick at; ///< When it arrives.
    uint64_t flow;
    uint64_t bytes;
    uint32_t dst;   ///< Endpoint id.
    uint32_t dstQp; ///< Queue pair number there.
    bool isCompleted;
    uint32_t delays{0}; ///< How often it was delayed for the receiver's completion.
};

/**
 * @ingroup rdma-scenario
 * @brief Ends flows at their receivers: checks that all bytes are placed and destroys the queue
 * pair.
 *
 * The sender notifies the receiver of its completion.  The notice takes as long as the longest path
 * through the empty fabric, outside of the fabric's queues, as over a management network; the queue
 * pair answers late frames until the notice arrives.  Notices that arrive at the same time are
 * handled in the order of their flows.
 */
class FlowTeardown : private EventTarget
{
  public:
    /// @return whether the receiver has seen the completion of a flow.
    using ReceivedQuery = std::function<bool(uint64_t flow)>;

    /// @param nics by endpoint id; both outlive this
    /// @param isReceived called for completed flows: if the receiver has not seen the completion,
    /// its queue pair is kept. Null: receivers have no completions
    FlowTeardown(FabricEngine& engine,
                 const std::vector<Ptr<RdmaNic>>& nics,
                 ReceivedQuery isReceived = nullptr);
    ~FlowTeardown() override;

    /// Schedules a notice to a server of this process.
    void Expect(const TeardownNotice& notice);

    const std::vector<Violation>& GetViolations() const;

  private:
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void End(const TeardownNotice& notice);

    FabricEngine& m_engine;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    ReceivedQuery m_isReceived;
    uint32_t m_target;
    std::deque<TeardownNotice> m_notices; ///< By arrival, then by flow.
    std::vector<Violation> m_violations;
};

/// Notices for servers of other ranks, until the next exchange.
class TeardownOutbox
{
  public:
    explicit TeardownOutbox(uint32_t ranks)
        : m_notices(ranks)
    {
    }

    void Put(uint32_t rank, const TeardownNotice& notice)
    {
        m_notices[rank].push_back(notice);
        m_earliest = std::min(m_earliest, notice.at);
    }

    /// Appends the notices for a rank, and removes them.
    void Pack(uint32_t rank, ByteBuffer& buffer)
    {
        buffer.Put(m_notices[rank]);
        m_notices[rank].clear();
    }

    /// @return the earliest arrival among notices added since ForgetSent().
    Tick GetEarliestSent() const
    {
        return m_earliest;
    }

    /// All packed notices have been delivered.
    void ForgetSent()
    {
        m_earliest = TICK_NEVER;
    }

  private:
    std::vector<std::vector<TeardownNotice>> m_notices; ///< By rank.
    Tick m_earliest{TICK_NEVER};
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_TEARDOWN_H
