// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/quantity.h"

#include <algorithm>
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

/// If two units give texts of equal length, the earlier one is used.
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

const UnitTable BYTE_UNITS{{"EiB", KIBI* KIBI* KIBI* KIBI* KIBI* KIBI},
                           {"EB", KILO* KILO* KILO* KILO* KILO* KILO},
                           {"PiB", KIBI* KIBI* KIBI* KIBI* KIBI},
                           {"PB", KILO* KILO* KILO* KILO* KILO},
                           {"TiB", KIBI* KIBI* KIBI* KIBI},
                           {"TB", KILO* KILO* KILO* KILO},
                           {"GiB", KIBI* KIBI* KIBI},
                           {"GB", KILO* KILO* KILO},
                           {"MiB", KIBI* KIBI},
                           {"MB", KILO* KILO},
                           {"KiB", KIBI},
                           {"kB", KILO},
                           {"B", 1}};

/// @return the value in the smallest unit, if exact
std::optional<int64_t>
ParseQuantity(std::string_view text, const UnitTable& units, QuantityFault* fault)
{
    const size_t unitBegin = std::min(text.find_first_not_of("0123456789."), text.size());
    for (const Unit& unit : units)
    {
        if (unit.name == text.substr(unitBegin))
        {
            return ParseExactDecimal(text.substr(0, unitBegin),
                                     unit.factor,
                                     SmallDecimals::REFUSE,
                                     fault);
        }
    }
    if (fault)
    {
        *fault = QuantityFault::MALFORMED;
    }
    return std::nullopt;
}

/// @param smallest the base unit of the quantity
std::string
DescribeFault(QuantityFault fault, const std::string& smallest)
{
    switch (fault)
    {
    case QuantityFault::TOO_LARGE:
        return ", which is too large";
    case QuantityFault::TOO_FINE:
        return ", which is no whole number of " + smallest;
    case QuantityFault::MALFORMED:
        break;
    }
    return {};
}

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
ParseRate(std::string_view text, QuantityFault* fault)
{
    constexpr std::string_view SLASHED{"b/s"};
    std::string plain(text);
    if (plain.size() > SLASHED.size() &&
        plain.compare(plain.size() - SLASHED.size(), SLASHED.size(), SLASHED) == 0)
    {
        plain.replace(plain.size() - SLASHED.size(), SLASHED.size(), "bps");
    }
    const auto bits = ParseQuantity(plain, RATE_UNITS, fault);
    return bits ? std::optional<DataRate>(DataRate(static_cast<uint64_t>(*bits))) : std::nullopt;
}

std::optional<Time>
ParseTime(std::string_view text, QuantityFault* fault)
{
    constexpr int64_t PS_PER_SECOND{1'000'000'000'000};
    const auto picoseconds = ParseQuantity(text, TIME_UNITS, fault);
    if (picoseconds && *picoseconds > MAX_SECONDS * PS_PER_SECOND)
    {
        if (fault)
        {
            *fault = QuantityFault::TOO_LARGE;
        }
        return std::nullopt;
    }
    return picoseconds ? std::optional<Time>(PicoSeconds(*picoseconds)) : std::nullopt;
}

std::optional<uint64_t>
ParseBytes(std::string_view text, QuantityFault* fault)
{
    const auto bytes = ParseQuantity(text, BYTE_UNITS, fault);
    return bytes ? std::optional<uint64_t>(static_cast<uint64_t>(*bytes)) : std::nullopt;
}

std::string
DescribeRateFault(std::string_view text, QuantityFault fault)
{
    const bool isInBytes = text.find('B') != std::string_view::npos && ParseExactRate(text);
    return isInBytes ? ", which counts bytes" : DescribeFault(fault, "bit/s");
}

std::string
DescribeTimeFault(QuantityFault fault)
{
    const std::string largest =
        fault == QuantityFault::TOO_LARGE ? " (at most " + std::to_string(MAX_SECONDS) + "s)" : "";
    return DescribeFault(fault, "picoseconds") + largest;
}

std::string
DescribeBytesFault(QuantityFault fault)
{
    return DescribeFault(fault, "bytes");
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
