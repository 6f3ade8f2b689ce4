// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_SCENARIO_H
#define RDMA_SCENARIO_H

#include "ns3/data-rate.h"
#include "ns3/ecn-marker.h"
#include "ns3/link-name.h"
#include "ns3/nstime.h"
#include "ns3/topology-kind.h"
#include "ns3/workload-kind.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// Links that have a loss model.
struct LinkLossSpec
{
    std::optional<LinkName> link; ///< Unset: every link.
    bool isForwardOnly{false};    ///< Only what goes from the first node to the second.
    std::string model;            ///< TypeId name.
    std::map<std::string, std::string> attributes; ///< Full name to value.
};

/// Links whose rate is reduced: degraded, but up.
struct LinkRateSpec
{
    std::optional<LinkName> link; ///< Set.
    bool isForwardOnly{false};    ///< Only the direction from the first node to the second.
    DataRate rate;                ///< At most the link's.
};

/// Links with credits, retransmission or both.
struct LinkPolicySpec
{
    std::optional<LinkName> link;    ///< Unset: every link.
    std::optional<uint64_t> credits; ///< Bytes for each class; unset: none.
    bool hasRetry{false};
    std::map<std::string, std::string> attributes; ///< Full name to value.
};

/// NICs of servers and ports of NICs.
struct ServerPortsSpec
{
    uint32_t nicsPerServer{1};
    std::map<std::string, uint32_t>
        nicsOfGroup;         ///< NICs of each server, by group; others have one.
    uint32_t portsPerNic{1}; ///< Planes of the fabric.
};

/// Keys of one traffic class. A value that is not set is that of the fabric.
struct ClassSpec
{
    std::optional<bool> isLossless;
    bool isEcnOff{false};               ///< No rate marks.
    std::map<uint64_t, EcnProfile> ecn; ///< By link rate in bit/s, like the other maps.
    std::string marking;                ///< "enqueue" or "dequeue"; empty: not set.
    std::string markingPolicy;          ///< TypeId name; empty: not set.
    std::optional<uint64_t> reserveBytes;
    std::map<uint64_t, double> bufferAlpha;
    std::map<uint64_t, uint64_t> headroomBytes;
    std::string pool; ///< Of FabricSpec::pools; empty: the memory outside of them.
    std::optional<uint64_t> egressLimitBytes; ///< Of a queue at an egress port.
    std::optional<double> egressAlpha;        ///< The same, relative to the pool's free memory.
    std::optional<uint32_t> weight;           ///< Unset: strict.
    std::optional<uint32_t> level;
};

/// PFC watchdog of the switches. Defaults: SONiC's `pfcwd start_default`.
struct WatchdogSpec
{
    Time detection{MilliSeconds(200)};
    Time restoration{MilliSeconds(200)};
    bool isForwarding{false}; ///< Pauses are ignored in a storm; else frames are dropped.
};

/// A NIC that pauses a class of its switch.
struct PauseStormSpec
{
    uint32_t server{0};
    uint8_t priority{3};
    Time at;
    std::optional<Time> until; ///< Unset: for ever.
};

/// Keys of the switches. Maps are keyed by link rate in bit/s.
struct SwitchSpec
{
    bool isEcnOff{false}; ///< No rate marks.
    std::map<uint64_t, EcnProfile>
        ecn;                 ///< ECN_OFF does not mark. Of a fabric: all rates of the graph.
    std::optional<bool> pfc; ///< Unset: what the NIC preset needs.
    std::map<uint64_t, double> bufferAlpha;     ///< Dynamic threshold factor; unlisted: default.
    std::map<uint64_t, uint64_t> headroomBytes; ///< PFC headroom per priority; unlisted: default.
    std::string admissionPolicy;                ///< TypeId name; empty: the switch's own default.
    std::string markingPolicy;                  ///< Likewise.
    std::string scheduler;                      ///< TypeId name; empty: see FabricConfig.
    std::map<std::string, std::string> attributes; ///< Of the switches and their policies.
    std::map<std::string, uint64_t> pools;         ///< Shared memory of switches by name, bytes.
    std::map<std::string, ClassSpec> classes;      ///< By number, "0" to "7".
    std::optional<WatchdogSpec> watchdog;          ///< Unset: none.
};

/// Keys of the switches that an entry of "nics" has in place of those of the fabric.
struct SwitchChanges : SwitchSpec
{
    std::optional<uint64_t> bufferBytes; ///< Shared buffer of each switch.
};

/// The network, without the NICs.
struct FabricSpec : SwitchSpec
{
    Ptr<const TopologyKind> topology;
    ServerPortsSpec ports;
    std::optional<uint64_t>
        bufferBytes;                  ///< Shared buffer of each switch; CompleteBuffer() sets it.
    bool isEthernetFramed{true};      ///< Count preamble, FCS and gap ("framing": "ethernet").
    uint32_t mtuBytes{1024};          ///< Largest payload of one packet.
    double lossRate{0};               ///< Loss probability of each packet on each link, [0, 1).
    std::vector<LinkLossSpec> losses; ///< Later ones replace earlier ones and the loss rate.
    std::vector<LinkRateSpec> linkRates; ///< Later ones replace earlier ones.
    std::vector<LinkPolicySpec> links;   ///< Later ones replace earlier ones.
    std::string loadBalancer;            ///< TypeId name; empty: the switch's own default.
};

/// State of a link.
enum class LinkState
{
    UP,
    DOWN,      ///< Both ends detect it.
    HALF_OPEN, ///< All from the first node to the second is lost, and neither end detects it.
};

/// A link that fails periodically.
struct FlapSpec
{
    Time period;
    Time down;                 ///< Of each period: how long it has the state of the event.
    std::optional<Time> until; ///< No period begins from then on. Unset: to the end of the run.
};

