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

/// What a core does for RDMA.
enum class CpuTask : uint8_t
{
    POST,           ///< Writes one work request to a queue.
    DOORBELL,       ///< Rings once for all that was posted together.
    POLL,           ///< Takes one completion.
    NOTIFY,         ///< Is woken by a completion event (interrupt, then the consumer's thread).
    RETRANSMISSION, ///< Handles one loss event in software.
    COUNT
};

constexpr std::size_t CPU_TASKS = static_cast<std::size_t>(CpuTask::COUNT);

/// @return as "post".
const char* GetCpuTaskName(CpuTask task);

/// How long all cores together were busy, by task.
struct CpuStats
{
    std::array<Tick, CPU_TASKS> busy{};
    std::array<uint64_t, CPU_TASKS> count{};
};

/**
 * @ingroup rdma-host
 * @brief The cores of one host, as far as RDMA uses them: what each task costs, one after the other
 * on its core.
 *
 * Empty polls are not counted: a core that spins is free for the next task at once.
 *
 * A timeline: a core does one task after the other, in the order of the calls, as 16 threads on
 * cores of their own do in SRNIC section 6.1.  A task that may only start later delays no other
 * until then: its time is taken from the core at once, and it ends no earlier than its start and
 * its own length allow.  Busy time is what the tasks took, without waiting.  Attributes count from
 * the start: later changes of an object do nothing.
 *
 * Not modelled: caches and NUMA, frequency scaling, other load on the cores, the scheduler of the
 * operating system, the application's own work between two calls.
 */
class HostCpu : public Object
{
  public:
    static TypeId GetTypeId();
    HostCpu();

    /**
     * @brief Does a task on a core when it is free.
     * @param now never before an earlier call's; @param earliest not before now
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
