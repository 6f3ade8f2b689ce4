// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_STREAM_TIMING_H
#define FPGA_STREAM_TIMING_H

#include "ns3/clocked-entry.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// When a packet passes a pipelined service.
struct StreamTimes
{
    Tick passedAt; ///< As in StreamStep.
    Tick readyAt;  ///< As in StreamStep.
};

/**
 * @ingroup fpga-balboa
 * @brief The timing of one pipelined service, which has an interval between words and a latency per
 * word.
 *
 * StreamInput::at is the time of the first word on transmit, and of the last word on receive: the
 * earlier words have arrived at the rate of the bus.  Each direction has separate hardware.  A
 * packet is delayed by the delay of its last word relative to the rate of the bus.  With one word
 * per cycle only the latency is added.
 */
class StreamTiming
{
  public:
    /// @param latency cycles of one word
    /// @param interval cycles between two words, at least 1
    StreamTimes Pass(const ClockDomain& clock,
                     bool isSent,
                     Tick at,
                     uint32_t bytes,
                     uint32_t latency,
                     uint32_t interval);

  private:
    ClockedEntry m_sent;     ///< Of transmitted words.
    ClockedEntry m_received; ///< Of received words.
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_TIMING_H
