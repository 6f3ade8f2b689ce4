// SPDX-License-Identifier: GPL-2.0-only

#include "progress-display.h"

#include "ns3/progress-line.h"

#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/// Back to the first column, and clear the line.
constexpr const char* ERASE_LINE{"\r\033[K"};

size_t
GetTerminalWidth()
{
    constexpr size_t USUAL_WIDTH{80};
    winsize size{};
    const bool isKnown = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return isKnown ? size.ws_col - 1U : USUAL_WIDTH - 1;
}

} // namespace

ProgressDisplay::ProgressDisplay(bool isQuiet)
    : m_isQuiet(isQuiet),
      m_isTerminal(!isQuiet && isatty(STDERR_FILENO) == 1),
      m_begin(Clock::now())
{
}

void
ProgressDisplay::Show(const std::vector<JobState>& jobs)
{
    constexpr std::chrono::milliseconds PERIOD{200};
    const auto now = Clock::now();
    if (!m_isTerminal || now - m_lastDrawing < PERIOD)
    {
        return;
    }
    const double seconds = std::chrono::duration<double>(now - m_begin).count();
    std::cerr << ERASE_LINE << FormatProgress(jobs, seconds, GetTerminalWidth()) << std::flush;
    m_lastDrawing = now;
    m_isDrawn = true;
}

void
ProgressDisplay::Clear()
{
    if (m_isDrawn)
    {
        std::cerr << ERASE_LINE << std::flush;
        m_isDrawn = false;
    }
}

void
ProgressDisplay::ShowEnd(const JobState& job, const std::filesystem::path& folder) const
{
    const auto results = job.GetLines(JobLine::Kind::RESULT);
    if (m_isQuiet || results.empty())
    {
        return;
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f s", job.seconds);
    std::cout << job.name << ": " << results.front() << ", " << seconds << ", " << folder.string()
              << std::endl;
}

} // namespace ns3::rdma
