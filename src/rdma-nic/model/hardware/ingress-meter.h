// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INGRESS_METER_H
#define RDMA_INGRESS_METER_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-stream.h"
#include "ns3/tick.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Counts of an ingress meter.
struct IngressStats
{
    uint64_t frames{0};    ///< That arrived, discarded ones included.
    uint64_t discards{0};  ///< Frames lost in stalls: rx_discards_phy of ConnectX.
    uint64_t stalls{0};    ///< Of all senders.
    uint64_t peakBytes{0}; ///< Largest level of a sender's bucket.
};

/**
 * @ingroup rdma-hardware
 * @brief Discards frames of one sender that a NIC receives above a fixed rate.
 *
 * One leaky bucket per sender: each frame adds its bytes, and Rate drains them. The level stops at
 * Capacity. While the bucket is full the sender stalls at random times: for StallDuration the port
 * discards the share StallLoss of its frames, each independently of the others. The time with a
 * full bucket before the next stall is exponentially distributed with the mean StallInterval.
 * Frames are never delayed.
 *
 * The parameters describe the loss of a lone sender that others measured on ConnectX-5 adapters;
 * two senders that share the port lose almost no frames there. Which part of the chip causes the
 * loss is not known. Sources and evidence: examples/fabric/measured-connectx5.
 *
 * Not modelled: the effect of reverse traffic on the number of stalls; pause frames.
 */
class IngressMeter : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the fault of the attributes, one line; empty if there is none.
    std::string FindFault() const;

    /// Called once, first. Throws a VerbsError if there is a fault.
    void Start(RandomStream random);

    /// @return whether there is a meter; if not, Admit() must not be called.
    bool IsUsed() const
    {
        return m_capacityBytes > 0;
    }

    /// The last bit of a frame has arrived.
    /// @param now not before the time of an earlier call
    /// @param sender its endpoint id
    /// @param frameBytes Ethernet header to FCS
    /// @return whether the frame is accepted; false: the port discards it
    bool Admit(Tick now, uint32_t sender, uint32_t frameBytes);

    IngressStats GetStats() const;

  private:
    /// State of one sender.
    struct Bucket
    {
        Tick emptyAt{0}; ///< When the bytes in it have been drained.
        /// Arrival of the last frame that found it full; 0: it was not full.
        Tick fullSince{0};
        Tick stallEnd{0};           ///< Frames before this time may be discarded.
        Tick timeToStall{0};        ///< Time with a full bucket that is left before the next stall.
        bool hasTimeToStall{false}; ///< Whether timeToStall has been drawn.
    };

    /// The bucket is full. Begins a stall if its time has come.
    void OnFull(Bucket& bucket, Tick now);
    Tick DrawTimeToStall();

    SerializationRate m_drain;
    RandomStream m_random;
    std::vector<Bucket> m_buckets; ///< By endpoint id; grows when a sender is first seen.
    Tick m_capacityTime{0};        ///< Time that drains a full bucket.
    Tick m_peakTime{0};            ///< Time that drains the largest level seen.
    IngressStats m_stats;

    uint64_t m_capacityBytes{0};
    DataRate m_rate;
    Time m_stallInterval;
    Tick m_stallDuration{0};
    double m_stallLoss{0};
};

} // namespace ns3::rdma

#endif // RDMA_INGRESS_METER_H
