// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_JOB_CHANNEL_H
#define RDMA_JOB_CHANNEL_H

#include "ns3/run-progress.h"

#include <functional>
#include <string>

namespace ns3::rdma
{

/// A line of text that a job sends home.
struct JobLine
{
    /// What the line is for.
    enum class Kind : char
    {
        RESULT = 'r',    ///< Summary of a run that came to its end.
        TROUBLE = 't',   ///< A flow that failed or stalled.
        VIOLATION = 'v', ///< A broken invariant.
        NOTE = 'n',      ///< What had no effect.
        FAILURE = 'f',   ///< Why the job could not do its work.
    };

    Kind kind;
    std::string text;
};

/**
 * @ingroup rdma-scenario
 * @brief How a job communicates with its supervisor: through a pipe, or in the same process.
 *
 * A supervisor that is gone is no error: the job goes on and its words are lost.
 */
class JobChannel
{
  public:
    /// @param descriptor the end to write into; stays the caller's
    /// @param shouldStop returns whether the job shall stop
    JobChannel(int descriptor, std::function<bool()> shouldStop);
    /// @param write takes bytes for a JobMessageParser
    JobChannel(std::function<void(const std::string&)> write, std::function<bool()> shouldStop);

    void SendProgress(const RunProgress& progress);
    void SendLine(JobLine::Kind kind, const std::string& text);
    bool ShouldStop() const;

  private:
    void Send(char tag, const void* data, size_t size);

    std::function<void(const std::string&)> m_write;
    std::function<bool()> m_shouldStop;
};

/**
 * @ingroup rdma-scenario
 * @brief Puts the pieces that come out of the pipe together again.
 */
class JobMessageParser
{
  public:
    using ProgressHandler = std::function<void(const RunProgress&)>;
    using LineHandler = std::function<void(JobLine)>;

    JobMessageParser(ProgressHandler onProgress, LineHandler onLine);

    /// Takes bytes in pieces of any size and reports each message that is whole.
    void Feed(const char* data, size_t size);

  private:
    ProgressHandler m_onProgress;
    LineHandler m_onLine;
    std::string m_pending; ///< Begin of a message that is not whole yet.
};

} // namespace ns3::rdma

#endif // RDMA_JOB_CHANNEL_H
