// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-kind.h"

#include "ns3/header-sizes.h"
#include "ns3/input-error.h"
#include "ns3/json-value.h"
#include "ns3/quantity.h"
#include "ns3/region-layout.h"
#include "ns3/scenario.h"
#include "ns3/stream-check.h"
#include "ns3/stream-starts.h"
#include "ns3/stream-traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(StreamKind);

namespace
{
constexpr uint64_t MAX_QUEUE{1 << 20};
constexpr uint32_t SHARED_QUEUE{2000}; ///< Thesis, Table B.1.
constexpr const char* POLLING_NAMES[]{"event",
                                      "busy",
                                      "interval",
                                      "event-once"}; ///< By PollingMode.

const std::vector<std::string>&
GetStreamKeys()
{
    static const std::vector<std::string> keys{
        "service",        "linked",    "solicited",       "signaledEvery",      "polling",
        "pollInterval",   "sendQueue", "receiveQueue",    "sharedReceiveQueue", "regions",
        "memory",         "refill",    "measureInterval", "startInterval",      "deadline",
        "sampleInterval", "duration",  "warmup",          "cooldown",           "copy"};
    return keys;
}

/// Reads a whole number into a setting, if the key is there.
void
ReadWholeSetting(const JsonValue& value,
                 const char* key,
                 uint64_t min,
                 uint64_t max,
                 uint32_t& setting)
{
    if (const auto found = value.Find(key))
    {
        setting = static_cast<uint32_t>(found->GetWhole(min, max));
    }
}

std::string
FormatGigabits(uint64_t bitsPerSecond)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f Gb/s", static_cast<double>(bitsPerSecond) / 1e9);
    return text;
}

/// Both directions of the link of an endpoint, in bit/s of payload that its streams ask for.
struct LinkDemand
{
    uint64_t out{0};
    uint64_t in{0};
    uint32_t messageBytes{UINT32_MAX}; ///< The smallest.
};
} // namespace

TypeId
StreamKind::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::StreamKind").SetParent<TrafficKind>().SetGroupName("RdmaExperiment");
    return tid;
}

KindInfo
StreamKind::GetInfo() const
{
    KindInfo info = GetPatternInfo();
    info.keys.insert(info.keys.end(), GetStreamKeys().begin(), GetStreamKeys().end());
    return info;
}

void
StreamKind::Read(const JsonValue& value, const Scenario& scenario)
{
    StreamSettings& settings = m_plan.settings;
    if (const auto service = value.Find("service"))
    {
        settings.service = service->GetChoice({"UC", "RC"}) == "RC" ? Service::RC : Service::UC;
    }
    ReadWholeSetting(value, "linked", 1, RegionLayout::MAX_BLOCKS, settings.linked);
    ReadWholeSetting(value, "regions", 1, RegionLayout::MAX_REGIONS, settings.regions);
    if (const auto solicited = value.Find("solicited"))
    {
        settings.isSolicited = solicited->GetBool();
    }
    if (const auto memory = value.Find("memory"))
    {
        m_plan.memory =
            memory->GetChoice({"host", "gpu"}) == "gpu" ? MemoryKind::GPU : MemoryKind::HOST;
    }
    if (const auto copy = value.Find("copy"))
    {
        ReadCopy(*copy);
    }
    ReadQueues(value);
    ReadPolling(value);
    ReadTimes(value);
    ReadMeasuring(value);
    ReadPattern(value, scenario);
}

void
StreamKind::ReadCopy(const JsonValue& copy)
{
    copy.ExpectKeys({"time", "rate"});
    if (const auto time = copy.Find("time"))
    {
        m_plan.settings.copyTime = ToTick(time->GetTime());
    }
    if (const auto rate = copy.Find("rate"))
    {
        m_plan.settings.copyRate = rate->GetRate();
    }
    if (m_plan.settings.copyTime == 0 && m_plan.settings.copyRate.GetBitRate() == 0)
    {
        copy.Fail("\"time\", \"rate\" or both");
    }
    if (m_plan.memory == MemoryKind::GPU)
    {
        copy.Fail("no such key if memory is \"gpu\": the NIC writes to it");
    }
}

