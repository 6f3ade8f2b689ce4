// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_CPU_H
#define RDMA_HOST_CPU_H

#include "ns3/object.h"
#include "ns3/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Tasks of a core for RDMA.
enum class CpuTask : uint8_t
{
    POST,           ///< Writes one work request to a queue.
    DOORBELL,       ///< Rings once for all requests that were posted together.
    POLL,           ///< Takes one completion.
    NOTIFY,         ///< Wakes up by a completion event (interrupt, then the consumer's thread).
    RETRANSMISSION, ///< Handles one loss event in software.
    COUNT
};

constexpr std::size_t CPU_TASKS = static_cast<std::size_t>(CpuTask::COUNT);

/// @return the name, for example "post".
const char* GetCpuTaskName(CpuTask task);

/// How long all cores together were busy, by task.
struct CpuStats
{
    std::array<Tick, CPU_TASKS> busy{};
    std::array<uint64_t, CPU_TASKS> count{};
};

/**
 * @ingroup rdma-host
 * @brief The RDMA work of one host's cores: each task takes a fixed time, one task after the other
 * per core.
 *
 * Empty polls are not counted: a polling core is free for the next task at once.
 *
 * A timeline: a core does one task after the other, in the order of the calls, like the 16 threads
 * on 16 cores in SRNIC section 6.1.  A task with a later start does not block the core until then:
 * its time is reserved at the call, and it ends at its start plus its length at the earliest.  Busy
 * time is the sum of the tasks' lengths, without waiting.  Attributes are read at construction:
 * later changes have no effect.
 *
 * Not modelled: caches and NUMA, frequency scaling, other load on the cores, the scheduler of the
 * operating system, the application's own work between two calls.
 */
class HostCpu : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * @brief Runs a task on a core when the core is free.
     * @param now not before an earlier call; @param earliest start, not before now
     * @param core any number: taken modulo the number of cores
     * @return when it is done
     */
    Tick Run(Tick now, Tick earliest, uint32_t core, CpuTask task, uint32_t times = 1);

    uint32_t GetCores() const;

    const CpuStats& GetStats() const
    {
        return m_stats;
    }

    /// @return share of one core that was busy up to now, over all cores together: may exceed 1.
    double GetUtilisation(Tick now) const;

  private:
    void NotifyConstructionCompleted() override;

    CpuStats m_stats;
    std::array<Tick, CPU_TASKS> m_costs{}; ///< The attributes below, as ticks.
    std::vector<Tick> m_freeAt;            ///< By core.

    uint32_t m_coreCount{0};
    Time m_postCost;
    Time m_doorbellCost;
    Time m_pollCost;
    Time m_notifyCost;
    Time m_retransmissionCost;
};

} // namespace ns3::rdma

#endif // RDMA_HOST_CPU_H
