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
 * In order, a packet moves the NIC's expected PSN without notice to software.  A packet beyond it
 * starts the loss recovery state, in which the NIC notifies software of each packet from the
 * expected PSN on, also of the one that fills the hole: its PSN and the expected PSN.  Software
 * marks it and writes a new expected PSN into the NIC when there is one.
 *
 * The race of Figure 8: by then, metadata of newer packets may be on their way to software.  So the
 * NIC records the range of the most advanced sequential packets since it entered the state: a
 * packet right behind the range extends it, one further on starts a new range, one inside or before
 * changes nothing.  If the PSN written is in the range or right behind it, nothing is missing up to
 * the end of the range: the NIC expects what follows the range and leaves the state.  Else it
 * stays: the exit fails.
 *
 * The paper leaves three things open.  Decided here: the NIC takes the PSN written for its expected
 * PSN also when the exit fails, else no cumulative acknowledgment would advance before the last
 * hole is filled; a duplicate (before the expected PSN) never goes to software, which could take
 * nothing from it; an update without news (it is from before an exit) is ignored.
 *
 * Not modelled: time (the caller delays metadata and updates), the requester's half, whose
 * retransmissions are in LossDetector.
 */
class BitmapOnloading
{
  public:
    explicit BitmapOnloading(Psn expected);

    /// In the NIC: a request packet has arrived. @return whether its metadata go to software: it is
    /// out of order, or the queue pair is in its loss recovery state; never for a duplicate.
    bool OnPacket(Psn psn)
    {
        if (!m_isRecovering && psn == m_expected)
        {
            m_expected = psn + 1;
            return false;
        }
        return OnOutOfOrder(psn);
    }

    /// In software: the metadata of a packet have come, in the order of OnPacket(). @return the new
    /// expected PSN if it has advanced beyond what the NIC had then: to be written into the NIC.
    std::optional<Psn> OnMetadata(Psn psn);

    /// In the NIC: software has written a new expected PSN. @return whether the queue pair has now
    /// left the loss recovery state.
    bool OnUpdate(Psn expected);

    /// @return whether the queue pair is in its loss recovery state.
    bool IsRecovering() const
    {
        return m_isRecovering;
    }

    /// @return what the NIC takes for the expected PSN.
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

    /// The NIC's expected PSN, in each metadata on the way to software.
    boost::circular_buffer<Psn> m_onTheWay;

    // In software.
    Psn m_softwareExpected;
    PsnBitmap m_received; ///< Packets after the expected one.
};

} // namespace ns3::rdma

#endif // RDMA_BITMAP_ONLOADING_H