void
StreamKind::ReadQueues(const JsonValue& value)
{
    StreamSettings& settings = m_plan.settings;
    if (const auto shared = value.Find("sharedReceiveQueue"))
    {
        m_plan.isReceiveQueueShared = shared->GetBool();
        settings.receiveQueue = m_plan.isReceiveQueueShared ? SHARED_QUEUE : settings.receiveQueue;
    }
    ReadWholeSetting(value, "sendQueue", 1, MAX_QUEUE, settings.sendQueue);
    ReadWholeSetting(value, "receiveQueue", 1, MAX_QUEUE, settings.receiveQueue);
    ReadWholeSetting(value, "signaledEvery", 1, MAX_QUEUE, settings.signaledEvery);
    if (const auto refill = value.Find("refill"))
    {
        settings.isRefilled = refill->GetBool();
    }
    const std::string linked = std::to_string(settings.linked) + " linked requests";
    if (settings.receiveQueue < settings.linked)
    {
        value.Get(value.Find("receiveQueue") ? "receiveQueue" : "linked")
            .Fail("a receive queue that holds a list of " + linked);
    }
    // Else a sender might wait for a completion that none of the posted requests makes.
    if (settings.sendQueue < settings.linked + settings.signaledEvery - 1)
    {
        value
            .Get(value.Find("signaledEvery") ? "signaledEvery"
                 : value.Find("sendQueue")   ? "sendQueue"
                                             : "linked")
            .Fail("a send queue of at least " + linked + " and " +
                  std::to_string(settings.signaledEvery - 1) + " that are not signaled");
    }
}

void
StreamKind::ReadPolling(const JsonValue& value)
{
    StreamSettings& settings = m_plan.settings;
    if (const auto polling = value.Find("polling"))
    {
        const std::string name =
            polling->GetChoice({std::begin(POLLING_NAMES), std::end(POLLING_NAMES)});
        const auto* found = std::find(std::begin(POLLING_NAMES), std::end(POLLING_NAMES), name);
        settings.polling = static_cast<PollingMode>(found - std::begin(POLLING_NAMES));
    }
    const bool isInterval = settings.polling == PollingMode::INTERVAL;
    if (isInterval)
    {
        settings.pollInterval = ToTick(value.Get("pollInterval").GetPositiveTime());
    }
    else if (const auto interval = value.Find("pollInterval"))
    {
        interval->Fail("no such key unless polling is \"interval\"");
    }
}

void
StreamKind::ReadMeasuring(const JsonValue& value)
{
    const Time duration = *GetDuration();
    if (const auto cooldown = value.Find("cooldown"))
    {
        m_cooldown = cooldown->GetTime();
        if (GetWarmup() + m_cooldown >= duration)
        {
            cooldown->Fail("a time that leaves some between warm-up and cool-down");
        }
        if (GetTimes().from + m_cooldown >= GetTimes().until)
        {
            value.Get("end").Fail("a time after warm-up and cool-down");
        }
    }
    const Time measured = duration - GetWarmup() - m_cooldown;
    m_plan.sampleInterval = ToTick(measured) / 10; // Our choice.
    if (const auto interval = value.Find("sampleInterval"))
    {
        m_plan.sampleInterval = ToTick(interval->GetPositiveTime());
        if (m_plan.sampleInterval > ToTick(measured))
        {
            interval->Fail("at most the time between warm-up and cool-down, " +
                           FormatTime(measured));
        }
    }
    m_plan.sampleInterval = std::max<Tick>(m_plan.sampleInterval, 1);
    if (const auto deadline = value.Find("deadline"))
    {
        m_plan.deadline = ToTick(deadline->GetPositiveTime());
        if (deadline->GetPositiveTime() >= duration)
        {
            deadline->Fail("a time below the duration");
        }
    }
    m_plan.settings.measureInterval = ToTick(MilliSeconds(10)); // Thesis, chapter 5.
    if (const auto interval = value.Find("measureInterval"))
    {
        m_plan.settings.measureInterval = ToTick(interval->GetTime());
    }
    if (const auto interval = value.Find("startInterval"))
    {
        m_plan.startInterval = ToTick(interval->GetTime());
    }
}

