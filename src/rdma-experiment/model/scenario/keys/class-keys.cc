// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/class-keys.h"

#include "ns3/frame.h"
#include "ns3/rate-map-keys.h"
#include "ns3/shared-buffer.h"

#include <array>
#include <string>

namespace ns3::rdma
{

namespace
{

/// As SONiC's DWRR weights.
constexpr uint32_t MAX_WEIGHT{100};

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
    keys.Count("weight", spec.weight, "share of the port among the classes with a weight")
        .Between(uint64_t{1}, uint64_t{MAX_WEIGHT})
        .Otherwise("none: strict priority");
    keys.Count("level", spec.level, "classes of higher levels are served before")
        .AtMost(uint64_t{PRIORITIES - 1})
        .Otherwise("the number of the class; all classes with a weight are on the highest of "
                   "their levels");
}

} // namespace

void
VisitClass(Keys& keys, const char* number, ClassSpec& spec)
{
    keys.Check(IsClassNumber(number), number, "the number of a class, \"0\" to \"7\"", number);
    keys.Object(number, spec, true, VisitClassKeys, "settings of the class");
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
