// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_CHIP_H
#define RDMA_TIMED_CHIP_H

#include "ns3/control-path.h"
#include "ns3/doorbell-path.h"
#include "ns3/nic-chip.h"
#include "ns3/slow-path.h"
#include "ns3/timed-completions.h"
#include "ns3/timed-receive-path.h"
#include "ns3/timed-send-path.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A NIC and a host that take time: packets, doorbells, acknowledgments and completions each
 * have a path that asks the NicHardware when.
 */
class TimedChip final : public NicChip
{
  public:
    /// All but the limiter outlive this. @param limiter of what leaves the port; unset: none
    TimedChip(FabricCore& core,
              FabricDevice& device,
              const TransportFactory& factory,
              const FrameStyle& style,
              Ptr<SendScheduler> scheduler,
              Tick cnpInterval,
              const std::optional<RateLimiter>& limiter,
              NicHardware& hardware);

    void Receive(FrameIndex index) override;
    PulledFrame Pull(FabricPort& port) override;
    void OnReady(Tick now) override;
    void OnPosted(QueuePair& queuePair, uint32_t requests) override;
    void OnPostedOnChip(QueuePair& queuePair) override;
    void Forget(uint32_t queuePair) override;
    void Leave(const QueuePair& queuePair) override;
    void Enter(QueuePair& queuePair) override;
    void ForgetDoorbells(uint32_t queuePair) override;

    const TimedSendPath& GetSendPath() const
    {
        return m_sendPath;
    }

    TimedReceivePath& GetReceivePath()
    {
        return m_receivePath;
    }

    const SlowPath& GetSlowPath() const
    {
        return m_slowPath;
    }

  private:
    void ForgetPackets(uint32_t queuePair);

    NicHardware& m_hardware;
    TimedSendPath m_sendPath;
    ControlPath m_controlPath;
    SlowPath m_slowPath;
    TimedReceivePath m_receivePath;
    DoorbellPath m_doorbells;
    TimedCompletions m_completions;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_CHIP_H
