// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_METER_H
#define RDMA_PERFTEST_METER_H

#include "ns3/fabric.h"
#include "ns3/perftest-host.h"
#include "ns3/perftest-measurement.h"

#include <array>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief Reads the counters of both ends while a test is in its steady state: from the first fifth
 * of its payload to the fourth.
 *
 * Counts frames as they leave the two servers: payload is good when it leaves for the first time.
 * Unlike the completions of messages, of which there may be one for a hundred, frames come evenly.
 * A test without payload in its frames (atomics), or with too little, is measured as a whole. A
 * test with a duration is measured between its margins.
 */
class PerftestMeter
{
  public:
    /// Both hosts and the fabric outlive the meter. @param messages whose completion ends the test
    /// @param bytes of payload that both ends send
    PerftestMeter(Fabric& fabric,
                  const PerftestHost& client,
                  const PerftestHost& server,
                  uint64_t messages,
                  uint64_t bytes);

    PerftestMeter(const PerftestMeter&) = delete;
    PerftestMeter& operator=(const PerftestMeter&) = delete;

    /// Measures from one time to another instead, whatever is sent. Before the simulation runs.
    void MeasureBetween(Tick begin, Tick end);

    /// Messages have become complete.
    void OnCompleted(uint32_t messages);

    /// Only when all messages are complete, or the time to which it measures has passed.
    PerftestMeasurement GetMeasurement() const;

  private:
    enum End : std::size_t
    {
        CLIENT,
        SERVER,
        ENDS,
    };

    /// Everything at one time.
    struct Reading
    {
        Tick time{0};
        uint64_t goodBytes{0};
        std::vector<uint64_t> queuePairs; ///< Of these, by queue pair.
        std::array<EndCounters, ENDS> ends;
    };

    void Watch(Fabric& fabric, End end);
    void OnFrame(End end, const Frame& frame);
    Reading Read() const;

    std::array<const PerftestHost*, ENDS> m_hosts;
    uint64_t m_messages;
    uint64_t m_bytes;
    bool m_isTimed{false};
    uint64_t m_completed{0};
    Reading m_now; ///< Counts of frames only; Read() adds the rest.
    Reading m_start;
    std::optional<Reading> m_first; ///< A fifth has left.
    std::optional<Reading> m_last;  ///< Four fifths have.
    std::optional<Reading> m_end;   ///< All is complete.
};

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_METER_H
