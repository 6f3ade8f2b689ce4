// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"

#include "ns3/server-ports.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_COUNT{65536};

} // namespace

std::string
ReadForm(const JsonValue& fabric, const std::vector<ShapeForm>& forms)
{
    const ShapeForm* used = nullptr;
    std::string names;
    for (const ShapeForm& form : forms)
    {
        names += (names.empty() ? "" : ", ") + form.key;
        if (!fabric.Find(form.key))
        {
            continue;
        }
        if (used)
        {
            fabric.Get(form.key).Fail("no " + form.key + " beside " + used->key);
        }
        used = &form;
    }
    if (!used)
    {
        fabric.Fail("one of the keys " + names, "none");
    }
    for (const ShapeForm& form : forms)
    {
        for (const std::string& detail : form.details)
        {
            if (&form != used && fabric.Find(detail))
            {
                fabric.Get(detail).Fail("no " + detail + " beside " + used->key);
            }
        }
    }
    return used->key;
}

uint32_t
ReadCount(const JsonValue& fabric, const char* key)
{
    return static_cast<uint32_t>(fabric.Get(key).GetWhole(1, MAX_COUNT));
}

uint32_t
ReadCountOr(const JsonValue& fabric, const char* key, uint32_t least, uint32_t otherwise)
{
    const auto value = fabric.Find(key);
    return value ? static_cast<uint32_t>(value->GetWhole(least, MAX_COUNT)) : otherwise;
}

void
CheckShare(const JsonValue& fabric,
           const char* key,
           uint32_t count,
           const char* otherKey,
           uint32_t other)
{
    if (count % other != 0)
    {
        fabric.Get(key).Fail("a multiple of " + std::string(otherKey) + ", " +
                             std::to_string(other));
    }
}

std::optional<double>
ReadOversubscription(const JsonValue& fabric, const std::vector<std::string>& rates)
{
    constexpr double LEAST{0.01};
    constexpr double MOST{1000};
    const auto value = fabric.Find("oversubscription");
    if (!value)
    {
        return std::nullopt;
    }
    const double ratio = value->GetNumber();
    if (!(ratio >= LEAST && ratio <= MOST))
    {
        value->Fail("a ratio from 0.01 to 1000");
    }
    for (const std::string& key : rates)
    {
        if (const auto rate = fabric.Find(key))
        {
            rate->Fail("no " + key + " beside oversubscription, which gives it");
        }
    }
    return ratio;
}

uint32_t
ReadPlanes(const JsonValue& fabric)
{
    const auto planes = fabric.Find("planes");
    return planes ? static_cast<uint32_t>(planes->GetWhole(1, ServerPorts::MAX_PORTS)) : 1;
}

void
WritePlanes(uint32_t planes, nlohmann::ordered_json& fabric)
{
    if (planes > 1)
    {
        fabric["planes"] = planes;
    }
}

void
CheckOwnNics(const JsonValue& fabric)
{
    for (const std::string key : {"nicsPerServer", "portsPerNic"})
    {
        if (const auto value = fabric.Find(key))
        {
            value->Fail("no " + key + " beside a topology that gives servers their NICs");
        }
    }
}

Time
ReadDelayOr(const JsonValue& fabric, const char* key, Time otherwise)
{
    const auto value = fabric.Find(key);
    return value ? value->GetTime() : otherwise;
}

} // namespace ns3::rdma
