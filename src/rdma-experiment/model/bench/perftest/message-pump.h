// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_PUMP_H
#define RDMA_MESSAGE_PUMP_H

#include "ns3/bandwidth-summary.h"
#include "ns3/perftest-meter.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief One direction of a bandwidth test: keeps so many messages under way on each queue pair
 * until all are posted; with gaps, a burst, a pause and so on.
 */
class MessagePump
{
  public:
    /// @param host outlives the pump, as does @param meter, which is notified of what completes
    MessagePump(PerftestHost& host, PerftestMeter& meter, const PerftestOptions& options);

    /// Posts the first messages; completions do the rest.
    void Start();

    /// @return whether all messages are complete.
    bool IsDone() const;

    /// @param bytes per message
    BandwidthSummary Summarize(uint64_t bytes) const;

    /// @return messages per second within bursts, of all queue pairs: from the posting of a burst
    /// to its last completion; 0: there were no gaps.
    double GetBurstRate() const;

  private:
    void PostMore(uint32_t index);
    void PostBurst(uint32_t index);
    void Post(uint32_t index);
    void OnSent(uint32_t index, uint32_t messages);

    /// Messages of one queue pair.
    struct Supply
    {
        uint64_t left; ///< To be posted.
        uint64_t underWay{0};
        Tick burstAt{0}; ///< When the present burst was posted.
    };

    PerftestHost& m_host;
    PerftestMeter& m_meter;
    uint32_t m_depth;
    uint32_t m_list;                ///< Messages posted together.
    uint32_t m_burst;               ///< Messages between two gaps.
    Tick m_gap;                     ///< 0: none.
    Tick m_burstTime{0};            ///< Of all bursts of all queue pairs.
    std::vector<Supply> m_supplies; ///< By queue pair.
    uint64_t m_total;
    std::vector<Tick> m_posted;
    std::vector<Tick> m_completed;
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_PUMP_H
