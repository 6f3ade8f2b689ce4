// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAYLOAD_PREFETCH_H
#define RDMA_PAYLOAD_PREFETCH_H

#include "ns3/tick.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Payload of one queue pair's next packets that was read before they may leave: a FIFO in
 * front of flow control.
 *
 * Coyote holds each packet of a WRITE until its payload is in a FIFO on the card, and only then
 * gives it to BALBOA's flow control (dreq_credits_wr.sv).  So the time of a PCIe read is not part
 * of the round trip that flow control limits.
 *
 * Not modelled: Coyote has a FIFO per data stream of a user application, which its queue pairs
 * share, so that a queue pair without budget blocks those behind it.
 */
class PayloadPrefetch
{
  public:
    /// @return payload that was read and has not been taken, bytes.
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @return one past the newest packet that was read or needs no reading.
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /// A packet needs no reading. @param end as GetEnd()
    void Skip(uint64_t end)
    {
        m_end = end;
    }

    /// A packet's payload is read. @param number not before GetEnd() @param readyAt when it is here
    void Push(uint64_t number, uint32_t bytes, Tick readyAt);

    /// A packet leaves, and no earlier one will. @return when its payload is here; unset: it was
    /// not read
    std::optional<Tick> Take(uint64_t number);

  private:
    struct Entry
    {
        uint64_t number;
        uint32_t bytes;
        Tick readyAt;
    };

    std::vector<Entry> m_entries; ///< The valid ones start at index m_begin, oldest first.
    std::size_t m_begin{0};
    uint64_t m_bytes{0};
    uint64_t m_end{0};
};

} // namespace ns3::rdma

#endif // RDMA_PAYLOAD_PREFETCH_H
