// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRAFFIC_KIND_H
#define RDMA_TRAFFIC_KIND_H

#include "ns3/traffic-times.h"
#include "ns3/workload-kind.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief What workloads have in common whose traffic is no flows and lasts for a time.
 */
class TrafficKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId();
    TrafficKind();

    std::optional<Time> GetDuration() const override;
    bool HasTraffic() const override;

  protected:
    /// Declares "duration" and "warmup".
    void VisitTimes(Keys& keys);

    /// @return what make() returns; what the NICs do not take is an InputError at this workload.
    std::unique_ptr<RunTraffic> MakeTrafficAtPlace(
        const Scenario& scenario,
        const std::function<std::unique_ptr<RunTraffic>()>& make) const;

    const Time& GetWarmup() const
    {
        return m_warmup;
    }

    /// @return times from the start of the run: of its start, of the end of the warm-up, and after
    /// which nothing begins.
    TrafficTimes GetTimes() const;

  private:
    Time m_duration;
    Time m_warmup;
};

} // namespace ns3::rdma

#endif // RDMA_TRAFFIC_KIND_H
