// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-kind.h"

#include "ns3/header-sizes.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/region-layout.h"
#include "ns3/scenario.h"
#include "ns3/stream-check.h"
#include "ns3/stream-starts.h"
#include "ns3/stream-traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(StreamKind);

namespace
{
constexpr int MAX_QUEUE{1 << 20};
constexpr uint32_t SHARED_QUEUE{2000}; ///< Thesis, Table B.1.

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

StreamKind::StreamKind()
{
    m_plan.settings.measureInterval = ToTick(MilliSeconds(10)); // Thesis, chapter 5.
}

void
StreamKind::Visit(Keys& keys)
{
    VisitPattern(keys);
    VisitPrograms(keys);
    VisitQueues(keys);
    VisitPolling(keys);
    VisitTimes(keys);
    VisitMeasuring(keys);
}

void
StreamKind::VisitPrograms(Keys& keys)
{
    static constexpr std::array<std::pair<const char*, Service>, 2> SERVICES{
        {{"UC", Service::UC}, {"RC", Service::RC}}};
    static constexpr std::array<std::pair<const char*, MemoryKind>, 2> MEMORIES{
        {{"host", MemoryKind::HOST}, {"gpu", MemoryKind::GPU}}};
    StreamSettings& settings = m_plan.settings;
    keys.Choice("service", settings.service, SERVICES, "service of the WRITEs with immediate data");
    keys.Count("linked", settings.linked, "work requests of a list, and blocks of a region")
        .Between(1U, RegionLayout::MAX_BLOCKS);
    keys.Count("regions", settings.regions, "memory regions of each queue pair")
        .Between(1U, RegionLayout::MAX_REGIONS);
    keys.Flag("solicited",
              settings.isSolicited,
              "whether receivers are woken by the last message of each list alone");
    keys.Choice("memory", m_plan.memory, MEMORIES, "memory of the receivers' regions");
    const auto hasCopy = [](const StreamSettings& said) {
        return said.copyTime > 0 || said.copyRate.GetBitRate() > 0;
    };
    keys.Object(
            "copy",
            settings,
            hasCopy(settings),
            [hasCopy](Keys& copy, StreamSettings& said) {
                copy.Time("time", said.copyTime, "core time for each message")
                    .OmitIf(said.copyTime == 0)
                    .Otherwise("none");
                copy.Rate("rate", said.copyRate, "rate of the copy")
                    .OmitIf(said.copyRate.GetBitRate() == 0)
                    .Otherwise("bytes take no time");
                copy.Check(hasCopy(said), "rate", "\"time\", \"rate\" or both");
            },
            "copy of each message by the receiving program")
        .OnlyIf(m_plan.memory != MemoryKind::GPU,
                "no such key if memory is \"gpu\": the NIC writes to it");
}

void
StreamKind::VisitQueues(Keys& keys)
{
    StreamSettings& settings = m_plan.settings;
    keys.Flag("sharedReceiveQueue",
              m_plan.isReceiveQueueShared,
              "one receive queue, completion queue and thread for all queue pairs of a receiver");
    keys.Count("sendQueue", settings.sendQueue, "requests that a send queue holds")
        .Between(1, MAX_QUEUE);
    keys.Count("receiveQueue",
               settings.receiveQueue,
               m_plan.isReceiveQueueShared ? SHARED_QUEUE : StreamSettings().receiveQueue,
               "requests that a receive queue holds")
        .Between(1, MAX_QUEUE)
        .Otherwise("1000; shared 2000");
    keys.Count("signaledEvery", settings.signaledEvery, "messages for each send completion")
        .Between(1, MAX_QUEUE);
    keys.Flag("refill", settings.isRefilled, "whether receivers post receive requests again");
    const std::string linked = std::to_string(settings.linked) + " linked requests";
    keys.Check(settings.receiveQueue >= settings.linked,
               keys.Has("receiveQueue") ? "receiveQueue" : "linked",
               "a receive queue that holds a list of " + linked);
    // Else a sender might wait for a completion that none of the posted requests makes.
    keys.Check(settings.sendQueue >= settings.linked + settings.signaledEvery - 1,
               keys.Has("signaledEvery") ? "signaledEvery"
               : keys.Has("sendQueue")   ? "sendQueue"
                                         : "linked",
               "a send queue of at least " + linked + " and " +
                   std::to_string(settings.signaledEvery - 1) + " that are not signaled");
}

void
StreamKind::VisitPolling(Keys& keys)
{
    static constexpr std::array<std::pair<const char*, PollingMode>, 4> MODES{
        {{"event", PollingMode::EVENT},
         {"busy", PollingMode::BUSY},
         {"interval", PollingMode::INTERVAL},
         {"event-once", PollingMode::EVENT_ONCE}}};
    StreamSettings& settings = m_plan.settings;
    keys.Choice("polling", settings.polling, MODES, "how threads detect completions");
    const bool isInterval = settings.polling == PollingMode::INTERVAL;
    keys.Time("pollInterval", settings.pollInterval, "time between two polls")
        .Positive()
        .RequiredIf(isInterval)
        .OnlyIf(isInterval, "no such key unless polling is \"interval\"")
        .Otherwise("none");
}

void
StreamKind::VisitMeasuring(Keys& keys)
{
    const Time duration = *GetDuration();
    keys.Time("cooldown", m_cooldown, "time at its end that is not measured");
    keys.Check(GetWarmup() + m_cooldown < duration,
               "cooldown",
               "a time that leaves some between warm-up and cool-down");
    const TrafficTimes times = GetTimes();
    keys.Check(times.from + m_cooldown < times.until, "end", "a time after warm-up and cool-down");
    const Time measured = duration - GetWarmup() - m_cooldown;
    keys.Time("sampleInterval",
              m_sampleInterval,
              ToTime(std::max<Tick>(ToTick(measured) / 10, 1)), // Our choice.
              "time between two rows of samples.csv")
        .Positive()
        .Otherwise("a tenth of the measured time");
    keys.Check(m_sampleInterval <= measured,
               "sampleInterval",
               "at most the time between warm-up and cool-down, " + FormatTime(measured));
    keys.Time("deadline",
              m_plan.deadline,
              "time from when a message of a stream with a rate is due until it is late")
        .Positive()
        .OmitIf(m_plan.deadline == 0)
        .Otherwise("none");
    keys.Check(m_plan.deadline < ToTick(duration), "deadline", "a time below the duration");
    keys.Time("measureInterval",
              m_plan.settings.measureInterval,
              "time between two measurements of a thread by itself; 0: none");
    keys.Time("startInterval",
              m_plan.startInterval,
              "time between the starts of two senders of a server")
        .Otherwise("1us; with a rate the time between two lists of a queue pair, divided by the "
                   "senders of the server");
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
    return nullptr;
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
    plan.sampleInterval = ToTick(m_sampleInterval);
    plan.seed = GetSeed(scenario);
    return MakeTrafficAtPlace(scenario, [&] {
        return std::make_unique<StreamTraffic>(std::move(plan), context);
    });
}

} // namespace ns3::rdma
