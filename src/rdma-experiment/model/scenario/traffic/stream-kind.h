// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_KIND_H
#define RDMA_STREAM_KIND_H

#include "ns3/stream-plan.h"
#include "ns3/traffic-kind.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-stream
 * @brief What workloads have in common in which programs on servers stream messages to each other.
 *
 * A derived class says which streams there are, by MakeGroups(), and declares the keys of its own,
 * by VisitPattern().
 */
class StreamKind : public TrafficKind
{
  public:
    static TypeId GetTypeId();
    StreamKind();

    /// The pattern's keys and the common ones.
    void Visit(Keys& keys) final;
    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const final;
    /// @throws InputError if an end of a stream is no server
    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const final;
    std::vector<std::string> FindWarnings(const Scenario& scenario,
                                          const TopologyGraph& topology) const final;
    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const final;

  protected:
    /// Declares the keys of the pattern.
    virtual void VisitPattern(Keys& keys) = 0;

    /// @return the streams, at least one; senders and receivers are servers.
    virtual std::vector<StreamGroup> MakeGroups(const Scenario& scenario) const = 0;

    /// @return servers that the fabric must have, of a pattern that takes the first ones. Default:
    /// 0, the scenario says which servers.
    virtual uint32_t CountNeededServers() const;

    /// @return payload that a link of this rate carries when messages of this size follow each
    /// other. @param scenario whose path MTU counts
    static DataRate GetPayloadRate(const Scenario& scenario,
                                   DataRate linkRate,
                                   uint32_t messageBytes);

  private:
    /// @throws InputError if the fabric does not have the servers
    void CheckServers(const Scenario& scenario,
                      const TopologyGraph& topology,
                      const std::vector<StreamGroup>& groups) const;
    void VisitPrograms(Keys& keys);
    void VisitQueues(Keys& keys);
    void VisitPolling(Keys& keys);
    void VisitMeasuring(Keys& keys);
    /// Adds a line if the measured time holds more or fewer lists than the rates ask for.
    void WarnOfPace(const std::vector<StreamGroup>& groups,
                    std::vector<std::string>& warnings) const;

    StreamPlan m_plan; ///< Without groups, times, interval of samples and seed.
    Time m_cooldown;
    Time m_sampleInterval;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_KIND_H
