// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BITMAP_ONLOADING_H
#define RDMA_BITMAP_ONLOADING_H

#include "ns3/psn.h"
#include "ns3/response-queue.h"

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief The responder's half of SRNIC's bitmap onloading for one queue pair (section 4.4.2,
 * Figures 7 and 8): the NIC keeps an expected PSN only, host software keeps the bitmap.
 *
 * The bitmap is that of the Responder, which is not copied.  Software handles metadata in the order
 * of the packets, so that after the metadata of a packet it has the bitmap of that packet's
 * arrival: it then expects the PSN that the Responder expected after this packet.
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

    /// In the NIC: a request packet has arrived.
    /// @param reached the next missing PSN after it, by the bitmap
    /// @return whether its metadata are sent to software: it is out of order, or the queue pair is
    /// in its loss recovery state; never for a duplicate.
    bool OnPacket(Psn psn, Psn reached)
    {
        if (!m_isRecovering && psn == m_expected)
        {
            m_expected = psn + 1;
            return false;
        }
        return OnOutOfOrder(psn, reached);
    }

    /// In software: the metadata of a packet have arrived, in the order of OnPacket(). @return the
    /// new expected PSN, to be written into the NIC, if it is beyond the one in the metadata.
    std::optional<Psn> OnMetadata();

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
    /// Of a packet, in flight to software.
    struct Metadata
    {
        Psn expected; ///< By the NIC, when the packet arrived.
        Psn reached;  ///< By the bitmap, after the packet.
    };

    bool OnOutOfOrder(Psn psn, Psn reached);
    void Send(Psn reached);

    // In the NIC.
    Psn m_expected;
    PsnRange m_newest; ///< Most advanced sequential packets since the state was entered.
    bool m_isRecovering{false};

    boost::circular_buffer<Metadata> m_onTheWay;

    Psn m_softwareExpected; ///< In software.
};

/**
 * @ingroup rdma-nic
 * @brief The queue pairs of a NIC whose bitmaps of received packets are in host software (SRNIC
 * section 4.4.2).
 *
 * Cumulative acknowledgments go up to the expected PSN in the NIC, which software rewrites;
 * selective ones echo the metadata of the packet.
 */
class OnloadedBitmaps
{
  public:
    /// State of a queue pair that has received a packet out of order.
    struct State
    {
        BitmapOnloading onloading;
        uint32_t generation; ///< Unique among all states.
    };

    /// A request packet was accepted.
    /// @param expected PSN before it
    /// @param reached expected PSN after it
    /// @return whether software is notified of it
    bool OnRequest(uint32_t queuePair, Psn psn, Psn expected, Psn reached)
    {
        const bool isOrdinary = m_states.empty() && psn - expected <= 0; // In order or a duplicate.
        return !isOrdinary && Record(queuePair, psn, expected, reached);
    }

    /// Limits an acknowledgment to the expected PSN in the NIC.
    void Limit(uint32_t queuePair, Acknowledgment& acknowledgment) const
    {
        if (!m_states.empty())
        {
            LimitToExpected(queuePair, acknowledgment);
        }
    }

    /// @return null: the queue pair has received nothing out of order.
    State* Find(uint32_t queuePair);

    /// The queue pair is reset or destroyed, or sends by another port.
    void Forget(uint32_t queuePair)
    {
        m_states.erase(queuePair);
    }

  private:
    bool Record(uint32_t queuePair, Psn psn, Psn expected, Psn reached);
    void LimitToExpected(uint32_t queuePair, Acknowledgment& acknowledgment) const;
    /// @return the expected PSN in the NIC; unset: the queue pair is not in loss recovery.
    std::optional<Psn> GetExpected(uint32_t queuePair) const;

    std::unordered_map<uint32_t, State> m_states; ///< By queue pair. Never iterated.
    uint32_t m_generations{0};
};

} // namespace ns3::rdma

#endif // RDMA_BITMAP_ONLOADING_H
