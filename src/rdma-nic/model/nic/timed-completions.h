// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TIMED_COMPLETIONS_H
#define RDMA_TIMED_COMPLETIONS_H

#include "ns3/nic-hardware.h"
#include "ns3/under-way.h"
#include "ns3/work-reporter.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Completions that take time: each is written over PCIe and polled by its core before its
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

    void Take(std::vector<Notice>& notices, Tick notBefore) override;

    /// The queue pair is reset or destroyed: completions under way to its consumer never come.
    void Forget(uint32_t queuePair);

  private:
    enum Event : uint32_t
    {
        WRITE,   ///< A completion may be written. Argument: place in m_written.
        DELIVER, ///< Its consumer has it. Likewise.
    };

    void HandleEvent(uint32_t kind, uint32_t place) override;
    Tick GetWriteTime(const Notice& notice, Tick earliest) const;
    void Write(uint32_t place, Tick now);

    FabricEngine& m_engine;
    NicHardware& m_hardware;
    const QueuePairTable& m_table;
    WorkReporter& m_reporter;
    UnderWay<Notice> m_written; ///< Being written.
    uint32_t m_target;
};

} // namespace ns3::rdma

#endif // RDMA_TIMED_COMPLETIONS_H
