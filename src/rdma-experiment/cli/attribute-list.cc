// SPDX-License-Identifier: GPL-2.0-only

#include "attribute-list.h"

#include "ns3/data-rate.h"
#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/quantity.h"
#include "ns3/tick.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

const std::string PREFIX{"ns3::rdma::"};

/// The default as a scenario would write it.
std::string
FormatDefault(const TypeId::AttributeInformation& attribute)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatTime(time->Get());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatRate(rate->Get());
    }
    return attribute.initialValue->SerializeToString(attribute.checker);
}

/// @return the largest value of an unsigned type, as ns-3 writes it; empty for others.
std::string
GetLimit(const std::string& type)
{
    static const std::map<std::string, uint64_t> limits{
        {"uint8_t", std::numeric_limits<uint8_t>::max()},
        {"uint16_t", std::numeric_limits<uint16_t>::max()},
        {"uint32_t", std::numeric_limits<uint32_t>::max()},
        {"uint64_t", std::numeric_limits<uint64_t>::max()}};
    const auto limit = limits.find(type);
    return limit == limits.end() ? "" : std::to_string(limit->second);
}

/// @return "1 to 64", "from 1", or nothing where the type alone sets the bounds.
std::string
FormatBounds(const AttributeChecker& checker)
{
    // "uint32_t 1:64", "Time +1ns:+1e+06ns"; but also "ns3::Ptr< ns3::rdma::GoBackN >".
    const std::string info = checker.GetUnderlyingTypeInformation();
    const std::size_t space = info.find(' ');
    const std::size_t colon = info.find(':', space);
    if (colon == std::string::npos || dynamic_cast<const PointerChecker*>(&checker))
    {
        return "";
    }
    std::string low = info.substr(space + 1, colon - space - 1);
    std::string high = info.substr(colon + 1);
    bool isOpen = high == GetLimit(info.substr(0, space));
    if (info.compare(0, space, "Time") == 0)
    {
        constexpr double ALMOST{0.999};
        isOpen = high == std::to_string(TICK_NEVER) + "ps" || Time(high) > ALMOST * Time::Max();
        low = Time(low).IsZero() ? "0" : FormatTime(Time(low));
        high = isOpen ? "" : FormatTime(Time(high));
    }
    if (isOpen)
    {
        return low == "0" ? "" : "from " + low;
    }
    return low + " to " + high;
}

/// @return the name of a class of values without "ns3::" and "Value".
std::string
ShortenValueType(std::string name)
{
    const std::string prefix = "ns3::";
    const std::string suffix = "Value";
    name = name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
    return name.substr(0, name.rfind(suffix));
}

} // namespace

std::vector<TypeId>
FindOurTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind("ns3::rdma::", 0) == 0)
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

AttributeList::AttributeList()
{
    for (const TypeId& type : FindOurTypes())
    {
        AddType(type);
    }
}

AttributeList::AttributeList(const std::vector<std::string>& names)
{
    const std::vector<Row> all = std::move(AttributeList().m_rows);
    for (const std::string& name : names)
    {
        AddSelected(all, name);
    }
}

void
AttributeList::AddType(const TypeId& type)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        m_rows.push_back({type.GetName(),
                          attribute.name,
                          attribute.checker->GetValueTypeName(),
                          FormatDefault(attribute),
                          FormatBounds(*attribute.checker),
                          attribute.help});
    }
}

void
AttributeList::AddSelected(const std::vector<Row>& all, const std::string& name)
{
    const std::string full = name.rfind(PREFIX, 0) == 0 ? name : PREFIX + name;
    std::vector<std::string> known;
    bool isKnown = false;
    for (const Row& row : all)
    {
        if (row.type == full || row.type + "::" + row.name == full)
        {
            m_rows.push_back(row);
            isKnown = true;
        }
        const std::string type = row.type.substr(PREFIX.size());
        if (known.empty() || known.back().rfind(type + "::", 0) != 0)
        {
            known.push_back(type);
        }
        known.push_back(type + "::" + row.name);
    }
    if (!isKnown)
    {
        throw InputError("list attributes: expected a class or attribute (" +
                         DescribeNearest(full.substr(PREFIX.size()), known) + "), got \"" + name +
                         "\"");
    }
}

void
AttributeList::WriteText(std::ostream& out) const
{
    for (const Row& row : m_rows)
    {
        out << row.type << "::" << row.name << " = " << row.initial << " (" << row.valueType
            << (row.bounds.empty() ? "" : ", " + row.bounds) << "): " << row.help << '\n';
    }
}

void
AttributeList::WriteJson(std::ostream& out) const
{
    auto array = nlohmann::ordered_json::array();
    for (const Row& row : m_rows)
    {
        array.push_back({{"type", row.type},
                         {"name", row.name},
                         {"value", ShortenValueType(row.valueType)},
                         {"default", row.initial},
                         {"bounds", row.bounds},
                         {"help", row.help}});
    }
    out << array.dump(2) << '\n';
}

} // namespace ns3::rdma
