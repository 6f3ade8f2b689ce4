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
 * A derived class says which streams there are, by MakeGroups(), and reads and writes the keys of
 * its own: in ReadPattern(), WritePattern() and GetPatternInfo().
 */
class StreamKind : public TrafficKind
{
  public:
    static TypeId GetTypeId();

    /// The pattern's keys and the common ones.
    KindInfo GetInfo() const final;
    void Read(const JsonValue& value, const Scenario& scenario) final;
    void Write(nlohmann::ordered_json& json) const final;
    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const final;
    /// @throws InputError if an end of a stream is no server
    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const final;
    std::vector<std::string> FindWarnings(const Scenario& scenario,
                                          const TopologyGraph& topology) const final;
    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const final;

  protected:
    /// @return name, description and keys of the pattern alone.
    virtual KindInfo GetPatternInfo() const = 0;

    /// Reads the keys of the pattern. @param scenario whose groups are read already
    /// @throws InputError
    virtual void ReadPattern(const JsonValue& value, const Scenario& scenario) = 0;
    virtual void WritePattern(nlohmann::ordered_json& json) const = 0;

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
    void ReadCopy(const JsonValue& copy);
    void ReadQueues(const JsonValue& value);
    void ReadPolling(const JsonValue& value);
    void ReadMeasuring(const JsonValue& value);
    /// Adds a line if the measured time holds more or fewer lists than the rates ask for.
    void WarnOfPace(const std::vector<StreamGroup>& groups,
                    std::vector<std::string>& warnings) const;

    StreamPlan m_plan; ///< Without groups, times and seed.
    Time m_cooldown;
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_KIND_H
