// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CREDIT_ACCOUNT_H
#define RDMA_CREDIT_ACCOUNT_H

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/// Unit of granted and requested credit, bytes (Ultra Ethernet 1.0.3, 3.6.14).
constexpr uint32_t CREDIT_UNIT{256};

/**
 * @ingroup rdma-multipath
 * @brief A sender's credit under receiver-based congestion control (RCCC, Ultra Ethernet 1.0.3,
 * 3.6.14).
 *
 * It begins with the largest window as speculative credit, which its first answer ends.  A packet
 * may leave while there is any credit, so that it may overdraw.  Credit granted beyond the largest
 * window is void.
 *
 * A sender whose receiver has met all known demand, or that has waited too long, may send one
 * packet without credit, which carries its demand.  Not modelled: requests to send without data.
 */
class CreditAccount
{
  public:
    /// @param mostBytes largest window, bytes on the wire
    explicit CreditAccount(uint64_t mostBytes)
        : m_most(static_cast<int64_t>(mostBytes)),
          m_bytes(m_most)
    {
    }

    bool CanSend() const
    {
        const bool isMet = static_cast<int32_t>(m_target - m_granted) <= 0;
        return m_bytes > 0 || isMet || m_mayRequest;
    }

    int64_t GetBytes() const
    {
        return m_bytes;
    }

    /// @param target credit that the packet asks for, as GetTarget()
    void OnSent(uint32_t wireBytes, uint32_t target)
    {
        m_bytes -= wireBytes;
        m_target = target;
        m_mayRequest = false;
    }

    /// The first answer has arrived: from now on only granted credit counts.
    void EndSpeculation()
    {
        if (m_isSpeculating)
        {
            m_isSpeculating = false;
            m_bytes = std::min<int64_t>(m_bytes, 0);
        }
    }

    /// @param granted all credit granted so far, units, modulo 2^32
    void OnGrant(uint32_t granted)
    {
        const auto growth = static_cast<int32_t>(granted - m_granted);
        if (growth > 0)
        {
            m_granted = granted;
            m_bytes = std::min(m_bytes + int64_t{growth} * CREDIT_UNIT, m_most);
        }
    }

    void OnTimeout()
    {
        EndSpeculation();
        m_mayRequest = true;
    }

    /// @param ownBytes of the packet that leaves next, on the wire, as the others
    /// @param waitingBytes that could be sent after it, retransmissions included
    /// @param packetBytes of a full packet
    /// @return the credit that the sender wants in all, units, modulo 2^32.
    uint32_t GetTarget(uint32_t ownBytes, uint64_t waitingBytes, uint32_t packetBytes) const
    {
        const int64_t left = m_bytes - ownBytes;
        int64_t wanted = std::min(static_cast<int64_t>(waitingBytes), m_most) - left;
        if (m_isSpeculating && waitingBytes > 0)
        {
            // A short message asks for something even while its speculative credit suffices.
            wanted = std::max<int64_t>(wanted, packetBytes);
        }
        const int64_t units = wanted <= 0 ? 0 : (wanted + CREDIT_UNIT - 1) / CREDIT_UNIT;
        return m_granted + static_cast<uint32_t>(units);
    }

  private:
    int64_t m_most;
    int64_t m_bytes;       ///< Negative: overdrawn.
    uint32_t m_granted{0}; ///< In all, modulo 2^32.
    uint32_t m_target{0};  ///< Of the last packet sent, as m_granted.
    bool m_isSpeculating{true};
    bool m_mayRequest{false};
};

} // namespace ns3::rdma

#endif // RDMA_CREDIT_ACCOUNT_H
