// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_CHIP_H
#define RDMA_TIMED_CHIP_H

#include "ns3/control-path.h"
#include "ns3/doorbell-path.h"
#include "ns3/nic-chip.h"
#include "ns3/slow-path.h"
#include "ns3/timed-receive-path.h"
#include "ns3/timed-send-path.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A NIC and a host that take time: packets, doorbells and acknowledgments each have a path
 * class that takes its times from the NicHardware. TimedCompletions delays completions.
 */
class TimedChip final : public NicChip
{
  public:
    /// @param nic, hardware outlive this @param limiter of what leaves the port; unset: none
    TimedChip(NicCore& nic,
              const ChipSetup& setup,
              const std::optional<RateLimiter>& limiter,
              NicHardware& hardware);

    void Receive(FrameIndex index) override;

    void HandleEvent(uint32_t, uint32_t frame) override
    {
        Receive(frame);
    }

    PulledFrame Pull(FabricPort& port, uint32_t classNumber) override;
    void OnReady(Tick now) override;
    void OnPosted(QueuePair& queuePair, uint32_t requests) override;
    void OnPostedOnChip(QueuePair& queuePair) override;
    void SendCredit(const QueuePair& queuePair, uint32_t granted) override;
    void SendPorts(const QueuePair& queuePair, uint32_t up) override;
    void Forget(const QueuePair& queuePair) override;
    void Leave(const QueuePair& queuePair) override;
    void Enter(QueuePair& queuePair) override;
    void ForgetDoorbells(const QueuePair& queuePair) override;

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
    const QueuePairTable& m_table;
    NicHardware& m_hardware;
    TimedSendPath m_sendPath;
    ControlPath m_controlPath;
    SlowPath m_slowPath;
    TimedReceivePath m_receivePath;
    DoorbellPath m_doorbells;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_CHIP_H
