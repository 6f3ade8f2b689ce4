// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-supervisor.h"

#include "ns3/stop-signals.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3::rdma
{

namespace
{

double
ToSeconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double>(duration).count();
}

} // namespace

std::vector<std::string>
JobState::GetLines(JobLine::Kind kind) const
{
    std::vector<std::string> texts;
    for (const JobLine& line : lines)
    {
        if (line.kind == kind)
        {
            texts.push_back(line.text);
        }
    }
    return texts;
}

RunSupervisor::RunSupervisor(std::vector<SupervisedJob> jobs, unsigned limit)
    : m_jobs(std::move(jobs)),
      m_limit(std::max(1U, limit))
{
    for (const SupervisedJob& job : m_jobs)
    {
        JobState state;
        state.name = job.name;
        m_states.push_back(state);
    }
}

std::vector<JobState>
RunSupervisor::Run(const Observer& onProgress, const EndObserver& onEnd)
{
    const StopSignals signals;
    StartJobs();
    while (!m_processes.empty())
    {
        Poll();
        HandleSignals();
        const auto ended =
            std::stable_partition(m_processes.begin(),
                                  m_processes.end(),
                                  [](const Process& process) { return process.descriptor >= 0; });
        for (auto process = ended; process != m_processes.end(); ++process)
        {
            onEnd(m_states[process->job]);
        }
        m_processes.erase(ended, m_processes.end());
        StartJobs();
        for (const Process& process : m_processes)
        {
            m_states[process.job].seconds = ToSeconds(Clock::now() - process.begin);
        }
        onProgress(m_states);
    }
    return m_states;
}

bool
RunSupervisor::IsInterrupted() const
{
    return m_isInterrupted;
}

void
RunSupervisor::StartJobs()
{
    while (!m_isInterrupted && m_next < m_jobs.size() && m_processes.size() < m_limit)
    {
        Start(m_next++);
    }
}

void
RunSupervisor::Start(size_t job)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    // What is buffered now would be written by both processes.
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t id = fork();
    if (id < 0)
    {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (id == 0)
    {
        close(ends[0]);
        RunChild(job, ends[1], parent);
    }
    close(ends[1]);
    m_states[job].phase = JobState::Phase::RUNNING;
    m_processes.push_back(
        {job,
         id,
         ends[0],
         Clock::now(),
         JobMessageParser(
             [this, job](const RunProgress& progress) { m_states[job].progress = progress; },
             [this, job](JobLine line) { m_states[job].lines.push_back(std::move(line)); }),
         false});
}

void
RunSupervisor::RunChild(size_t job, int descriptor, int parent)
{
    // A signal that came before the fork was meant for all.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
    {
        StopSignals::SetCount(1);
    }
    std::signal(SIGPIPE, SIG_IGN);
    JobChannel channel(descriptor, [] { return StopSignals::GetCount() > 0; });
    const int status = m_jobs[job].body(channel);
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    // Static objects are the parent's to destroy.
    _exit(status);
}

void
RunSupervisor::Poll()
{
    constexpr int TIMEOUT_MS{100};
    std::vector<pollfd> waits;
    for (const Process& process : m_processes)
    {
        waits.push_back({process.descriptor, POLLIN, 0});
    }
    if (poll(waits.data(), waits.size(), TIMEOUT_MS) <= 0)
    {
        return;
    }
    for (size_t i = 0; i < waits.size(); ++i)
    {
        if (waits[i].revents == 0)
        {
            continue;
        }
        char buffer[4096];
        const ssize_t size = read(waits[i].fd, buffer, sizeof buffer);
        if (size > 0)
        {
            m_processes[i].hasReported = true;
            m_processes[i].parser.Feed(buffer, static_cast<size_t>(size));
        }
        else if (size == 0 || errno != EINTR)
        {
            Reap(m_processes[i]);
        }
    }
}

void
RunSupervisor::Reap(Process& process)
{
    int status = 0;
    while (waitpid(process.id, &status, 0) < 0 && errno == EINTR)
    {
    }
    close(process.descriptor);
    process.descriptor = -1;
    JobState& state = m_states[process.job];
    state.phase = JobState::Phase::ENDED;
    state.seconds = ToSeconds(Clock::now() - process.begin);
    state.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    state.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void
RunSupervisor::HandleSignals()
{
    if (StopSignals::GetCount() == 0)
    {
        return;
    }
    const auto now = Clock::now();
    if (!m_isInterrupted)
    {
        m_isInterrupted = true;
        m_interruptTime = now;
        StopSignals::SetCount(1);
        SignalAll(SIGTERM);
        return;
    }
    if (now - m_interruptTime > SILENT_STOP_TIME)
    {
        EndSilentJobs();
    }
    if (now - m_interruptTime < ECHO_TIME)
    {
        StopSignals::SetCount(1);
    }
    if (!m_isKilled && (StopSignals::GetCount() > 1 || now - m_interruptTime > STOP_TIME))
    {
        m_isKilled = true;
        SignalAll(SIGKILL);
    }
}

void
RunSupervisor::EndSilentJobs()
{
    for (const Process& process : m_processes)
    {
        if (process.descriptor >= 0 && !process.hasReported)
        {
            kill(process.id, SIGKILL);
        }
    }
}

void
RunSupervisor::SignalAll(int signal)
{
    for (const Process& process : m_processes)
    {
        if (process.descriptor >= 0)
        {
            kill(process.id, signal);
        }
    }
}

} // namespace ns3::rdma
