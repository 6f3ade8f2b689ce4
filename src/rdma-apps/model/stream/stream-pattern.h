// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_PATTERN_H
#define RDMA_STREAM_PATTERN_H

#include "ns3/stream-group.h"

#include <vector>

namespace ns3::rdma
{

/// The servers of a pattern, as node ids; no server is both.
struct StreamPlaces
{
    std::vector<uint32_t> senders;
    std::vector<uint32_t> receivers;
};

/**
 * @ingroup rdma-stream
 * @brief A pattern that transposes: each sender has as many channels, one queue pair each, and each
 * channel of all senders goes to one receiver.
 *
 * Channels are assigned in blocks: with 488 channels and 24 receivers, the first 8 receivers get
 * 21, the others 20 (the thesis on RoCE for radio telescopes, section 3.5.3, divides without
 * rounding). The rate of a sender is divided alike among its channels.
 *
 * The first sender begins with the first receiver, the second with the second, and so on round:
 * senders that begin together do not all send to the same one.
 */
struct Transpose
{
    uint32_t channels{1};     ///< Of each sender; at least as many as there are receivers.
    uint32_t messageBytes{1}; ///< Of each message.
    DataRate senderRate{0};   ///< Payload that each sender sends; 0: as fast as it goes.

    /// @return channels that a receiver takes from each sender. @param receiver from 0
    uint32_t CountChannels(uint32_t receiver, uint32_t receivers) const;

    /// @return one group for each pair of a sender and a receiver, by sender.
    std::vector<StreamGroup> Make(const StreamPlaces& places) const;
};

/**
 * @ingroup rdma-stream
 * @brief LOFAR: field stations send each frequency subband of theirs to the node that processes it.
 *
 * 126 senders of 3 Gb/s with 488 subbands to 24 nodes: the thesis, section 2.1.1.  Its Eq. 3.1
 * counts the queue pairs of a node for 80 stations (Table 3.1).
 */
struct LofarPattern
{
    static constexpr uint32_t SENDERS{126};
    static constexpr uint32_t STATIONS{80};
    static constexpr uint32_t NODES{24};
    static constexpr uint32_t SUBBANDS{488};
    static constexpr uint64_t SENDER_BITS_PER_SECOND{3'000'000'000};

    /// @return queue pairs of a node on average, rounded up (Eq. 3.1).
    static uint32_t CountQueuePairs(uint32_t subbands, uint32_t senders, uint32_t nodes);
};

/**
 * @ingroup rdma-stream
 * @brief AARTFAAC: all antennas of LOFAR's core stations send their samples, each to all nodes,
 * which have a share of the subbands each.
 *
 * 576 antennas with 100 Gb/s together: the thesis, section 2.1.2 (it prints 576 and 567).  12
 * stations of 48 low-band antennas: van Haarlem et al., "LOFAR: The LOw-Frequency ARray", A&A 556,
 * 2013 (a core station uses 48 of 96 at a time).  A queue pair per antenna and node.
 */
struct AartfaacPattern
{
    static constexpr uint32_t STATIONS{12};
    static constexpr uint32_t ANTENNAS_PER_STATION{48};
    static constexpr uint64_t BITS_PER_SECOND{100'000'000'000}; ///< Of all antennas.
};

/**
 * @ingroup rdma-stream
 * @brief ALMA as it will be: 72 antennas with two receivers of 1.2 Tb/s each (the thesis, section
 * 2.1.3), over links that carry less: a receiver's band is divided over lanes, a sender each.
 *
 * All that a lane number of all antennas has goes to the same nodes, as many as there are antennas,
 * so that a node receives what a lane sends: slices of a band of all antennas, to be correlated.
 * Lanes and nodes are our reading; the thesis says only "a few nodes".
 */
struct AlmaPattern
{
    static constexpr uint32_t ANTENNAS{72};
    static constexpr uint32_t RECEIVERS{2};
    static constexpr uint64_t RECEIVER_BITS_PER_SECOND{1'200'000'000'000};

    uint32_t antennas{ANTENNAS};
    uint32_t lanes{1}; ///< Of each antenna: receivers x lanes of a receiver.
    uint32_t messageBytes{1};
    DataRate laneRate{0}; ///< Payload.

    /// @return the fewest lanes of one receiver whose links carry its rate. @param capacity payload
    /// that a link carries
    static uint32_t CountLanes(DataRate receiverRate, DataRate capacity);

    /// @param places antennas x lanes senders, by antenna; as many receivers, by lane
    std::vector<StreamGroup> Make(const StreamPlaces& places) const;
};

/// @return queue pairs divided as evenly as possible. @param share place among them, from 0
uint32_t GetShare(uint32_t total, uint32_t shares, uint32_t share);

} // namespace ns3::rdma

#endif // RDMA_STREAM_PATTERN_H
