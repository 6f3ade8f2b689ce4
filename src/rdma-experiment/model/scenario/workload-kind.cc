// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/workload-kind.h"

#include "ns3/checked-flow-source.h"
#include "ns3/content-hash.h"
#include "ns3/key-reader.h"
#include "ns3/quantity.h"
#include "ns3/random-stream.h"
#include "ns3/run-traffic.h"
#include "ns3/scenario.h"
#include "ns3/server-group.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadKind);

TypeId
WorkloadKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::WorkloadKind").SetParent<ScenarioKind>().SetGroupName("RdmaExperiment");
    return tid;
}

uint64_t
WorkloadKind::GetStreamKey() const
{
    if (m_place.name.empty() || m_place.name == GetInfo().name)
    {
        return 0;
    }
    ContentHash hash;
    hash.Add(m_place.name);
    return RandomStream::Scramble(hash.Get());
}

uint64_t
WorkloadKind::GetSeed(const Scenario& scenario) const
{
    const uint64_t key = GetStreamKey();
    return key == 0 ? scenario.run.seed : RandomStream::Scramble(scenario.run.seed + key);
}

std::optional<Time>
WorkloadKind::GetLastTime() const
{
    const auto duration = GetDuration();
    if (!duration)
    {
        return m_place.end;
    }
    const Time last = m_place.start + *duration;
    return std::min(last, m_place.end.value_or(last));
}

void
WorkloadKind::Read(const JsonValue& value, const Scenario& scenario)
{
    const KeyContext context{
        [&scenario](const JsonValue& group) { return ReadGroupName(group, scenario.groups); }};
    KeyReader reader(value, context);
    Visit(reader);
    Resolve(value, scenario);
}

void
WorkloadKind::Resolve(const JsonValue&, const Scenario&)
{
}

std::unique_ptr<FlowSource>
WorkloadKind::Make(const Scenario&, const TopologyGraph&) const
{
    return nullptr;
}

std::optional<Time>
WorkloadKind::GetDuration() const
{
    return std::nullopt;
}

bool
WorkloadKind::HasTraffic() const
{
    return false;
}

bool
WorkloadKind::ListMessages(const Scenario&, const TopologyGraph&, const TrafficVisitor&) const
{
    return false;
}

std::vector<std::pair<uint32_t, uint32_t>>
WorkloadKind::GetPeers(const Scenario&) const
{
    return {};
}

std::vector<std::string>
WorkloadKind::FindWarnings(const Scenario&, const TopologyGraph&) const
{
    return {};
}

std::unique_ptr<RunTraffic>
WorkloadKind::MakeTraffic(const Scenario&, const TrafficContext&) const
{
    return nullptr;
}

FlowMemory
WorkloadKind::GetFlowMemory() const
{
    return {};
}

WrOpcode
WorkloadKind::GetFlowOperation() const
{
    return WrOpcode::RDMA_WRITE;
}

bool
WorkloadKind::IsUniform() const
{
    return false;
}

namespace
{
void
VisitSample(Keys& keys)
{
    WorkloadPlace sample;
    VisitPlace(keys, sample);
}

void
VisitClassSample(Keys& keys)
{
    TrafficClass sample;
    VisitTrafficClass(keys, sample);
}

/// @return the keys that a workload has whatever its type.
std::vector<std::string>
ListCommonKeys(bool isInList)
{
    std::vector<std::string> names = ListKeyNames(VisitClassSample);
    if (isInList)
    {
        const std::vector<std::string> places = ListKeyNames(VisitSample);
        names.insert(names.begin(), places.begin(), places.end());
    }
    return names;
}
} // namespace

namespace
{
/// Words for what a server posts. @tparam Value WrOpcode, or an optional one
template <typename Value>
constexpr std::array<std::pair<const char*, Value>, 3> OPERATIONS{
    {{"write", WrOpcode::RDMA_WRITE}, {"read", WrOpcode::RDMA_READ}, {"send", WrOpcode::SEND}}};
} // namespace

void
VisitFlowOperation(Keys& keys, WrOpcode& operation)
{
    keys.Choice("operation",
                operation,
                OPERATIONS<WrOpcode>,
                "what the sender, src, posts for each flow; with read, data go from dst to src")
        .OmitIf(operation == WrOpcode::RDMA_WRITE);
}

void
VisitOwnOperation(Keys& keys, std::optional<WrOpcode>& operation)
{
    keys.Choice("operation",
                operation,
                OPERATIONS<std::optional<WrOpcode>>,
                "what src posts; with read, data go from dst to src")
        .Otherwise("that of the workload");
}

void
VisitPlace(Keys& keys, WorkloadPlace& place)
{
    keys.Text("name", place.name, "name of the workload in results").Required();
    keys.Time("start", place.start, "times of the workload count from it");
    keys.Time("end", place.end, "nothing begins then or later").Otherwise("none");
    keys.Check(!place.end || *place.end > place.start,
               "end",
               "a time after the start, " + FormatTime(place.start));
}

void
VisitTrafficClass(Keys& keys, TrafficClass& trafficClass)
{
    keys.Count("dscp",
               trafficClass.dscp,
               "DSCP of its queue pairs; the NIC's map selects the class")
        .Otherwise("the NIC's")
        .AtMost(DSCPS - 1)
        .OmitIf(!trafficClass.dscp);
    keys.Count("priority", trafficClass.priority, "class of its queue pairs, whatever their DSCP")
        .Otherwise("that of dscp, or the NIC's")
        .AtMost(PRIORITIES - 1)
        .OmitIf(!trafficClass.priority);
    keys.Rate("rateLimit",
              trafficClass.rateLimit,
              "limit of each of its queue pairs: data packets, in bytes on the wire")
        .OmitIf(!trafficClass.rateLimit)
        .Otherwise("none");
    keys.Check(!trafficClass.rateLimit || trafficClass.rateLimit->GetBitRate() > 0,
               "rateLimit",
               "a rate above zero");
}

Ptr<const WorkloadKind>
ReadWorkload(const JsonValue& value,
             const Scenario& scenario,
             const std::optional<WorkloadPlace>& place)
{
    if (const auto background = value.Find("background"))
    {
        background->Fail("\"workloads\": [{\"name\": \"background\", ...}, ...] in place of it");
    }
    const auto kind = DynamicCast<WorkloadKind>(
        MakeKind(value, "type", ListCommonKeys(place.has_value()), WorkloadKind::GetTypeId()));
    kind->SetPlace(place.value_or(WorkloadPlace{}));
    TrafficClass trafficClass;
    const KeyContext context;
    KeyReader reader(value, context);
    VisitTrafficClass(reader, trafficClass);
    kind->SetTrafficClass(trafficClass);
    CallKind(*kind, "Read()", [&] { kind->Read(value, scenario); });
    return kind;
}

} // namespace ns3::rdma
