// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dscp-map.h"

#include "ns3/abort.h"
#include "ns3/bounded-checker.h"
#include "ns3/string.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// @return a number of one or two digits below a bound; unset: it is malformed.
std::optional<uint8_t>
ReadDigits(std::string_view text, uint32_t bound)
{
    uint32_t number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isRead = result.ec == std::errc() && result.ptr == text.data() + text.size();
    return isRead && number < bound ? std::optional(static_cast<uint8_t>(number)) : std::nullopt;
}

/// @return the DSCP and the priority of "26:3"; unset: it is malformed.
std::optional<std::pair<uint8_t, uint8_t>>
ReadPair(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
    {
        return std::nullopt;
    }
    const auto dscp = ReadDigits(text.substr(0, colon), DSCPS);
    const auto priority = ReadDigits(text.substr(colon + 1), PRIORITIES);
    return dscp && priority ? std::optional(std::pair{*dscp, *priority}) : std::nullopt;
}

class DscpMapChecker : public BoundedChecker
{
  public:
    DscpMapChecker()
        : BoundedChecker(MakeStringChecker(),
                         "DSCPs from 0 to 63, each once, with priorities from 0 to 7, as 26:3,48:6")
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto* text = dynamic_cast<const StringValue*>(&value);
        return text && DscpMap::Parse(text->Get());
    }
};

} // namespace

DscpMap::DscpMap()
    : m_priorities{}
{
    for (uint32_t dscp = 0; dscp < DSCPS; ++dscp)
    {
        m_priorities[dscp] = static_cast<uint8_t>(dscp * PRIORITIES / DSCPS);
    }
}

DscpMap::DscpMap(const std::string& text)
{
    const auto parsed = Parse(text);
    NS_ABORT_MSG_IF(!parsed, "a map of DSCPs is malformed: " << text);
    *this = *parsed;
}

std::optional<DscpMap>
DscpMap::Parse(const std::string& text)
{
    DscpMap map;
    std::string_view left(text);
    uint64_t listed = 0;
    while (!left.empty())
    {
        const std::size_t comma = left.find(',');
        const auto pair = ReadPair(left.substr(0, comma));
        if (!pair || ((listed >> pair->first) & 1) != 0 || comma + 1 == left.size())
        {
            return std::nullopt;
        }
        listed |= uint64_t{1} << pair->first;
        map.Set(pair->first, pair->second);
        left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
    }
    return map;
}

AttributeField
DscpMapField(AttributeField field)
{
    field.checker = MakeDscpMapChecker();
    return field;
}

Ptr<const AttributeChecker>
MakeDscpMapChecker()
{
    return ns3::Create<DscpMapChecker>();
}

} // namespace ns3::rdma
