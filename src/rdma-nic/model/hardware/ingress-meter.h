// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INGRESS_METER_H
#define RDMA_INGRESS_METER_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// What an ingress meter has counted.
struct IngressStats
{
    uint64_t frames{0};    ///< Arrived, discarded ones included.
    uint64_t discards{0};  ///< Found no room: rx_discards_phy of ConnectX.
    uint64_t congested{0}; ///< Taken while it was congested.
    uint64_t peakBytes{0}; ///< Most that was in it.
};

/**
 * @ingroup rdma-hardware
 * @brief Discards frames that a NIC's port brings faster than the rest of the chip takes them for
 * too long.
 *
 * A leaky bucket: each frame that is taken adds its bytes, a fixed rate that may be below the
 * port's drains them, and a frame that would pass the capacity is discarded.  It delays nothing.
 * While so much is in it that it is congested, the packets it takes are treated as if a switch had
 * marked them, so that the NIC answers with CNPs.
 *
 * The rate and the capacity stand for whatever limits the chip there, which is not known; what is
 * measured is in docs/ingress-meter.md.
 *
 * Not modelled: priorities, PFC or pause frames sent by the NIC instead of discards.
 */
class IngressMeter : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return what is wrong with the attributes, one line; empty: nothing.
    std::string FindFault() const;

    /// Once, before anything else. Throws a VerbsError if there is a fault.
    void Start();

    /// @return whether there is one; else frames are not to be admitted here.
    bool IsUsed() const
    {
        return m_capacityBytes > 0;
    }

    /// The last bit of a frame is there. @param now never before an earlier call's
    /// @return whether it is taken
    bool Admit(Tick now, uint32_t frameBytes);

    /// @return whether the bucket is congested, a frame that was admitted now included.
    bool IsCongested(Tick now) const
    {
        return m_emptyAt - now >= m_congestedTime;
    }

    IngressStats GetStats() const
    {
        IngressStats stats = m_stats;
        stats.peakBytes = GetBytes(m_peakTime);
        return stats;
    }

  private:
    /// @return bytes that are drained in a time.
    uint64_t GetBytes(Tick time) const;

    SerializationRate m_drain;
    Tick m_emptyAt{0};       ///< When all that was taken has been drained.
    Tick m_peakTime{0};      ///< In which the most that was in it was drained.
    Tick m_capacityTime{0};  ///< In which a full one is drained.
    Tick m_congestedTime{0}; ///< In which a congested one is.
    IngressStats m_stats;

    uint64_t m_capacityBytes{0};
    uint64_t m_congestedBytes{0};
    DataRate m_rate;
};

} // namespace ns3::rdma

#endif // RDMA_INGRESS_METER_H
