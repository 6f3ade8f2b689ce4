// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RANK_LAUNCHER_H
#define RDMA_RANK_LAUNCHER_H

#include "rank-hub.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace ns3::rdma
{

/**
 * @brief Runs this program's command line again, on several ranks of this machine, by mpirun.
 *
 * mpirun's own lines are not printed, unless no rank starts.  A signal to stop is passed on to the
 * first rank only: all ranks stop with it, and no limit of mpirun ends them before the results are
 * written.
 */
class RankLauncher
{
  public:
    /// @param count of ranks, at least 2
    explicit RankLauncher(uint32_t count);

    /**
     * Returns after all ranks have ended. Once.
     *
     * @param argv of this process, which the ranks get too
     * @return the ExitStatus of the first rank, which has printed its lines; otherwise one line
     * is printed here
     * @throws InputError if there is no mpirun
     */
    int Run(int argc, char** argv);

  private:
    using Clock = std::chrono::steady_clock;

    void Start(const std::string& mpirun, int argc, char** argv);
    void Wait();
    void ReadOutput();
    void HandleSignals();
    void Reap();
    int Conclude() const;

    uint32_t m_count;
    RankHub m_hub;
    pid_t m_process{-1}; ///< mpirun; -1: has ended.
    int m_output{-1};    ///< Its standard output and error; -1: closed.
    std::string m_text;  ///< The first kilobytes of it.
    int m_waitStatus{0}; ///< Of mpirun.
    bool m_isInterrupted{false};
    bool m_isStopPassed{false}; ///< The first rank, or mpirun, has got the signal.
    bool m_isKilled{false};
    Clock::time_point m_interruptTime;
    Clock::time_point m_killTime; ///< Of the ranks, if they were killed.
};

} // namespace ns3::rdma

#endif // RDMA_RANK_LAUNCHER_H
