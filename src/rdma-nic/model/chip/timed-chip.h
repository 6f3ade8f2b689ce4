// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_CHIP_H
#define RDMA_TIMED_CHIP_H

#include "ns3/control-path.h"
#include "ns3/doorbell-path.h"
#include "ns3/nic-chip.h"
#include "ns3/slow-path.h"
#include "ns3/timed-receive-path.h"
#include "ns3/timed-send-path.h"

#include <array>
#include <memory>

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
    void OnReady(Tick now, uint8_t classes) override;
    void AddClass(uint32_t classNumber, const Ptr<SendScheduler>& scheduler) override;
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

  protected:
    NicTransmitter* FindOther(uint32_t classNumber) const override;

  private:
    /// The send path of a class that was added. The hardware's units are shared, except the
    /// transmit buffer and the slots for turns, which each class has.
    struct Lane
    {
        Lane(TimedChip& chip, std::unique_ptr<NicTransmitter> ownTransmitter)
            : transmitter(std::move(ownTransmitter)),
              sendPath(chip.m_core,
                       chip.m_port,
                       chip.m_table,
                       *transmitter,
                       chip.m_hardware,
                       chip.m_sendPath.GetLimiter()),
              doorbells(*chip.m_core.engine,
                        chip.m_table,
                        *transmitter,
                        chip.m_nic.reporter,
                        sendPath,
                        chip.m_hardware)
        {
        }

        std::unique_ptr<NicTransmitter> transmitter;
        TimedSendPath sendPath;
        DoorbellPath doorbells;
    };

    TimedSendPath& FindSendPath(uint32_t classNumber)
    {
        return classNumber == 0 ? m_sendPath : m_lanes[classNumber]->sendPath;
    }

    DoorbellPath& FindDoorbells(const QueuePair& queuePair)
    {
        const uint32_t classNumber = queuePair.GetClassNumber();
        return classNumber == 0 ? m_doorbells : m_lanes[classNumber]->doorbells;
    }

    const QueuePairTable& m_table;
    NicHardware& m_hardware;
    TimedSendPath m_sendPath;
    ControlPath m_controlPath;
    SlowPath m_slowPath;
    TimedReceivePath m_receivePath;
    DoorbellPath m_doorbells;
    std::array<std::unique_ptr<Lane>, PRIORITIES> m_lanes; ///< By class number; null: not added.
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_CHIP_H
