// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_KIND_H
#define RDMA_REQUEST_KIND_H

#include "ns3/workload-kind.h"

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief What workloads have in common in which clients ask servers for a time, perhaps beside
 * flows: groups, times, background.
 */
class RequestKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId();
    RequestKind();

    Ptr<const ScenarioKind> FindPart(const std::string& key) const override;
    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override;
    std::optional<Time> GetDuration() const override;
    bool HasTraffic() const override;
    std::vector<std::pair<uint32_t, uint32_t>> GetPeers(const Scenario& scenario) const override;

  protected:
    /// Keys "clients" and "servers": two groups. @throws InputError
    void ReadGroups(const JsonValue& value, const Scenario& scenario);
    /// Keys "duration", "warmup" and "background". @throws InputError
    void ReadTimes(const JsonValue& value, const Scenario& scenario);

    void WriteGroups(nlohmann::ordered_json& json) const;
    void WriteTimes(nlohmann::ordered_json& json) const;

    /// @return what make() returns; what the NICs do not take is an InputError at this workload.
    std::unique_ptr<RunTraffic> MakeTrafficAtPlace(
        const Scenario& scenario,
        const std::function<std::unique_ptr<RunTraffic>()>& make) const;

    const std::string& GetServerGroup() const
    {
        return m_servers;
    }

    /// @return node ids.
    const std::vector<uint32_t>& GetClients(const Scenario& scenario) const;
    const std::vector<uint32_t>& GetServers(const Scenario& scenario) const;

    const Time& GetWarmup() const
    {
        return m_warmup;
    }

  private:
    std::string m_clients; ///< Group.
    std::string m_servers; ///< Group.
    Time m_duration;
    Time m_warmup;
    Ptr<const WorkloadKind> m_background; ///< Null: there are no flows.
};

/// A number within bounds. @throws InputError with what was expected
double ReadNumber(const JsonValue& value, double min, double max, const std::string& expected);

} // namespace ns3::rdma

#endif // RDMA_REQUEST_KIND_H
