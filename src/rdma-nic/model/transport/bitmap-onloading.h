// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BITMAP_ONLOADING_H
#define RDMA_BITMAP_ONLOADING_H

#include "ns3/psn-bitmap.h"
#include "ns3/psn.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief The responder's half of SRNIC's bitmap onloading for one queue pair (section 4.4.2,
 * Figures 7 and 8): the NIC keeps an expected PSN only, host software keeps the bitmap.
 *
 * A packet in order advances the NIC's expected PSN without notice to software.  A packet beyond
 * the expected PSN starts the loss recovery state.  In this state the NIC notifies software of each
 * packet from the expected PSN on, including the one that fills the gap: its PSN and the expected
 * PSN.  Software marks the packet, and writes the expected PSN into the NIC if it has advanced.
 *
 * The race of Figure 8: when software writes, metadata of newer packets may be in flight.  The NIC
 * therefore records the range of the most advanced sequential packets since it entered the state: a
 * packet directly after the range extends it, a later one starts a new range, one in or before the
 * range changes nothing.  If the written PSN is in the range or directly after it, no packet before
 * the end of the range is missing: the NIC expects the PSN after the range and leaves the state.
 * Else the exit fails and the state stays.
 *
 * The paper leaves three things open.  Our decisions: the written PSN becomes the NIC's expected
 * PSN even if the exit fails; otherwise cumulative acknowledgments would not advance before the
 * last gap is filled.  A duplicate (before the expected PSN) is not reported to software.  An
 * update that does not advance the expected PSN (sent before an exit) is ignored.
 *
 * Not modelled: time (the caller delays metadata and updates); the requester's half (LossDetector
 * has its retransmissions).
 */
class BitmapOnloading
{
  public:
    explicit BitmapOnloading(Psn expected);

    /// In the NIC: a request packet has arrived. @return whether its metadata are sent to software:
    /// it is out of order, or the queue pair is in its loss recovery state; never for a duplicate.
    bool OnPacket(Psn psn)
    {
        if (!m_isRecovering && psn == m_expected)
        {
            m_expected = psn + 1;
            return false;
        }
        return OnOutOfOrder(psn);
    }

    /// In software: the metadata of a packet have arrived, in the order of OnPacket(). @return the
    /// new expected PSN, to be written into the NIC, if it is beyond the one in the metadata.
    std::optional<Psn> OnMetadata(Psn psn);

    /// In the NIC: software has written a new expected PSN.
    /// @return whether the queue pair has left the loss recovery state by this update.
    bool OnUpdate(Psn expected);

    /// @return whether the queue pair is in its loss recovery state.
    bool IsRecovering() const
    {
        return m_isRecovering;
    }

    /// @return the expected PSN in the NIC.
    Psn GetExpected() const
    {
        return m_expected;
    }

  private:
    bool OnOutOfOrder(Psn psn);
    void Send();
    void TakeMarked();

    // In the NIC.
    Psn m_expected;
    PsnRange m_newest; ///< Most advanced sequential packets since the state was entered.
    bool m_isRecovering{false};

    /// The NIC's expected PSN in each metadata in flight to software.
    boost::circular_buffer<Psn> m_onTheWay;

    // In software.
    Psn m_softwareExpected;
    PsnBitmap m_received; ///< Packets after the expected one.
};

} // namespace ns3::rdma

#endif // RDMA_BITMAP_ONLOADING_H
