// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ONLOADED_BITMAPS_H
#define RDMA_ONLOADED_BITMAPS_H

#include "ns3/bitmap-onloading.h"
#include "ns3/response-queue.h"

#include <optional>
#include <unordered_map>

namespace ns3::rdma
{

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

    /// A request packet was accepted. @param expected PSN before it
    /// @return whether software is notified of it
    bool OnRequest(uint32_t queuePair, Psn psn, Psn expected)
    {
        const bool isOrdinary = m_states.empty() && psn - expected <= 0; // In order or a duplicate.
        return !isOrdinary && Record(queuePair, psn, expected);
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
    bool Record(uint32_t queuePair, Psn psn, Psn expected);
    void LimitToExpected(uint32_t queuePair, Acknowledgment& acknowledgment) const;
    /// @return the expected PSN in the NIC; unset: the queue pair is not in loss recovery.
    std::optional<Psn> GetExpected(uint32_t queuePair) const;

    std::unordered_map<uint32_t, State> m_states; ///< By queue pair. Never iterated.
    uint32_t m_generations{0};
};

} // namespace ns3::rdma

#endif // RDMA_ONLOADED_BITMAPS_H
