// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HPCC_TRACE_FILE_H
#define RDMA_HPCC_TRACE_FILE_H

#include "ns3/counted-lines.h"
#include "ns3/field-reader.h"
#include "ns3/flow-source.h"
#include "ns3/topology-graph.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-workload
 * @brief Replays a flow file of the HPCC simulator family (HPCC, SRNIC, PowerTCP, ConWeave).
 *
 * Line 1: number of flows.  Then one line per flow: source, destination, priority, destination
 * port, bytes, start in seconds.  ConWeave's files have no destination port.  The port is checked
 * but not used.  The priority, there a queue of the NIC and the switches, is that of the flow's
 * queue pair if flows of the file have different ones; else the NIC or the workload decides.  As in
 * these simulators, lines behind the last flow are ignored; many files end with a legend.
 *
 * The constructor reads the whole file once to check it; afterwards each line is read when it is
 * needed, so that memory does not grow with the file.
 *
 * The family starts its traffic at 2 s.  An origin is subtracted so that a run need not begin with
 * idle time: by default the start of the first flow, rounded down to a full second.
 */
class HpccTraceFile : public FlowSource
{
  public:
    /**
     * @param path of the file
     * @param graph on which the flows run
     * @param originPs time in the file, in picoseconds, that becomes 0; unset for the default
     * @throws InputError naming file and line if a line is malformed, there are fewer flows than
     *         line 1 says, starts fall, or a flow cannot run on this graph
     */
    HpccTraceFile(const std::string& path,
                  const TopologyGraph& graph,
                  std::optional<int64_t> originPs = std::nullopt);

    /// @throws std::runtime_error if the file has been changed since the constructor checked it.
    std::optional<FlowArrival> Next() override;

    /// Does not check the file again.
    bool Rewind() override;

    std::optional<uint64_t> GetFlowCount() const override;

    /// @return what of the file is ignored, one line each.
    const std::vector<std::string>& GetNotes() const
    {
        return m_notes;
    }

  private:
    /// One pass over the file that checks as it goes.
    class Pass
    {
      public:
        Pass(const std::string& path, const TopologyGraph& graph);

        /// @return the next flow with its start as in the file.
        std::optional<FlowArrival> Next();

        uint64_t GetFlowCount() const;

        /// @return notes about the flows that were read, complete at the end.
        std::vector<std::string> GetNotes() const;

        /// @return whether the flows that were read have different priorities.
        bool HasSeveralPriorities() const
        {
            return (m_priorities & (m_priorities - 1)) != 0;
        }

        /// @return the nodes of the graph, without links
        const TopologyGraph& GetNodes() const
        {
            return m_graph;
        }

      private:
        FieldReader m_reader;
        const TopologyGraph m_graph;         ///< Nodes only: links are not needed.
        std::optional<CountedLines> m_lines; ///< Always set.
        int64_t m_lastStartPs{0};
        uint8_t m_priorities{0}; ///< Bit p: a flow has priority p.
    };

    /// Reads all flows. @return the start of the first one.
    int64_t CheckAll(const TopologyGraph& graph);

    std::string m_path;
    std::vector<std::string> m_notes;
    std::optional<Pass> m_pass; ///< Always set.
    int64_t m_originPs;
    bool m_usesPriorities{false}; ///< Flows of the file have different ones.
};

} // namespace ns3::rdma

#endif // RDMA_HPCC_TRACE_FILE_H
