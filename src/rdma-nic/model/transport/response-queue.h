// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONSE_QUEUE_H
#define RDMA_RESPONSE_QUEUE_H

#include "ns3/psn.h"
#include "ns3/report.h"
#include "ns3/tick.h"

#include <deque>

namespace ns3::rdma
{

/// An ACK, a NAK or an ATOMIC ACK.
struct Acknowledgment
{
    uint8_t operation; ///< ACK, READ_ACK or ATOMIC_ACK.
    uint8_t syndrome;  ///< AETH.
    bool isSelective;  ///< The answered packet arrived out of order and is kept.
    bool isCeEchoed;
    Psn psn;                ///< Of an ACK: the last in order. Of a NAK: the expected one.
    Psn selective{};        ///< PSN of the packet that is answered.
    uint32_t msn;           ///< 24 bits.
    uint32_t echoedOffset;  ///< PSN offset of the packet that is answered (SRNIC).
    Tick sendTime;          ///< Of the packet that is answered.
    uint32_t entropy;       ///< As sendTime.
    uint16_t flags;         ///< Bits of frame_flag that a report adds; 0: it is no report.
    uint64_t originalValue; ///< ATOMIC_ACK.
    Report report{};        ///< If flags is not 0.
};

/// One packet of a READ response.
struct ReadResponsePlan
{
    uint8_t operation;
    Psn psn;
    uint32_t msn; ///< 24 bits.
    uint64_t address;
    uint32_t payloadBytes;
};

/**
 * @ingroup rdma-transport
 * @brief The pending answers of a responder, in the order of PSNs: READ responses, and the
 * acknowledgments that must not overtake them (IBTA Vol. 1, Section 9.7.5.1).
 *
 * A repeated request removes the pending answers from its PSN on, since the requester repeats all
 * requests from there.
 */
class ResponseQueue
{
  public:
    explicit ResponseQueue(uint32_t mtuBytes);

    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /// @return READs that are pending or being answered. Repeated requests are not counted: the
    /// requester may have received the first response and sent further READs.
    uint32_t GetReadCount() const
    {
        return m_reads;
    }

    /// @return how many PSNs the response of a READ takes.
    uint32_t CountPackets(uint32_t bytes) const;

    /// @param isRepeated whether it is requested again
    void PushRead(Psn first,
                  uint32_t msn,
                  uint64_t address,
                  uint32_t bytes,
                  bool isRepeated = false);

    /// Appends an acknowledgment; a plain ACK replaces the one before it.
    void PushAcknowledgment(const Acknowledgment& acknowledgment);

    /// Drops all answers from a PSN on.
    void TakeBack(Psn first);

    /// @return whether the next answer is a READ response, else an acknowledgment. Not if empty.
    bool IsReadNext() const
    {
        return m_entries.front().isRead;
    }

    /// @return the next packet of a READ response, taken out.
    ReadResponsePlan TakeReadPacket();

    /// @return the next acknowledgment, taken out.
    Acknowledgment TakeAcknowledgment();

  private:
    struct Entry
    {
        bool isRead;
        // Members of a READ.
        bool isRepeated;
        Psn first;
        uint32_t packets; ///< Of the whole response.
        uint32_t sent;    ///< Packets that have been sent.
        uint64_t address;
        uint32_t bytes;
        Acknowledgment acknowledgment; ///< Of a READ only the MSN is set.
    };

    void PopBack();

    std::deque<Entry> m_entries;
    uint32_t m_mtuBytes;
    uint32_t m_reads{0};
};

} // namespace ns3::rdma

#endif // RDMA_RESPONSE_QUEUE_H
