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
    Tick passedAt; ///< Of StreamStep.
    Tick readyAt;  ///< Likewise.
};

/**
 * @ingroup fpga-balboa
 * @brief The timeline of one pipelined service: a word every so many cycles, each some cycles in
 * flight.
 *
 * On its way out a packet is at the service with its first word, on its way in with its last one:
 * the words before have come at the bus' rate (StreamInput::at of the two directions).  Directions
 * have hardware of their own.  A packet has passed when its last word has, as far as that is later
 * than at the bus' rate: with one word per cycle only the latency is added.
 */
class StreamTiming
{
  public:
    /// @param latency cycles of one word; @param interval cycles between two words, at least 1
    StreamTimes Pass(const ClockDomain& clock,
                     bool isSent,
                     Tick at,
                     uint32_t bytes,
                     uint32_t latency,
                     uint32_t interval);

  private:
    ClockedEntry m_sent;     ///< Of words on their way out.
    ClockedEntry m_received; ///< Of words on their way in.
};

} // namespace ns3::rdma

#endif // FPGA_STREAM_TIMING_H
