// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POISSON_WORKLOAD_H
#define RDMA_POISSON_WORKLOAD_H

#include "ns3/flow-size-cdf.h"
#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/random-stream.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of Poisson traffic.
struct PoissonParameters
{
    double load{0};                       ///< Share of the server's link rate, (0, 1].
    Time duration;                        ///< Flows start before this time; above 0.
    uint64_t seed{1};                     ///< Of the run.
    std::vector<uint32_t> sources{};      ///< Servers that send, rising; empty: all.
    std::vector<uint32_t> destinations{}; ///< Servers that receive, rising; empty: all.
};

/**
 * @ingroup rdma-workload
 * @brief Servers start flows at random times, to destinations drawn uniformly from all other
 * servers or from a group.
 *
 * Load counts payload only, as in the HPCC family's generator: the mean time between two flows of a
 * server is mean size x 8 / (load x link rate), so headers come on top of the load.
 *
 * Each server draws from its own random stream, three numbers per flow (time, destination, size),
 * so the starts and sizes of its flows depend on the seed and its node id, not on the other
 * servers.  Memory holds one future flow per server.
 */
class PoissonWorkload : public FlowSource
{
  public:
    /**
     * @param graph a checked graph, from which servers and their link rates are taken
     * @param sizes of the flows
     * @throws InputError if load or duration is out of range
     */
    PoissonWorkload(const TopologyGraph& graph,
                    FlowSizeCdf sizes,
                    const PoissonParameters& parameters);

    std::optional<FlowArrival> Next() override;
    bool Rewind() final;

    /// Draws all times again in a copy: about 20 ns per flow.
    std::optional<uint64_t> GetFlowCount() const override;

  private:
    /// One server, with the start of its next flow.
    struct Sender
    {
        RandomStream random;
        double meanIntervalPs;
        int64_t startPs;
        uint32_t own; ///< Index in m_destinations; NO_PLACE: it is no destination.

        /// Moves startPs to the next flow. @return false if that is not before endPs.
        bool Advance(int64_t endPs);
    };

    /// The next flow of a sender: small, since heaps move their elements.
    struct NextStart
    {
        int64_t startPs;
        uint32_t sender; ///< Into m_senders.
    };

    /// Orders a heap so that the earliest flow is on top, the lower index first at equal times.
    static bool IsLater(const NextStart& a, const NextStart& b);

    /// Restores the order of the heap after its first element has become later: one pass, where
    /// pop_heap() and push_heap() make two.
    void MoveFirstDown();

    std::vector<Sender> MakeSenders(const TopologyGraph& graph,
                                    const PoissonParameters& parameters) const;
    uint32_t ChooseDestination(Sender& sender) const;

    FlowSizeCdf m_sizes;
    int64_t m_endPs;
    std::vector<uint32_t> m_sources;      ///< Node ids, rising.
    std::vector<uint32_t> m_destinations; ///< Node ids, rising.
    std::vector<Sender> m_initial;        ///< As at the beginning, in the order of m_sources.
    std::vector<Sender> m_senders;        ///< The same now.
    std::vector<NextStart> m_heap;        ///< Of the senders that have a next flow.
};

} // namespace ns3::rdma

#endif // RDMA_POISSON_WORKLOAD_H
