// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_SUPERVISOR_H
#define RDMA_RUN_SUPERVISOR_H

#include "ns3/job-channel.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Work for a process of its own.
struct SupervisedJob
{
    std::string name;
    std::function<int(JobChannel&)> body; ///< Runs in the new process; returns its exit status.
};

/// How far a job is, or how it ended.
struct JobState
{
    /// Jobs go through these in this order; an interrupted supervisor leaves some WAITING.
    enum class Phase
    {
        WAITING,
        RUNNING,
        ENDED,
    };

    std::string name;
    Phase phase{Phase::WAITING};
    RunProgress progress;       ///< The latest.
    double seconds{0};          ///< Since the job began, or how long it took.
    std::vector<JobLine> lines; ///< In the order of sending.
    int exitStatus{0};          ///< ENDED: what the job returned.
    int signal{0};              ///< ENDED: what killed it, 0 if nothing did.

    /// The texts of one kind.
    std::vector<std::string> GetLines(JobLine::Kind kind) const;
};

/**
 * @ingroup rdma-scenario
 * @brief Runs jobs in processes of their own, a limited number at a time.
 *
 * SIGINT and SIGTERM ask the jobs to stop and start no more; a second signal, or a job that does
 * not stop in time, ends them for good.  A job that has reported nothing yet has no results: it is
 * ended soon. A job whose supervisor dies stops. Run() always
 * returns, whatever a job does to itself.
 */
class RunSupervisor
{
  public:
    using Observer = std::function<void(const std::vector<JobState>&)>;
    using EndObserver = std::function<void(const JobState&)>;

    /// A second signal within this time is taken for an echo of the first.
    static constexpr std::chrono::milliseconds ECHO_TIME{500};

    /// How long a job may take to stop that has reported nothing.
    static constexpr std::chrono::milliseconds SILENT_STOP_TIME{300};

    /// How long any other job may take to stop.
    static constexpr std::chrono::seconds STOP_TIME{20};

    /// @param limit jobs at a time, at least 1
    RunSupervisor(std::vector<SupervisedJob> jobs, unsigned limit);

    /**
     * Runs all jobs to their end.
     *
     * @param onProgress called some times per second with the states of all jobs
     * @param onEnd called once for each job when it has ended
     * @return the final states, in the order of the jobs
     */
    std::vector<JobState> Run(const Observer& onProgress, const EndObserver& onEnd);

    /// Whether a signal came during Run().
    bool IsInterrupted() const;

  private:
    using Clock = std::chrono::steady_clock;

    /// The process of a job that runs.
    struct Process
    {
        size_t job;     ///< Index of its job.
        int id;         ///< Process id.
        int descriptor; ///< Where its words arrive.
        Clock::time_point begin;
        JobMessageParser parser;
        bool hasReported{false}; ///< Anything.
    };

    void StartJobs();
    void Start(size_t job);
    [[noreturn]] void RunChild(size_t job, int descriptor, int parent);
    void Poll();
    void Reap(Process& process);
    void HandleSignals();
    void SignalAll(int signal);
    void EndSilentJobs();

    std::vector<SupervisedJob> m_jobs;
    unsigned m_limit;
    std::vector<JobState> m_states;
    std::vector<Process> m_processes; ///< Those that run.
    size_t m_next{0};                 ///< First job that was not started.
    bool m_isInterrupted{false};
    bool m_isKilled{false};
    Clock::time_point m_interruptTime;
};

} // namespace ns3::rdma

#endif // RDMA_RUN_SUPERVISOR_H