void
StreamKind::Write(nlohmann::ordered_json& json) const
{
    const StreamSettings& settings = m_plan.settings;
    WritePattern(json);
    json["service"] = settings.service == Service::RC ? "RC" : "UC";
    json["linked"] = settings.linked;
    json["solicited"] = settings.isSolicited;
    json["signaledEvery"] = settings.signaledEvery;
    json["polling"] = POLLING_NAMES[static_cast<std::size_t>(settings.polling)];
    if (settings.polling == PollingMode::INTERVAL)
    {
        json["pollInterval"] = FormatTime(ToTime(settings.pollInterval));
    }
    json["sendQueue"] = settings.sendQueue;
    json["receiveQueue"] = settings.receiveQueue;
    json["sharedReceiveQueue"] = m_plan.isReceiveQueueShared;
    json["regions"] = settings.regions;
    json["memory"] = m_plan.memory == MemoryKind::GPU ? "gpu" : "host";
    if (settings.copyTime > 0)
    {
        json["copy"]["time"] = FormatTime(ToTime(settings.copyTime));
    }
    if (settings.copyRate.GetBitRate() > 0)
    {
        json["copy"]["rate"] = FormatRate(settings.copyRate);
    }
    json["refill"] = settings.isRefilled;
    json["measureInterval"] = FormatTime(ToTime(settings.measureInterval));
    if (m_plan.startInterval)
    {
        json["startInterval"] = FormatTime(ToTime(*m_plan.startInterval));
    }
    if (m_plan.deadline > 0)
    {
        json["deadline"] = FormatTime(ToTime(m_plan.deadline));
    }
    json["sampleInterval"] = FormatTime(ToTime(m_plan.sampleInterval));
    WriteTimes(json);
    json["cooldown"] = FormatTime(m_cooldown);
}

std::vector<std::pair<uint32_t, uint32_t>>
StreamKind::GetPeers(const Scenario& scenario) const
{
    std::vector<std::pair<uint32_t, uint32_t>> peers;
    for (const StreamGroup& group : MakeGroups(scenario))
    {
        peers.emplace_back(group.sender, group.receiver);
    }
    return peers;
}

uint32_t
StreamKind::CountNeededServers() const
{
    return 0;
}

void
StreamKind::CheckServers(const Scenario& scenario,
                         const TopologyGraph& topology,
                         const std::vector<StreamGroup>& groups) const
{
    const auto servers = static_cast<uint32_t>(
        std::count(topology.isSwitch.begin(), topology.isSwitch.end(), false));
    if (CountNeededServers() > servers)
    {
        throw InputError(scenario.file + ": " + GetPath() +
                         ": expected a fabric that is large enough: the pattern needs " +
                         std::to_string(CountNeededServers()) + " servers, the fabric has " +
                         std::to_string(servers));
    }
    for (const StreamGroup& group : groups)
    {
        for (const uint32_t node : {group.sender, group.receiver})
        {
            if (node >= topology.isSwitch.size() || topology.isSwitch[node])
            {
                throw InputError(scenario.file + ": " + GetPath() +
                                 ": expected streams between servers, got node " +
                                 std::to_string(node) + ", which is none");
            }
        }
    }
}

std::unique_ptr<FlowSource>
StreamKind::Make(const Scenario& scenario, const TopologyGraph& topology) const
{
    const std::vector<StreamGroup> groups = MakeGroups(scenario);
    CheckServers(scenario, topology, groups);
    const bool hasRates = std::all_of(groups.begin(), groups.end(), [](const StreamGroup& group) {
        return group.rate.GetBitRate() > 0;
    });
    if (m_plan.deadline > 0 && !hasRates)
    {
        throw InputError(scenario.file + ": " + GetPath() +
                         ".deadline: expected streams with a rate, by which messages are due");
    }
    CheckStreamRoom(scenario, topology, groups, GetPath());
    if (m_plan.memory == MemoryKind::GPU)
    {
        CheckStreamGpus(scenario, groups, GetPath());
    }
    return TrafficKind::Make(scenario, topology);
}

DataRate
StreamKind::GetPayloadRate(const Scenario& scenario, DataRate linkRate, uint32_t messageBytes)
{
    constexpr uint64_t FRAMING{24}; ///< Preamble, FCS, gap.
    constexpr uint64_t RETH{16};
    constexpr uint64_t IMMEDIATE{4};
    const uint64_t mtu = scenario.fabric.mtuBytes;
    const uint64_t packets = (messageBytes + mtu - 1) / mtu;
    // Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4.
    constexpr uint64_t HEADERS{58};
    const uint64_t wire = messageBytes + packets * (HEADERS + FRAMING) + RETH + IMMEDIATE;
    return DataRate(static_cast<uint64_t>(static_cast<double>(linkRate.GetBitRate()) *
                                          messageBytes / static_cast<double>(wire)));
}

