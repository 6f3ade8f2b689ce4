// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INSTANT_CHIP_H
#define RDMA_INSTANT_CHIP_H

#include "ns3/nic-chip.h"
#include "ns3/rate-limiter.h"
#include "ns3/slab.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A NIC and a host that take no time: packets are handled, answered, placed and reported
 * when they arrive, and made when the port pulls them.
 */
class alignas(64) InstantChip final : public NicChip, public InSlab<InstantChip>
{
  public:
    /// @param nic outlives this @param limiter of the data frames that leave; unset: none
    InstantChip(NicCore& nic, const ChipSetup& setup, const std::optional<RateLimiter>& limiter);

    void Receive(FrameIndex index) override;
    PulledFrame Pull(FabricPort& port, uint32_t classNumber) override;
    void OnReady(Tick now) override;
    void OnPosted(QueuePair& queuePair, uint32_t requests) override;
    void Enter(QueuePair& queuePair) override;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        Receive(frame);
    }

    void OnPostedOnChip(QueuePair& queuePair) override
    {
        OnPosted(queuePair, 1);
    }

    void SendCredit(const QueuePair& queuePair, uint32_t granted) override
    {
        m_port.Enqueue(m_frames.MakeCredit(queuePair, granted));
    }

    void SendPorts(const QueuePair& queuePair, uint32_t up) override
    {
        m_port.Enqueue(m_frames.MakePorts(queuePair, up));
    }

    void Forget(const QueuePair&) override
    {
    }

    void Leave(const QueuePair& queuePair) override
    {
        m_transmitter.Forget(queuePair);
    }

    void ForgetDoorbells(const QueuePair&) override
    {
    }

  private:
    /// Carries out all effects of a packet now, except its completions.
    void CarryOut(QueuePair& queuePair, const Frame& frame, const PacketOutcome& outcome);
    /// A packet at the rate of the port.
    PulledFrame PullUnlimited(FabricPort& port);
    /// A packet at the rate of the limiter. Only if there is one.
    PulledFrame PullLimited(FabricPort& port);

    std::unique_ptr<RateLimiter> m_limiter; ///< Null: the port's rate is the limit.
};

static_assert(sizeof(InstantChip) == 192, "FabricPort fetches three lines of its owner");

} // namespace ns3::rdma

#endif // RDMA_INSTANT_CHIP_H
