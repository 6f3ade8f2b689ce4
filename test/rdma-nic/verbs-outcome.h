// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_VERBS_OUTCOME_H
#define RDMA_VERBS_OUTCOME_H

#include "verbs-test-bench.h"

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return "1 SUCCESS, 2 WR_FLUSH_ERR": what ended, in order, so that a difference can be read.
inline std::string
Describe(const std::vector<WorkCompletion>& completions)
{
    std::string text;
    for (const WorkCompletion& completion : completions)
    {
        text += (text.empty() ? "" : ", ") + std::to_string(completion.wrId) + " " +
                GetWcStatusName(completion.status);
    }
    return text;
}

inline std::string
Describe(const std::vector<AsyncEventType>& events)
{
    static constexpr std::array<const char*, 6> NAMES{"QP_FATAL",
                                                      "QP_REQ_ERR",
                                                      "QP_ACCESS_ERR",
                                                      "SQ_DRAINED",
                                                      "CQ_ERR",
                                                      "LAST_WQE_REACHED"};
    std::string text;
    for (const AsyncEventType event : events)
    {
        text += (text.empty() ? "" : ", ") + std::string(NAMES[static_cast<std::size_t>(event)]);
    }
    return text;
}

/// All that the consumers of a connection got, and the states they were left in.
struct VerbsOutcome
{
    std::string sends[2]{};    ///< By node.
    std::string receives[2]{}; ///< By node.
    std::string states;        ///< "RTS, ERR".
    std::string events[2]{};   ///< By node.

    bool operator==(const VerbsOutcome& other) const
    {
        return sends[0] == other.sends[0] && sends[1] == other.sends[1] &&
               receives[0] == other.receives[0] && receives[1] == other.receives[1] &&
               states == other.states && events[0] == other.events[0] &&
               events[1] == other.events[1];
    }
};

inline std::ostream&
operator<<(std::ostream& stream, const VerbsOutcome& outcome)
{
    for (int node = 0; node < 2; ++node)
    {
        stream << "\n  node " << node << ": sends [" << outcome.sends[node] << "] receives ["
               << outcome.receives[node] << "] events [" << outcome.events[node] << "]";
    }
    return stream << "\n  states " << outcome.states << "\n";
}

/// Polls all completion queues empty.
inline VerbsOutcome
TakeOutcome(VerbsTestBench& bench)
{
    VerbsOutcome outcome;
    for (uint32_t node = 0; node < 2; ++node)
    {
        outcome.sends[node] = Describe(bench.ends[node].PollSends());
        outcome.receives[node] = Describe(bench.ends[node].PollReceives());
        outcome.events[node] = Describe(bench.events[node]);
    }
    outcome.states =
        std::string(GetQpStateName(bench.GetState(0))) + ", " + GetQpStateName(bench.GetState(1));
    return outcome;
}

/// Remembers the frames that leave a server of a VerbsTestBench.
class FrameLog
{
  public:
    struct Entry
    {
        Frame frame;
        Tick at;
    };

    FrameLog(VerbsTestBench& bench, uint32_t node)
        : m_bench(bench.GetBench())
    {
        m_bench.GetFabric().GetLinkPort(0, node).GetTraces().transmit.ConnectWithoutContext(
            MakeCallback(&FrameLog::OnFrame, this));
    }

    FrameLog(const FrameLog&) = delete;
    FrameLog& operator=(const FrameLog&) = delete;

    /// @return PSNs of the frames with an opcode, in the order in which they left.
    std::vector<uint32_t> GetPsns(uint8_t code) const
    {
        std::vector<uint32_t> psns;
        for (const Entry& entry : entries)
        {
            if (entry.frame.opcode == code)
            {
                psns.push_back(entry.frame.psn);
            }
        }
        return psns;
    }

    /// @return opcodes of all frames, in the order in which they left.
    std::vector<uint32_t> GetOpcodes() const
    {
        std::vector<uint32_t> codes;
        for (const Entry& entry : entries)
        {
            codes.push_back(entry.frame.opcode);
        }
        return codes;
    }

    std::vector<Entry> entries;

  private:
    void OnFrame(const Frame& frame)
    {
        entries.push_back({frame, m_bench.Now()});
    }

    NicTestBench& m_bench;
};

} // namespace ns3::rdma

#endif // RDMA_VERBS_OUTCOME_H
