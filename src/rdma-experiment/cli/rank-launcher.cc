// SPDX-License-Identifier: GPL-2.0-only

#include "rank-launcher.h"

#include "program-output.h"
#include "rank-link.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/run-supervisor.h"
#include "ns3/stop-signals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#ifdef ROCELAB_HAS_MPI
#include <boost/mpi/config.hpp>
#endif

namespace ns3::rdma
{

namespace
{

/// What mpirun has to end in when its ranks are killed.
constexpr std::chrono::seconds MPIRUN_TIME{1};

/// @return the program of that name in a folder of PATH. @throws InputError
std::string
FindMpirun(uint32_t count)
{
#ifndef ROCELAB_HAS_MPI
    throw InputError("--ranks: expected a rocelab that was built with Boost.MPI (Debian package "
                     "libboost-mpi-dev), got one without");
#endif
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
    {
        const auto program = (std::filesystem::path(folder) / "mpirun").string();
        if (!folder.empty() && access(program.c_str(), X_OK) == 0)
        {
            return program;
        }
    }
    throw InputError("--ranks: expected mpirun, which starts " + std::to_string(count) +
                     " ranks, in a folder of PATH (Debian package openmpi-bin), got none; one "
                     "rank needs none");
}

/// @return mpirun's words before those of the ranks.
std::vector<std::string>
MakeMpirunWords(const std::string& mpirun, uint32_t count)
{
    const std::string ranks = std::to_string(count);
    std::vector<std::string> words{mpirun};
#ifdef OPEN_MPI
    // Of this machine alone, whatever the number of its cores. Ranks that are bound to cores would
    // share them with those of other runs while further cores are idle.
    words.insert(words.end(), {"--host", "localhost:" + ranks, "--bind-to", "none"});
    if (geteuid() == 0)
    {
        words.emplace_back("--allow-run-as-root");
    }
#endif
    words.insert(words.end(), {"-n", ranks, std::filesystem::read_symlink("/proc/self/exe")});
    return words;
}

/// Replaces the child process. It is in a process group of its own, since Ctrl-C is for the parent
/// to pass on.
[[noreturn]] void
Execute(std::vector<std::string> words, int output, const std::string& socketName)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    setenv(RankLink::VARIABLE, socketName.c_str(), 1);
    const int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    std::vector<char*> pointers;
    for (std::string& word : words)
    {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    execv(pointers.front(), pointers.data());
    dprintf(STDERR_FILENO, "%s\n", std::strerror(errno));
    _exit(EXIT_ERROR);
}

/// @return the first line that has letters; mpirun frames its messages by lines of hyphens.
std::string
FindFirstLine(const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalpha(c); }))
        {
            return line;
        }
    }
    return "no message";
}

/// @return how a rank died that mpirun has reported by its exit status.
std::string
DescribeSignal(int waitStatus)
{
    constexpr int SIGNALLED{128}; // mpirun adds the number, as shells do.
    const int signal = WIFEXITED(waitStatus) ? WEXITSTATUS(waitStatus) - SIGNALLED : 0;
    return signal > 0 && signal < NSIG
               ? "died from signal " + std::to_string(signal) + " (" + strsignal(signal) + ")"
               : "died";
}

/// Prints one line, over the progress line of a terminal.
void
PrintLine(const std::string& text)
{
    if (isatty(STDERR_FILENO) == 1)
    {
        std::cerr << "\r\033[J";
    }
    PrintError(text);
}

} // namespace

RankLauncher::RankLauncher(uint32_t count)
    : m_count(count)
{
}

int
RankLauncher::Run(int argc, char** argv)
{
    const std::string mpirun = FindMpirun(m_count);
    const StopSignals signals;
    Start(mpirun, argc, argv);
    while (m_process > 0 || m_hub.HasOpenLinks())
    {
        Wait();
        m_hub.Handle();
        ReadOutput();
        HandleSignals();
        Reap();
    }
    ReadOutput();
    return Conclude();
}

void
RankLauncher::Start(const std::string& mpirun, int argc, char** argv)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
    {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    std::vector<std::string> words = MakeMpirunWords(mpirun, m_count);
    words.insert(words.end(), argv + 1, argv + argc);
    std::cout.flush();
    m_process = fork();
    if (m_process < 0)
    {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (m_process == 0)
    {
        Execute(std::move(words), ends[1], m_hub.GetName());
    }
    close(ends[1]);
    m_output = ends[0];
    fcntl(m_output, F_SETFL, O_NONBLOCK);
}

void
RankLauncher::Wait()
{
    constexpr int TIMEOUT_MS{50};
    std::vector<pollfd> waits = m_hub.GetWaits();
    waits.push_back({m_output, POLLIN, 0});
    poll(waits.data(), waits.size(), TIMEOUT_MS);
}

void
RankLauncher::ReadOutput()
{
    constexpr std::size_t KEPT{16384};
    std::array<char, 4096> buffer;
    while (m_output >= 0)
    {
        const ssize_t size = read(m_output, buffer.data(), buffer.size());
        if (size < 0 && (errno == EAGAIN || errno == EINTR))
        {
            return;
        }
        if (size <= 0)
        {
            close(m_output);
            m_output = -1;
            return;
        }
        m_text.append(buffer.data(), static_cast<std::size_t>(size));
        m_text.resize(std::min(m_text.size(), KEPT));
    }
}

void
RankLauncher::HandleSignals()
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
    }
    if (!m_isStopPassed && m_process > 0)
    {
        // Ranks that are not connected have not begun: mpirun ends them.
        m_isStopPassed = m_hub.StopFirst() || kill(m_process, SIGTERM) == 0;
    }
    if (now - m_interruptTime < RunSupervisor::ECHO_TIME)
    {
        StopSignals::SetCount(1);
    }
    if (!m_isKilled &&
        (StopSignals::GetCount() > 1 || now - m_interruptTime > RunSupervisor::STOP_TIME))
    {
        m_isKilled = true;
        m_killTime = now;
        m_hub.Kill();
    }
    if (m_isKilled && m_process > 0 && now - m_killTime > MPIRUN_TIME)
    {
        kill(-m_process, SIGKILL); // It may wait for ever for ranks that have ended.
    }
}

void
RankLauncher::Reap()
{
    if (m_process > 0 && waitpid(m_process, &m_waitStatus, WNOHANG) == m_process)
    {
        m_process = -1;
        m_hub.Handle(); // Ranks that have ended.
        m_hub.Kill();   // Ranks that a killed mpirun has left behind.
    }
}

int
RankLauncher::Conclude() const
{
    if (m_hub.GetStatus())
    {
        return *m_hub.GetStatus();
    }
    const bool isStopped = WIFEXITED(m_waitStatus) && WEXITSTATUS(m_waitStatus) == EXIT_INTERRUPTED;
    if (m_isInterrupted || isStopped)
    {
        PrintLine(m_isKilled ? "interrupted; stopped at once, no results" : "interrupted");
        return EXIT_INTERRUPTED;
    }
    if (m_hub.HasLostRank())
    {
        PrintLine(WIFSIGNALED(m_waitStatus)
                      ? "mpirun died; all ranks are stopped, no results"
                      : m_hub.GetTrouble() + " " + DescribeSignal(m_waitStatus) +
                            "; all ranks are stopped, no results");
        return EXIT_ERROR;
    }
    PrintLine(m_hub.GetTrouble().empty() ? "mpirun: " + FindFirstLine(m_text) : m_hub.GetTrouble());
    return EXIT_ERROR;
}

} // namespace ns3::rdma
