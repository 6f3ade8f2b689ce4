// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INSTANT_CHIP_H
#define RDMA_INSTANT_CHIP_H

#include "ns3/nic-chip.h"
#include "ns3/rate-limiter.h"
#include "ns3/slab.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A NIC and a host that take no time: packets are handled, answered, placed and reported
 * when they arrive, and made when the port pulls them.
 */
class alignas(64) InstantPath : public NicChip
{
  public:
    using NicChip::NicChip;

    void Receive(FrameIndex index) override;
    PulledFrame Pull(FabricPort& port) override;
    void OnReady(Tick now) override;
    void OnPosted(QueuePair& queuePair, uint32_t requests) override;
    void Enter(QueuePair& queuePair) override;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        InstantPath::Receive(frame);
    }

    void OnPostedOnChip(QueuePair& queuePair) override
    {
        OnPosted(queuePair, 1);
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
};

/**
 * @ingroup rdma-nic
 * @brief The default InstantPath, which sends at its port's rate.
 */
class alignas(64) InstantChip final : public InstantPath, public InSlab<InstantChip>
{
  public:
    using InstantPath::InstantPath;
};

/**
 * @ingroup rdma-nic
 * @brief An InstantPath whose data frames leave no faster than a RateLimiter allows.
 */
class alignas(64) LimitedChip final : public InstantPath, public InSlab<LimitedChip>
{
  public:
    LimitedChip(NicCore& nic, const ChipSetup& setup, const RateLimiter& limiter)
        : InstantPath(nic, setup),
          m_limiter(limiter)
    {
    }

    PulledFrame Pull(FabricPort& port) override;

  private:
    RateLimiter m_limiter;
};

static_assert(sizeof(InstantChip) == 192, "FabricPort fetches three lines of its owner");

} // namespace ns3::rdma

#endif // RDMA_INSTANT_CHIP_H
