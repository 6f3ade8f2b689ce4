// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_COMPLETIONS_H
#define RDMA_TIMED_COMPLETIONS_H

#include "ns3/nic-hardware.h"
#include "ns3/pending-events.h"
#include "ns3/work-reporter.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Completions that take time: each is written over PCIe and polled by a core before its
 * consumer is notified.
 */
class TimedCompletions : public CompletionPath, private EventTarget
{
  public:
    /// All outlive this.
    TimedCompletions(FabricEngine& engine,
                     NicHardware& hardware,
                     const QueuePairTable& table,
                     WorkReporter& reporter);
    ~TimedCompletions() override;

    void Take(const Notices& notices, Tick notBefore) override;

    void Forget(const QueuePair& queuePair) override;

  private:
    enum Event : uint32_t
    {
        WRITE,   ///< A completion may be written. Argument: place in m_written.
        DELIVER, ///< Its consumer is notified. Argument: as WRITE.
    };

    void HandleEvent(uint32_t kind, uint32_t place) override;
    Tick GetWriteTime(const Notice& notice, Tick earliest);
    void Write(uint32_t place, Tick now);

    FabricEngine& m_engine;
    NicHardware& m_hardware;
    const QueuePairTable& m_table;
    WorkReporter& m_reporter;
    PendingEvents<Notice> m_written; ///< Notices of completions being written.
    /// When the newest receive completion is written, by the queue pairs' places.
    std::vector<Tick> m_receivedAt;
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_COMPLETIONS_H
