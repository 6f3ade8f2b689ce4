// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/quantity.h"

#include "ns3/exact-quantity.h"

#include <vector>

namespace ns3::rdma
{

namespace
{

/// A unit and how many base units it stands for.
struct Unit
{
    std::string_view name;
    uint64_t factor;
};

/// The earlier unit is taken where two give texts of one length.
using UnitTable = std::vector<Unit>;

constexpr uint64_t KILO{1000};
constexpr uint64_t KIBI{1024};

const UnitTable RATE_UNITS{{"Tbps", KILO* KILO* KILO* KILO},
                           {"Gbps", KILO* KILO* KILO},
                           {"Mbps", KILO* KILO},
                           {"kbps", KILO},
                           {"bps", 1}};

const UnitTable TIME_UNITS{{"s", KILO* KILO* KILO* KILO},
                           {"ms", KILO* KILO* KILO},
                           {"us", KILO* KILO},
                           {"ns", KILO},
                           {"ps", 1}};

const UnitTable BYTE_UNITS{{"TiB", KIBI* KIBI* KIBI* KIBI},
                           {"TB", KILO* KILO* KILO* KILO},
                           {"GiB", KIBI* KIBI* KIBI},
                           {"GB", KILO* KILO* KILO},
                           {"MiB", KIBI* KIBI},
                           {"MB", KILO* KILO},
                           {"KiB", KIBI},
                           {"kB", KILO},
                           {"B", 1}};

std::string
FormatQuantity(uint64_t value, const UnitTable& units)
{
    std::string shortest;
    for (const Unit& unit : units)
    {
        const std::string text = std::to_string(value / unit.factor) + std::string(unit.name);
        const bool isExact = value % unit.factor == 0 && (value != 0 || unit.factor == 1);
        if (isExact && (shortest.empty() || text.size() < shortest.size()))
        {
            shortest = text;
        }
    }
    return shortest;
}

} // namespace

std::optional<DataRate>
ParseRate(std::string_view text)
{
    return ParseExactRate(text);
}

std::optional<Time>
ParseTime(std::string_view text)
{
    const auto picoseconds = ParseExactDelay(text);
    return picoseconds ? std::optional<Time>(PicoSeconds(*picoseconds)) : std::nullopt;
}

std::optional<uint64_t>
ParseBytes(std::string_view text)
{
    const size_t unitBegin = text.find_first_not_of("0123456789.");
    if (unitBegin == std::string_view::npos)
    {
        return std::nullopt;
    }
    for (const Unit& unit : BYTE_UNITS)
    {
        if (unit.name == text.substr(unitBegin))
        {
            return ParseExactDecimal(text.substr(0, unitBegin), unit.factor, SmallDecimals::REFUSE);
        }
    }
    return std::nullopt;
}

std::string
FormatRate(DataRate rate)
{
    return FormatQuantity(rate.GetBitRate(), RATE_UNITS);
}

std::string
FormatTime(Time time)
{
    return FormatQuantity(static_cast<uint64_t>(time.GetPicoSeconds()), TIME_UNITS);
}

std::string
FormatBytes(uint64_t bytes)
{
    return FormatQuantity(bytes, BYTE_UNITS);
}

} // namespace ns3::rdma
