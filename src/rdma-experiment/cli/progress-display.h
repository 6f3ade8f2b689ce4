// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_PROGRESS_DISPLAY_H
#define RDMA_PROGRESS_DISPLAY_H

#include "ns3/run-supervisor.h"

#include <chrono>
#include <filesystem>
#include <vector>

namespace ns3::rdma
{

/**
 * @brief Displays the progress of the runs.
 *
 * One line on stderr that is drawn over and over, if that is a terminal; one line on stdout for
 * each run that has ended. Nothing when quiet. A watched display has several lines (FormatWatch),
 * and elsewhere than on a terminal a line per second and run.
 */
class ProgressDisplay
{
  public:
    explicit ProgressDisplay(bool isQuiet, bool isWatched = false);

    /// Draws the progress line, if there is one and the last drawing is not too recent.
    void Show(const std::vector<JobState>& jobs);

    /// Removes the progress line, so that other lines can be written.
    void Clear();

    /// Reports how a job ended, if it has a result.
    void ShowEnd(const JobState& job, const std::filesystem::path& folder) const;

  private:
    using Clock = std::chrono::steady_clock;

    void Draw(const std::vector<std::string>& lines);
    /// @return whether any run had something to say.
    bool PrintLines(const std::vector<JobState>& jobs);
    void MeasureGoodputs(const std::vector<JobState>& jobs);

    bool m_isQuiet;
    bool m_isWatched;
    bool m_isTerminal;
    size_t m_drawnLines{0};
    std::vector<RunProgress> m_before; ///< By job, when its goodput was measured.
    std::vector<double> m_goodputs;    ///< By job, in Gb/s.
    Clock::time_point m_begin;
    Clock::time_point m_lastDrawing;
};

} // namespace ns3::rdma

#endif // RDMA_PROGRESS_DISPLAY_H
