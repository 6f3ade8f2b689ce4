// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INSTANT_CHIP_H
#define RDMA_INSTANT_CHIP_H

#include "ns3/nic-chip.h"
#include "ns3/rate-limiter.h"
#include "ns3/slab.h"

#include <array>
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
    void OnReady(Tick now, uint8_t classes) override;
    void AddClass(uint32_t classNumber, const Ptr<SendScheduler>& scheduler) override;
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
        FindTransmitter(queuePair).Forget(queuePair);
    }

    void ForgetDoorbells(const QueuePair&) override
    {
    }

  protected:
    NicTransmitter* FindOther(uint32_t classNumber) const override;

  private:
    /// Parts that few NICs have.
    struct Extras
    {
        std::optional<RateLimiter> limiter; ///< Unset: the port's rate is the limit.
        std::array<std::unique_ptr<NicTransmitter>, PRIORITIES> others; ///< By class number.
    };

    /// Carries out all effects of a packet now, except its completions.
    void CarryOut(QueuePair& queuePair, const Frame& frame, const PacketOutcome& outcome);
    /// A packet at the rate of the port.
    PulledFrame PullUnlimited(FabricPort& port, NicTransmitter& transmitter, uint32_t priority);
    /// A packet of a class, at the rate of the limiter if there is one.
    PulledFrame PullClass(FabricPort& port, uint32_t priority);
    PulledFrame PullLimited(FabricPort& port, NicTransmitter& transmitter, uint32_t priority);

    std::unique_ptr<Extras> m_extras; ///< Null: one class, no limiter.
};

static_assert(sizeof(InstantChip) == 192, "FabricPort fetches three lines of its owner");

} // namespace ns3::rdma

#endif // RDMA_INSTANT_CHIP_H
