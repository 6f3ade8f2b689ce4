// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/fabric-classes.h"

#include <iterator>
#include <string>

namespace ns3::rdma
{

std::optional<ClassTable>
MakeClassTable(const FabricSpec& fabric)
{
    if (fabric.classes.empty())
    {
        return std::nullopt;
    }
    ClassTable table;
    for (const auto& [number, spec] : fabric.classes)
    {
        ClassSettings& settings = table.at(std::stoul(number));
        settings.isLossless = spec.isLossless;
        settings.reserveBytes = spec.reserveBytes;
        settings.isUnmarked = spec.isEcnOff;
        settings.ecn = spec.ecn;
        settings.alpha = spec.bufferAlpha;
        settings.headroom = spec.headroomBytes;
        settings.egressLimitBytes = spec.egressLimitBytes;
        settings.egressAlpha = spec.egressAlpha;
        if (const auto pool = fabric.pools.find(spec.pool); pool != fabric.pools.end())
        {
            settings.pool = static_cast<uint32_t>(std::distance(fabric.pools.begin(), pool));
        }
        if (!spec.marking.empty())
        {
            settings.markingPoint =
                spec.marking == "enqueue" ? MarkingPoint::ENQUEUE : MarkingPoint::DEQUEUE;
        }
        if (!spec.markingPolicy.empty())
        {
            settings.markingPolicy = TypeId::LookupByName(spec.markingPolicy);
        }
    }
    return table;
}

std::optional<PortSchedule>
MakeSchedule(const FabricSpec& fabric)
{
    PortSchedule schedule;
    bool isStrict = true;
    for (const auto& [number, spec] : fabric.classes)
    {
        ClassSchedule& place = schedule.classes.at(std::stoul(number));
        place.weight = spec.weight.value_or(0);
        place.level = static_cast<uint8_t>(spec.level.value_or(place.level));
        isStrict = isStrict && !spec.weight && !spec.level;
    }
    return isStrict ? std::nullopt : std::make_optional(schedule);
}

PfcWatchdogConfig
MakeWatchdogConfig(const WatchdogSpec& spec)
{
    return {ToTick(spec.detection), ToTick(spec.restoration), spec.isForwarding};
}

} // namespace ns3::rdma
