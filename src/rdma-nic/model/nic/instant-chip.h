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
 * @brief A NIC and a host that take no time: packets are handled, answered, placed and reported as
 * they arrive, and made when the port pulls them.
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

    void Forget(uint32_t) override
    {
    }

    void Leave(const QueuePair&) override
    {
    }

    void ForgetDoorbells(uint32_t) override
    {
    }

  private:
    bool TakeRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
    bool TakeResponse(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail);
};

/**
 * @ingroup rdma-nic
 * @brief The usual one, which sends at its port's rate.
 */
class alignas(64) InstantChip final : public InstantPath, public InSlab<InstantChip>
{
  public:
    using InstantPath::InstantPath;
};

/**
 * @ingroup rdma-nic
 * @brief One whose data frames leave no faster than a RateLimiter allows.
 */
class alignas(64) LimitedChip final : public InstantPath, public InSlab<LimitedChip>
{
  public:
    LimitedChip(FabricCore& core,
                FabricDevice& device,
                const TransportFactory& factory,
                const FrameStyle& style,
                Ptr<SendScheduler> scheduler,
                Tick cnpInterval,
                const RateLimiter& limiter)
        : InstantPath(core, device, factory, style, scheduler, cnpInterval),
          m_limiter(limiter)
    {
    }

    PulledFrame Pull(FabricPort& port) override;

  private:
    RateLimiter m_limiter;
};

static_assert(sizeof(InstantChip) == 320, "FabricPort fetches five lines of its owner");

} // namespace ns3::rdma

#endif // RDMA_INSTANT_CHIP_H
