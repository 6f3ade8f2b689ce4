// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_PUMP_H
#define RDMA_MESSAGE_PUMP_H

#include "ns3/burst-limit.h"
#include "ns3/message-record.h"
#include "ns3/perftest-meter.h"

#include <memory>
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
    /// @param bytes per message
    MessagePump(PerftestHost& host,
                PerftestMeter& meter,
                const PerftestOptions& options,
                uint64_t bytes);

    /// Posts the first messages; completions do the rest.
    void Start();

    /// @return whether all messages are complete, or the duration has passed.
    bool IsDone() const;

    BandwidthSummary Summarize() const;

    /// @return the messages that are measured, of all queue pairs.
    uint64_t GetCount() const;

    /// @return messages per second within bursts, of all queue pairs: from the posting of a burst
    /// to its last completion; 0: there were no gaps.
    double GetBurstRate() const;

  private:
    void PostMore(uint32_t index);
    void PostTurn(); ///< As far as m_limit allows.
    void WaitForBurst();
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

    bool HasRoom(const Supply& supply) const;

    PerftestHost& m_host;
    PerftestMeter& m_meter;
    uint32_t m_depth;
    uint32_t m_list;                ///< Messages posted together.
    uint32_t m_burst;               ///< Messages between two gaps.
    Tick m_gap;                     ///< 0: none.
    Tick m_burstTime{0};            ///< Of all bursts of all queue pairs.
    std::vector<Supply> m_supplies; ///< By queue pair.
    uint64_t m_bytes;
    Tick m_end;             ///< Of posting; 0: when all are posted.
    uint64_t m_underWay{0}; ///< Of all queue pairs.
    BurstLimit m_limit;
    bool m_isWaiting{false}; ///< For the next burst of m_limit.
    std::size_t m_turn{0};   ///< The queue pair that posts next if m_limit allows it.
    std::unique_ptr<MessageRecord> m_record;
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_PUMP_H
