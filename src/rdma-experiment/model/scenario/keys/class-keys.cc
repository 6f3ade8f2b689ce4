// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/class-keys.h"

#include "ns3/frame.h"
#include "ns3/rate-map-keys.h"
#include "ns3/run-design.h"
#include "ns3/shared-buffer.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace ns3::rdma
{

namespace
{
/// 2^7: the largest dynamic_th of SONiC's sonic-buffer-profile.yang is 7.
constexpr double MAX_EGRESS_ALPHA{128};

/// As SONiC's DWRR weights.
constexpr uint32_t MAX_WEIGHT{100};

/// 1 TiB: above the memory of any switch, and a sum of eight does not overflow.
constexpr uint64_t MAX_POOL{uint64_t{1} << 40};

constexpr const char* FABRICS{"that of the fabric"};

bool
IsClassNumber(const std::string& name)
{
    return name.size() == 1 && name[0] >= '0' && name[0] < static_cast<char>('0' + PRIORITIES);
}

void
VisitClassKeys(Keys& keys, ClassSpec& spec)
{
    keys.Flag("lossless", spec.isLossless, "pauses its senders if \"pfc\" is true")
        .Otherwise("true for class 3 (FabricSwitch::LosslessPriorities)");
    const bool mayReserve = spec.isLossless.value_or(true);
    VisitEcn(keys, spec.isEcnOff, spec.ecn, FABRICS);
    keys.Choice("marking",
                spec.marking,
                {"enqueue", "dequeue"},
                "by the queue that a frame finds, or by the queue that it leaves behind")
        .Otherwise(FABRICS);
    keys.Type("markingPolicy",
              spec.markingPolicy,
              "ns3::rdma::MarkingPolicy",
              "which packets of the class get CE")
        .Otherwise(FABRICS);
    keys.Check(spec.marking.empty() || spec.markingPolicy.empty() ||
                   spec.markingPolicy == "ns3::rdma::RedMarking",
               "marking",
               "no such key unless the markingPolicy is ns3::rdma::RedMarking");
    keys.Bytes("reserve", spec.reserveBytes, "memory of each ingress queue of a switch")
        .WithUnit()
        .AtLeast(0)
        .AtMost(SharedBuffer::MAX_SET_ASIDE)
        .Otherwise("FabricSwitch::QueueReserve if lossless, else 0");
    VisitBufferShares(keys, spec.bufferAlpha, spec.headroomBytes)
        .OnlyIf(mayReserve, "no such key unless lossless is true");
    keys.Text("pool", spec.pool, "pool of \"pools\" whose memory the class shares")
        .Otherwise("the memory outside of all pools");
    keys.Bytes("egressLimit",
               spec.egressLimitBytes,
               "longest queue of the class at a port of a switch; later frames are dropped")
        .WithUnit()
        .AtLeast(1)
        .AtMost(uint64_t{UINT32_MAX})
        .Otherwise("none");
    keys.Number("egressAlpha",
                spec.egressAlpha,
                "the same as a factor of the free memory of the class's pool")
        .Above(0)
        .AtMost(MAX_EGRESS_ALPHA)
        .OnlyIf(!spec.egressLimitBytes, "no such key beside egressLimit")
        .Otherwise("none");
    keys.Count("weight", spec.weight, "share of the port among the classes with a weight")
        .Between(uint64_t{1}, uint64_t{MAX_WEIGHT})
        .Otherwise("none: strict priority");
    keys.Count("level", spec.level, "classes of higher levels are served before")
        .AtMost(uint64_t{PRIORITIES - 1})
        .Otherwise("the number of the class; all classes with a weight are on the highest of "
                   "their levels");
}

/// @return whether a policy marks at the point that "marking" names.
/// @param policy TypeId name; empty: RedMarking
bool
HasMarkingPoint(const std::string& policy)
{
    TypeId::AttributeInformation info;
    return policy.empty() || TypeId::LookupByName(policy).LookupAttributeByName("AtEnqueue", &info);
}

/// A key of a class that its marking policy does not use.
[[noreturn]] void
FailMarking(const JsonValue& settings,
            const char* key,
            const std::string& policy,
            const NicSpec& nic)
{
    const JsonValue value = settings.Get(key);
    const bool isOwn = settings.Find("markingPolicy").has_value();
    value.Fail(std::string("no such key under \"markingPolicy\": \"") + policy + '"' +
               (isOwn ? "" : " of the switches (NIC " + nic.name + ')') +
               "; a class whose \"markingPolicy\" is \"ns3::rdma::RedMarking\" uses it");
}

/// @return the value of "fabric" of an entry of "nics", which has one.
JsonValue
FindOwnFabric(const JsonValue& root, const NicSpec& nic)
{
    const std::vector<JsonValue> entries = root.Get("nics").GetElements();
    const auto entry = std::find_if(entries.begin(), entries.end(), [&nic](const auto& one) {
        return one.GetPath() == nic.path;
    });
    return entry->Get("fabric");
}

} // namespace

void
CheckOwnEcn(const JsonValue& root, const Scenario& scenario)
{
    for (const NicSpec& nic : scenario.nics)
    {
        if (nic.fabric && HasThresholds(nic.fabric->ecn) && !UsesEcn(ResolveFabric(scenario, nic)))
        {
            FindOwnFabric(root, nic).Get("ecn").Fail(
                "no thresholds under a marking policy that has its own (NIC " + nic.name + ')');
        }
    }
}

void
CheckClassMarkings(const JsonValue& root, const Scenario& scenario)
{
    for (const NicSpec& nic : scenario.nics)
    {
        const FabricSpec resolved = ResolveFabric(scenario, nic);
        const std::string& common = resolved.markingPolicy;
        const bool isOwn = nic.fabric && !nic.fabric->classes.empty();
        for (const auto& [number, spec] : resolved.classes)
        {
            const std::string& policy = spec.markingPolicy.empty() ? common : spec.markingPolicy;
            const JsonValue fabric = isOwn ? FindOwnFabric(root, nic) : root.Get("fabric");
            const JsonValue settings = fabric.Get("classes").Get(number);
            if (HasOwnThresholds(policy) && HasThresholds(spec.ecn))
            {
                FailMarking(settings, "ecn", policy, nic);
            }
            if (!spec.marking.empty() && !HasMarkingPoint(policy))
            {
                FailMarking(settings, "marking", policy, nic);
            }
        }
    }
}

void
VisitClass(Keys& keys, const char* number, ClassSpec& spec)
{
    keys.Check(IsClassNumber(number), number, "the number of a class, \"0\" to \"7\"", number);
    keys.Object(number, spec, true, VisitClassKeys, "settings of the class");
}

void
VisitPool(Keys& keys, const char* name, uint64_t& bytes)
{
    keys.Check(name[0] != '\0', name, "a pool with a name", "\"\"");
    keys.Size(name, bytes, "shared memory of the pool in each switch").AtLeast(1).AtMost(MAX_POOL);
}

void
CheckPools(const JsonValue& fabric, const SwitchSpec& spec)
{
    std::set<std::string> unused;
    for (const auto& [name, bytes] : spec.pools)
    {
        unused.insert(name);
    }
    for (const auto& [number, settings] : spec.classes)
    {
        if (!settings.pool.empty() && spec.pools.count(settings.pool) == 0)
        {
            fabric.Get("classes").Get(number).Get("pool").Fail("the name of a pool of \"pools\"");
        }
        unused.erase(settings.pool);
    }
    if (!unused.empty())
    {
        fabric.Get("pools")
            .Get(*unused.begin())
            .Fail("a pool that a class of \"classes\" has as \"pool\"", "one that none has");
    }
}

void
VisitWatchdog(Keys& keys, WatchdogSpec& spec)
{
    static constexpr std::array<std::pair<const char*, bool>, 2> ACTIONS{
        {{"drop", false}, {"forward", true}}};
    keys.Time("detection", spec.detection, "pause without interruption that is a storm").Positive();
    keys.Time("restoration", spec.restoration, "time without pause frames that ends a storm")
        .Positive();
    keys.Choice("action",
                spec.isForwarding,
                ACTIONS,
                "drop the frames of a storm, or ignore the pauses");
}

} // namespace ns3::rdma
