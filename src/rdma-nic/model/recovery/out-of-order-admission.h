// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OUT_OF_ORDER_ADMISSION_H
#define RDMA_OUT_OF_ORDER_ADMISSION_H

#include "ns3/object.h"
#include "ns3/psn.h"
#include "ns3/ptr.h"

namespace ns3::rdma
{

/// A packet behind a gap, and what the NIC holds when it arrives.
struct EarlyPacket
{
    uint32_t qpNumber{0};
    Psn psn;
    uint32_t ahead{0}; ///< PSNs from the first missing one; at least 1.
    uint32_t payloadBytes{0};
    bool isRetransmission{false};
    uint32_t heldByQueuePair{0}; ///< Packets behind gaps.
    uint32_t heldByNic{0};       ///< The same of all queue pairs.
};

/**
 * @ingroup rdma-transport
 * @brief Decides whether a receiver holds a packet behind a gap or drops it.
 *
 * It is asked for packets within the outOfOrderWindow of the LossDetector that are not held yet; a
 * dropped one is answered as one beyond that window.  One instance serves all reliable connections
 * of a NIC, and it sees how many packets they hold together.
 *
 * Not asked: for responses of READs at requesters that take them without PSNs of their own (IBTA,
 * IRN), and for unreliable services.
 */
class OutOfOrderAdmission : public Object
{
  public:
    static TypeId GetTypeId();

    virtual bool Admits(const EarlyPacket& packet) = 0;

    /// @return packets behind gaps that all queue pairs hold.
    uint32_t GetHeld() const
    {
        return m_held;
    }

  private:
    friend class HeldCount;

    uint32_t m_held{0};
};

/**
 * @ingroup rdma-transport
 * @brief The packets that one queue pair holds behind gaps, as its NIC counts them.
 */
class HeldCount
{
  public:
    /// @param admission of the NIC; null: all are admitted
    explicit HeldCount(const Ptr<OutOfOrderAdmission>& admission);
    ~HeldCount();
    HeldCount(const HeldCount&) = delete;
    HeldCount& operator=(const HeldCount&) = delete;

    /// @param packet its counts are set here @return whether it may be held
    bool Admits(EarlyPacket packet) const;
    /// @param packets that the queue pair now holds
    void Set(uint32_t packets);

  private:
    Ptr<OutOfOrderAdmission> m_admission;
    uint32_t m_count{0};
};

/**
 * @ingroup rdma-transport
 * @brief A pool of a NIC for packets behind gaps: a packet that finds it full is dropped.
 */
class OutOfOrderPool : public OutOfOrderAdmission
{
  public:
    static TypeId GetTypeId();
    bool Admits(const EarlyPacket& packet) override;

  private:
    uint32_t m_packets{0};
};

} // namespace ns3::rdma

#endif // RDMA_OUT_OF_ORDER_ADMISSION_H
