// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARE_SWITCHES_H
#define RDMA_BARE_SWITCHES_H

#include "bare-fabric.h"

namespace ns3::rdma
{

/**
 * @brief What the bare loop's switches do besides forwarding, if they do: the sums of a shared
 * buffer with dynamic thresholds, and a random ECN mark by the length of the queue.
 *
 * A frame above the threshold is marked and stays, since there is no retransmission.
 */
class BareSwitches
{
  public:
    explicit BareSwitches(uint32_t count)
        : m_freeBytes(count, BUFFER_BYTES)
    {
    }

    /// @param port where the frame is queued
    void Admit(BarePort& port, BareFrame& frame)
    {
        int64_t& freeBytes = m_freeBytes[port.owner];
        port.queuedBytes += frame.wireBytes;
        frame.isMarked |= port.queuedBytes > freeBytes >> THRESHOLD_SHIFT;
        freeBytes -= frame.wireBytes;
        const int64_t queuedPs = static_cast<int64_t>(port.queuedBytes) * port.psPerByte;
        if (queuedPs > KMIN_PS && !frame.isAck)
        {
            frame.isMarked |= Draw() < PMAX * static_cast<double>(queuedPs - KMIN_PS) /
                                           static_cast<double>(KMAX_PS - KMIN_PS) ||
                              queuedPs > KMAX_PS;
        }
    }

    void Release(BarePort& port, const BareFrame& frame)
    {
        port.queuedBytes -= frame.wireBytes;
        m_freeBytes[port.owner] += frame.wireBytes;
    }

  private:
    static constexpr int64_t BUFFER_BYTES{32 << 20};
    static constexpr uint32_t THRESHOLD_SHIFT{3}; ///< Alpha 1/8.
    static constexpr int64_t KMIN_PS{400'000LL * BARE_SERVER_PS_PER_BYTE};
    static constexpr int64_t KMAX_PS{4 * KMIN_PS};
    static constexpr double PMAX{0.2};

    /// @return a number in [0, 1): xorshift32 (Marsaglia 2003).
    double Draw()
    {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 17;
        m_random ^= m_random << 5;
        return m_random * 0x1.0p-32;
    }

    std::vector<int64_t> m_freeBytes; ///< By switch.
    uint32_t m_random{1};
};

} // namespace ns3::rdma

#endif // RDMA_BARE_SWITCHES_H