/// A link whose loss changes linearly, in both directions.
struct LossGrowthSpec
{
    double from{0}; ///< Probability that a frame is lost.
    double to{0};
    Time over;
};

/// Links change while the simulation runs.
struct LinkEvent
{
    Time at;
    std::optional<LinkName> link; ///< All that it names change together. Unset: there is a switch.
    std::optional<uint32_t> node; ///< A switch, all of whose links change.
    std::optional<LinkState> state;     ///< Unset: there is a loss.
    std::optional<LossGrowthSpec> loss; ///< Their states stay.
    std::optional<FlapSpec> flap;
    Time routesAfter; ///< Time from the change until the switches' routes follow it.

    bool Matches(const TopologyGraph& graph, const GraphLink& one) const
    {
        return node ? one.a == *node || one.b == *node : link->Matches(graph, one);
    }
};

/// Servers with a name: node ids, rising. No server is in two groups.
using ServerGroups = std::map<std::string, std::vector<uint32_t>>;

/// One NIC design, with everything that was said about it merged.
struct DesignSpec
{
    std::string preset;          ///< A name known to FindNicPreset().
    bool isHardwareTimed{false}; ///< The preset's hardware attributes are among those below.

    /**
     * Full attribute name to value, complete: the preset's, overridden by the scenario-wide
     * "attributes", overridden by the NIC's own, its "congestionControl" and "lossDetector" among
     * them.
     */
    std::map<std::string, std::string> attributes;
};

/// A load balancer of its own of an entry of "nics".
struct LoadBalancerSpec
{
    std::string type;                              ///< TypeId name; empty: the fabric's.
    std::map<std::string, std::string> attributes; ///< By full name.
};

/// An entry of "nics": what one run has. The base is the design of servers that are in none of its
/// groups; of most entries, of all servers.
struct NicSpec : DesignSpec
{
    std::string name;                         ///< Names the result folder.
    std::string path;                         ///< "$.nics[0]", for messages.
    std::map<std::string, DesignSpec> groups; ///< By name of a group of the scenario.
    LoadBalancerSpec loadBalancer;
    std::optional<SwitchChanges> fabric;

    /// @return whether there is a design for servers that are in none of the groups.
    bool HasDefault() const
    {
        return !preset.empty();
    }
};

/// A slot in which the payload of flows passes a service (ServiceSlots).
struct SlotSpec
{
    bool isSent{false};     ///< On transmit; else on receive.
    bool isParallel{false}; ///< On a copy; else in the stream.
};

/// A kernel on a NIC.
struct KernelSpec
{
    std::string type;                              ///< TypeId name.
    std::map<std::string, std::string> attributes; ///< Full name to value.
    std::vector<SlotSpec> slots; ///< In the order in which queue pairs are attached; none: it is
                                 ///< called by requests only.
    std::string peers;           ///< Group: only flows with its servers; empty: all flows.
};

/// Kernels of the NICs of a group's servers, by its name.
using KernelsOfGroups = std::map<std::string, std::vector<KernelSpec>>;

/// Ports whose time series are written: those of a group's servers, else those of a node.
struct SeriesPortSpec
{
    std::string group;            ///< Empty: the node counts.
    uint32_t node{0};             ///< Node id.
    std::optional<uint32_t> peer; ///< Only those that lead to this node.
};

/// Flows whose time series are written.
struct SeriesFlowSpec
{
    std::vector<uint64_t> numbers;      ///< In the run (flow_number).
    std::vector<std::string> groups;    ///< Of the senders.
    std::vector<std::string> workloads; ///< Names.
};

/// Time series that a run writes beside its results, which do not depend on them.
struct SeriesSpec
{
    Time interval{MicroSeconds(10)}; ///< Of simulated time, between two samples.
    std::vector<std::string> what;   ///< Names of series: "queue", "port" and so on.
    std::optional<std::vector<SeriesPortSpec>> ports; ///< Unset: all.
    std::optional<SeriesFlowSpec> flows;              ///< Unset: all.
};

/// How the simulation itself is run.
struct RunSpec
{
    uint64_t seed{1};
    bool drain{true}; ///< Run until all flows are done; else stop when the workload's time is over.
    Time stallLimit{Seconds(1)}; ///< The run ends when no flow progresses for this simulated time.
    Time fluidStart;             ///< Flows are a fluid before this time.
    double precision{0}; ///< The run ends when the mean slowdown is known so well; 0: it does not.
    Time warmup;         ///< precision: from fluidStart on, not measured.
};

/// A scenario with all defaults filled in, checked, ready to run once per NIC.
struct Scenario
{
    std::string file;          ///< The scenario file as the user named it, for messages.
    std::string name;          ///< Names the result folder: one plain path component.
    std::string baseDirectory; ///< Folder of the scenario file; relative paths start here.
    FabricSpec fabric;
    ServerGroups groups;
    std::vector<LinkEvent> linkEvents;             ///< In the order of the file.
    std::vector<PauseStormSpec> pauseStorms;       ///< NICs that pause their switch.
    std::vector<NicSpec> nics;                     ///< In the order of the file, names unique.
    std::map<std::string, std::string> attributes; ///< For all NICs; merged into each of them.
    KernelsOfGroups kernels;
    /// In the order of the file. One without a name: the key "workload".
    std::vector<Ptr<const WorkloadKind>> workloads;
    RunSpec run;
    std::optional<SeriesSpec> series; ///< Unset: none.
    std::vector<std::string> plugins; ///< File names, without folder, of the plug-ins of --plugin.
    std::vector<std::string> ownPlugins; ///< Paths of the key "plugins", as the file has them.
};

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_H
