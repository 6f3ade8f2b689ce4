// SPDX-License-Identifier: GPL-2.0-only

#include "progress-display.h"

#include "one-line.h"

#include "ns3/progress-line.h"
#include "ns3/watch-text.h"

#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

/// Clears from the cursor to the end of the terminal.
constexpr const char* CLEAR_BELOW{"\033[J"};

winsize
GetTerminalSize()
{
    constexpr unsigned short USUAL_WIDTH{80};
    constexpr unsigned short USUAL_HEIGHT{24};
    winsize size{};
    const bool isKnown = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
    size.ws_col = isKnown && size.ws_col > 1 ? size.ws_col : USUAL_WIDTH;
    size.ws_row = isKnown && size.ws_row > 1 ? size.ws_row : USUAL_HEIGHT;
    return size;
}

} // namespace

ProgressDisplay::ProgressDisplay(bool isQuiet, bool isWatched)
    : m_isQuiet(isQuiet),
      m_isWatched(isWatched && !isQuiet),
      m_isTerminal(!isQuiet && isatty(STDERR_FILENO) == 1),
      m_begin(Clock::now())
{
}

void
ProgressDisplay::Show(const std::vector<JobState>& jobs)
{
    constexpr std::chrono::milliseconds PERIOD{200};
    constexpr std::chrono::milliseconds LINE_PERIOD{1000};
    const auto now = Clock::now();
    if ((!m_isTerminal && !m_isWatched) ||
        now - m_lastDrawing < (m_isTerminal ? PERIOD : LINE_PERIOD))
    {
        return;
    }
    if (m_isWatched)
    {
        MeasureGoodputs(jobs);
    }
    if (!m_isTerminal)
    {
        m_lastDrawing = PrintLines(jobs) ? now : m_lastDrawing;
        return;
    }
    m_lastDrawing = now;
    const double seconds = std::chrono::duration<double>(now - m_begin).count();
    const winsize size = GetTerminalSize();
    // A line that fills the last column makes some terminals go on to the next line.
    const size_t width = size.ws_col - 1U;
    Draw(m_isWatched ? FormatWatch(jobs, m_goodputs, seconds, width, size.ws_row - 1U)
                     : std::vector<std::string>{FormatProgress(jobs, seconds, width)});
}

void
ProgressDisplay::MeasureGoodputs(const std::vector<JobState>& jobs)
{
    m_before.resize(jobs.size());
    m_goodputs.resize(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
    {
        // What has not moved since is still what was measured.
        if (jobs[i].progress.simulatedPs > m_before[i].simulatedPs)
        {
            m_goodputs[i] = GetGoodputGbps(m_before[i], jobs[i].progress);
            m_before[i] = jobs[i].progress;
        }
    }
}

void
ProgressDisplay::Draw(const std::vector<std::string>& lines)
{
    Clear();
    for (size_t i = 0; i < lines.size(); ++i)
    {
        std::cerr << (i > 0 ? "\n" : "") << lines[i];
    }
    std::cerr << std::flush;
    m_drawnLines = lines.size();
}

bool
ProgressDisplay::PrintLines(const std::vector<JobState>& jobs)
{
    bool hasPrinted = false;
    for (size_t i = 0; i < jobs.size(); ++i)
    {
        if (jobs[i].phase == JobState::Phase::RUNNING && jobs[i].progress.simulatedPs > 0)
        {
            std::cerr << FormatWatchLine(jobs[i], m_goodputs[i]) + '\n' << std::flush;
            hasPrinted = true;
        }
    }
    return hasPrinted;
}

void
ProgressDisplay::Clear()
{
    if (m_drawnLines > 1)
    {
        std::cerr << "\033[" << m_drawnLines - 1 << 'A';
    }
    if (m_drawnLines > 0)
    {
        std::cerr << '\r' << CLEAR_BELOW << std::flush;
        m_drawnLines = 0;
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
    std::cout << job.name << ": " << results.front() << ", " << seconds << ", "
              << MakeOneLine(folder.string()) << std::endl;
}

} // namespace ns3::rdma
