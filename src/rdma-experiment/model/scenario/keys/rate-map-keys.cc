// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/rate-map-keys.h"

#include "ns3/quantity.h"
#include "ns3/scenario.h"

#include <nlohmann/json.hpp>
#include <set>

namespace ns3::rdma
{

void
ForEachRate(const JsonValue& value, const std::function<void(uint64_t, const JsonValue&)>& read)
{
    std::set<uint64_t> seen;
    for (const auto& [key, member] : value.GetMembers())
    {
        const auto rate = ParseRate(key);
        if (!rate || rate->GetBitRate() == 0)
        {
            member.Fail("a link rate above zero such as \"100Gbps\" as the key", '"' + key + '"');
        }
        if (!seen.insert(rate->GetBitRate()).second)
        {
            member.Fail("each link rate once", '"' + key + "\" again in another form");
        }
        read(rate->GetBitRate(), member);
    }
}

namespace
{

using RateJson = nlohmann::ordered_json; ///< Keys keep the order in which they are written.

EcnProfile
ReadEcnProfile(const JsonValue& value)
{
    value.ExpectKeys({"kmin", "kmax", "pmax"});
    EcnProfile ecn{};
    ecn.kminBytes = value.Get("kmin").GetBytes();
    ecn.kmaxBytes = value.Get("kmax").GetBytes();
    if (ecn.kmaxBytes < ecn.kminBytes)
    {
        value.Get("kmax").Fail("at least kmin, " + FormatBytes(ecn.kminBytes));
    }
    const JsonValue pmax = value.Get("pmax");
    ecn.pmax = pmax.GetNumber();
    if (ecn.pmax < 0 || ecn.pmax > 1)
    {
        pmax.Fail("a probability from 0 to 1");
    }
    return ecn;
}

bool
IsOff(const JsonValue& value)
{
    return value.IsString() && value.GetString() == "off";
}

/// A key whose value gives one for each of some link rates.
/// @param read (const JsonValue&) returns T @param write (const T&) returns JSON
template <typename T, typename Read, typename Write>
Key
VisitRates(Keys& keys,
           const char* name,
           std::map<uint64_t, T>& map,
           Read read,
           Write write,
           const char* meaning)
{
    const auto readAll = [&map, read](const JsonValue& value, const KeySpec&) {
        ForEachRate(value, [&map, read](uint64_t rate, const JsonValue& member) {
            map[rate] = read(member);
        });
    };
    const auto writeAll = [&map, write](const KeySpec&) {
        RateJson json;
        for (const auto& [rate, value] : map)
        {
            json[FormatRate(DataRate(rate))] = write(value);
        }
        return json;
    };
    return keys.Other(name, {readAll, writeAll}, meaning);
}

RateJson
WriteEcn(const EcnProfile& ecn)
{
    if (ecn.kminBytes == ECN_OFF.kminBytes)
    {
        return "off";
    }
    return {{"kmin", FormatBytes(ecn.kminBytes)},
            {"kmax", FormatBytes(ecn.kmaxBytes)},
            {"pmax", ecn.pmax}};
}

EcnProfile
ReadEcn(const JsonValue& value)
{
    if (!value.IsObject() && !IsOff(value))
    {
        value.Fail("\"off\" or an object with kmin, kmax and pmax");
    }
    return IsOff(value) ? ECN_OFF : ReadEcnProfile(value);
}

double
ReadAlpha(const JsonValue& value)
{
    const double alpha = value.GetNumber();
    if (alpha <= 0 || alpha > MAX_ALPHA)
    {
        value.Fail("a factor above zero, at most 1048576");
    }
    return alpha;
}

} // namespace

void
VisitEcn(Keys& keys, bool& isOff, std::map<uint64_t, EcnProfile>& ecn, const char* otherwise)
{
    const auto read = [&isOff, &ecn](const JsonValue& value, const KeySpec&) {
        isOff = IsOff(value);
        if (isOff)
        {
            return; // CompleteEcn() sees to the rates of the graph.
        }
        if (!value.IsObject())
        {
            value.Fail("\"off\" or thresholds by link rate");
        }
        ForEachRate(value, [&ecn](uint64_t rate, const JsonValue& member) {
            ecn[rate] = ReadEcn(member);
        });
    };
    const auto write = [&isOff, &ecn](const KeySpec&) {
        RateJson json = isOff && ecn.empty() ? RateJson("off") : RateJson();
        for (const auto& [rate, profile] : ecn)
        {
            json[FormatRate(DataRate(rate))] = WriteEcn(profile);
        }
        return json;
    };
    keys.Other("ecn",
               {read, write},
               "\"off\", or an object with \"off\" or {\"kmin\", \"kmax\", \"pmax\"} for each "
               "link rate")
        .Shape(R"({"anyOf": [{"const": "off"}, {"type": "object", "additionalProperties":
                   {"anyOf": [{"const": "off"}, {"type": "object", "properties":
                     {"kmin": {"type": "string"}, "kmax": {"type": "string"},
                      "pmax": {"type": "number", "minimum": 0, "maximum": 1}},
                    "required": ["kmin", "kmax", "pmax"], "additionalProperties": false}]}}]})")
        .Otherwise(otherwise);
}

Key
VisitBufferShares(Keys& keys,
                  std::map<uint64_t, double>& alpha,
                  std::map<uint64_t, uint64_t>& headroomBytes)
{
    VisitRates(
        keys,
        "bufferAlpha",
        alpha,
        ReadAlpha,
        [](double factor) { return RateJson(factor); },
        "factor of the dynamic buffer threshold, by link rate")
        .Shape(R"({"type": "object",
                   "additionalProperties": {"type": "number", "exclusiveMinimum": 0, "maximum": 128}})");
    Key headroom = VisitRates(
        keys,
        "headroom",
        headroomBytes,
        [](const JsonValue& value) { return value.GetBytes(); },
        [](uint64_t bytes) { return RateJson(FormatBytes(bytes)); },
        "PFC headroom of a priority, by link rate; if given, set aside without PFC, too");
    headroom.Shape(R"({"type": "object", "additionalProperties": {"type": "string"}})");
    return headroom;
}

} // namespace ns3::rdma
