// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LATENCY_PROBE_H
#define RDMA_LATENCY_PROBE_H

#include "ns3/latency-summary.h"
#include "ns3/perftest-meter.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief A latency test: one message at a time.
 *
 * READ and atomics: the next one is posted when the response is there.  SEND and WRITE: the server
 * answers each message with one of its own, and the latency is half of the round trip.  The
 * receiver that waits for a WRITE without immediate data polls its memory: the probe must be
 * notified whenever a frame may have arrived.
 */
class LatencyProbe
{
  public:
    /// Both hosts outlive the probe, as does @param meter, which is notified of what completes
    LatencyProbe(PerftestHost& client,
                 PerftestHost& server,
                 PerftestMeter& meter,
                 const PerftestOptions& options);

    /// Posts the first message.
    void Start();

    /// Looks into the memory of both hosts for a message that has come: only for WRITE.
    void PollMemory();

    /// @return whether all messages are complete.
    bool IsDone() const;

    /// @return what a test with a number of messages reports. Only when it is done.
    LatencySummary Summarize() const;

    /// @return what a test with a duration reports. Only when it is done.
    LatencyRate SummarizeSample() const;

    /// @return all latencies in the order of their messages, us.
    std::vector<double> GetValues() const;

    /// @return the messages that are measured.
    uint64_t GetCount() const;

  private:
    void PostNext();
    void OnEnd();
    uint32_t GetDivisor() const;
    void Answer();
    /// Both ends wait before they post, and the latency includes it, as in perftest.
    void AfterGap(void (LatencyProbe::*post)());
    bool IsOver() const;

    PerftestHost& m_client;
    PerftestHost& m_server;
    PerftestMeter& m_meter;
    uint64_t m_iterations;
    Tick m_duration; ///< 0: m_iterations messages.
    Tick m_margin;
    Tick m_gap;
    bool m_isPingPong;
    uint64_t m_answered{0}; ///< Messages that the server has seen.
    uint64_t m_ended{0};    ///< Messages whose answer or response the client has seen.
    std::vector<Tick> m_posted;
};

} // namespace ns3::rdma

#endif // RDMA_LATENCY_PROBE_H
