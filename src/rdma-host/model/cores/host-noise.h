// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_NOISE_H
#define RDMA_HOST_NOISE_H

#include "ns3/host-cores.h"
#include "ns3/random-stream.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-host
 * @brief Noise of the operating system, which lengthens the steps of a host's threads.
 *
 * Each core that has a thread has three sources, each with its own random stream:
 *
 * - The timer interrupt, at equal intervals from a random phase on.  Its duration is drawn from a
 *   measured histogram.
 * - Short threads of the kernel and of services.  The time between two of them and their durations
 *   are exponentially distributed.
 * - A thread of another program, at equal intervals from a random phase on, each time for a time
 *   slice (HostCores::TimeSlice).  We have no source for the period on a compute node.
 *
 * Noise has no effect on an idle or spinning core.  An idle core has no timer interrupt (Linux,
 * NO_HZ_IDLE), and a thread that wakes up preempts other programs (wake-up preemption).
 *
 * Not modelled: displaced cache lines, noise on several cores at once, soft interrupts of the
 * network.
 *
 * Source of the histogram: Linux, Documentation/tools/rtla/rtla-osnoise-hist.rst: 658,773 samples
 * of 12 cores in a minute.  Source of the threads: Documentation/trace/osnoise-tracer.rst, a second
 * of eight cores.  docs/models/host.md lists the derived values.
 */
class HostNoise : public Object, private EventTarget
{
  public:
    static TypeId GetTypeId();

    ~HostNoise() override;

    /// @return the fault of the attributes, one line; empty if there is none.
    std::string FindFault() const;

    /// Called once: begins now, on the cores that have threads.
    /// @param cores outlives this object
    /// @param seed of the run
    /// @param node of the host, below 2^16
    void Start(std::shared_ptr<FabricEngine> engine,
               HostCores& cores,
               uint64_t seed,
               uint32_t node);

    /// Ends all sources, so that the run can end.
    void Stop();

    /// @return a random duration of the timer interrupt.
    static Tick DrawTimer(RandomStream& random);

  private:
    enum Source : uint32_t
    {
        TIMER,
        SERVICE,
        PROGRAM,
        SOURCES
    };

    void DoDispose() override;
    void HandleEvent(uint32_t source, uint32_t core) override;
    /// @return the mean time between two events of a source; 0: the source is off.
    Tick GetInterval(Source source) const;
    Tick DrawExponential(uint32_t core, Source source, Tick mean);
    void Schedule(uint32_t core, Source source, Tick delay);

    RandomStream& GetRandom(uint32_t core, Source source)
    {
        return m_random[core * SOURCES + source];
    }

    Tick m_timerPeriod{0};
    Tick m_serviceInterval{0};
    Tick m_serviceTime{0};
    Tick m_programPeriod{0};

    std::shared_ptr<FabricEngine> m_engine;
    HostCores* m_cores{nullptr};
    std::vector<RandomStream> m_random; ///< By core and source.
    uint32_t m_target{0};
    bool m_isRunning{false};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_NOISE_H
