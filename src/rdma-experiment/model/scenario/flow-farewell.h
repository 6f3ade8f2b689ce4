// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_FAREWELL_H
#define RDMA_FLOW_FAREWELL_H

#include "ns3/byte-buffer.h"
#include "ns3/fabric-engine.h"
#include "ns3/rdma-nic.h"
#include "ns3/run-report.h"

#include <vector>

namespace ns3::rdma
{

/// The word that a flow has ended, for the receiving server.
struct Farewell
{
    Tick at; ///< When it arrives.
    uint64_t flow;
    uint64_t bytes;
    uint32_t dst;   ///< Node id.
    uint32_t dstQp; ///< Queue pair number there.
    bool isCompleted;
};

/**
 * @ingroup rdma-scenario
 * @brief Ends flows at their receivers: checks that all bytes are placed and destroys the queue
 * pair.
 *
 * The sender's completion is known at once only to the sender.  The word travels as long as the
 * longest way through the empty fabric takes, outside of the fabric's queues, like that of a
 * management network; the queue pair answers late frames until then.  Words that arrive at the same
 * time are handled in the order of their flows.
 */
class FlowFarewell : private EventTarget
{
  public:
    /// @param nics by node id; both outlive this
    FlowFarewell(FabricEngine& engine, const std::vector<Ptr<RdmaNic>>& nics);
    ~FlowFarewell() override;

    /// Takes a word on its way to a server of this process.
    void Expect(const Farewell& farewell);

    const std::vector<Violation>& GetViolations() const;

  private:
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void End(const Farewell& farewell);

    FabricEngine& m_engine;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    uint32_t m_target;
    std::vector<Farewell> m_heap; ///< The next one on top.
    std::vector<Violation> m_violations;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_FAREWELL_H