void
StreamKind::WarnOfPace(const std::vector<StreamGroup>& groups,
                       std::vector<std::string>& warnings) const
{
    constexpr double TOLERANCE{0.1}; // Our choice.
    const uint32_t linked = m_plan.settings.linked;
    const Tick from = ToTick(GetWarmup());
    const Tick until = ToTick(*GetDuration() - m_cooldown);
    const PacedPayload payload =
        ComputePacedPayload(groups, linked, m_plan.startInterval, from, until);
    if (std::abs(payload.posted - payload.asked) <= TOLERANCE * payload.asked)
    {
        return;
    }
    constexpr double PS_PER_MS{1e9};
    char text[160];
    std::snprintf(text,
                  sizeof text,
                  "programs post %.3g times the payload of their rate in the measured %.4g ms: a "
                  "queue pair posts a list of %u every %.4g ms",
                  payload.posted / payload.asked,
                  static_cast<double>(until - from) / PS_PER_MS,
                  linked,
                  static_cast<double>(payload.longest) / PS_PER_MS);
    warnings.push_back(text + std::string(" (measure longer, or link fewer requests") +
                       (m_plan.startInterval ? ", or leave out startInterval)" : ")"));
}

std::vector<std::string>
StreamKind::FindWarnings(const Scenario& scenario, const TopologyGraph& topology) const
{
    std::map<uint32_t, LinkDemand> demands; // By server.
    const std::vector<StreamGroup> groups = MakeGroups(scenario);
    for (const StreamGroup& group : groups)
    {
        for (const bool isOut : {true, false})
        {
            LinkDemand& demand = demands[isOut ? group.sender : group.receiver];
            (isOut ? demand.out : demand.in) += group.rate.GetBitRate();
            demand.messageBytes = std::min(demand.messageBytes, group.messageBytes);
        }
    }
    std::vector<std::string> warnings;
    WarnOfPace(groups, warnings);
    for (const auto& [group, kernels] : scenario.kernels)
    {
        for (const KernelSpec& kernel : kernels)
        {
            if (!kernel.slots.empty() && m_plan.settings.service != Service::RC)
            {
                warnings.push_back("streams do not pass " + kernel.type + " in the slots of " +
                                   group + ": only flows and streams of service RC do");
            }
        }
    }
    for (const auto& [server, demand] : demands)
    {
        uint64_t capacity = 0;
        std::string peer;
        bool isPeerServer = false;
        for (const GraphLink& link : topology.links)
        {
            for (const auto& [here, there] : {std::pair(link.a, link.b), std::pair(link.b, link.a)})
            {
                const bool isServers =
                    !topology.IsSwitch(here) && topology.GetEndpoint(here).server == server;
                if (isServers)
                {
                    capacity +=
                        GetPayloadRate(scenario, link.rate, demand.messageBytes).GetBitRate();
                    peer = topology.GetNodeName(there);
                    isPeerServer = !topology.IsSwitch(there);
                }
            }
        }
        for (const bool isOut : {true, false})
        {
            const uint64_t asked = isOut ? demand.out : demand.in;
            // What a server sends over a link without a switch, its peer receives over the same.
            if (asked > capacity && (isOut || !isPeerServer))
            {
                const std::string name = topology.GetNodeName(server);
                warnings.push_back("the link from " + (isOut ? name : peer) + " to " +
                                   (isOut ? peer : name) + " carries " + FormatGigabits(capacity) +
                                   " of payload, streams ask for " + FormatGigabits(asked));
            }
        }
    }
    return warnings;
}

std::unique_ptr<RunTraffic>
StreamKind::MakeTraffic(const Scenario& scenario, const TrafficContext& context) const
{
    StreamPlan plan = m_plan;
    plan.groups = MakeGroups(scenario);
    const TrafficTimes times = GetTimes();
    plan.start = ToTick(times.start);
    plan.end = ToTick(times.until);
    plan.from = ToTick(times.from);
    plan.until = plan.end - ToTick(m_cooldown);
    plan.seed = GetSeed(scenario);
    return MakeTrafficAtPlace(scenario, [&] {
        return std::make_unique<StreamTraffic>(std::move(plan), context);
    });
}

} // namespace ns3::rdma
