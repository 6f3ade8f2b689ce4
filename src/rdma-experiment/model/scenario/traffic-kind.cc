// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traffic-kind.h"

#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/run-traffic.h"
#include "ns3/scenario-file.h"
#include "ns3/verbs-error.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TrafficKind);

TypeId
TrafficKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::TrafficKind").SetParent<WorkloadKind>().SetGroupName("RdmaExperiment");
    return tid;
}

TrafficKind::TrafficKind() = default;

void
TrafficKind::VisitTimes(Keys& keys)
{
    keys.Time("duration", m_duration, "how long it lasts").Positive().Required();
    keys.Time("warmup", m_warmup, "time at its begin that is not measured");
    keys.Check(m_warmup < m_duration, "warmup", "a time before the duration is over");
    const TrafficTimes times = GetTimes();
    keys.Check(times.until > times.from,
               "end",
               "a time after the warm-up, " + FormatTime(times.from));
}

TrafficTimes
TrafficKind::GetTimes() const
{
    const Time& start = GetPlace().start;
    return {start, start + m_warmup, *GetLastTime()};
}

std::optional<Time>
TrafficKind::GetDuration() const
{
    return m_duration;
}

bool
TrafficKind::HasTraffic() const
{
    return true;
}

std::unique_ptr<RunTraffic>
TrafficKind::MakeTrafficAtPlace(const Scenario& scenario,
                                const std::function<std::unique_ptr<RunTraffic>()>& make) const
{
    return AtPlace(scenario.file, GetPath() + ": ", [&] {
        try
        {
            return make();
        }
        catch (const VerbsError& error)
        {
            throw InputError(std::string("expected connections that the NICs take, got: ") +
                             error.what());
        }
    });
}

} // namespace ns3::rdma
