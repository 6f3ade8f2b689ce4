// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exact-quantity.h"

#include "ns3/wide-integer.h"

#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_RESULT{std::numeric_limits<int64_t>::max()};

/// Keeps mantissa x multiplier within 128 bits for every 64-bit multiplier.
constexpr uint64_t MAX_MANTISSA{1'000'000'000'000'000'000};

/// A prefix of a unit and its factor.
struct Prefix
{
    std::string_view text;
    uint64_t factor;
};

constexpr Prefix RATE_PREFIXES[] = {{"", 1},
                                    {"k", 1'000},
                                    {"K", 1'000},
                                    {"M", 1'000'000},
                                    {"G", 1'000'000'000},
                                    {"T", 1'000'000'000'000},
                                    {"Ki", 1ULL << 10},
                                    {"Mi", 1ULL << 20},
                                    {"Gi", 1ULL << 30},
                                    {"Ti", 1ULL << 40}};

constexpr Prefix DELAY_UNITS[] = {{"s", 1'000'000'000'000},
                                  {"ms", 1'000'000'000},
                                  {"us", 1'000'000},
                                  {"ns", 1'000},
                                  {"ps", 1}};

/// A number split at its point, before it is multiplied.
struct Decimal
{
    Uint128 mantissa{0};  ///< All accepted digits, as one number.
    Uint128 scale{1};     ///< The value is mantissa / scale.
    bool isCut{false};    ///< Digits other than 0 were cut off after the last accepted one.
    bool hasDigit{false}; ///< The last character was a digit.
    bool isInteger{true}; ///< No point so far.
    bool isMalformed{false};
    bool isTooLarge{false};
};

void
TakeDigit(Decimal& number, unsigned digit)
{
    number.hasDigit = true;
    const bool isFull = number.mantissa >= MAX_MANTISSA || number.scale >= MAX_MANTISSA;
    if (isFull && number.isInteger)
    {
        number.isTooLarge = true; // Too large for every multiplier.
    }
    else if (isFull)
    {
        number.isCut = number.isCut || digit != 0;
    }
    else
    {
        number.mantissa = number.mantissa * 10 + digit;
        number.scale *= number.isInteger ? 1 : 10;
    }
}

Decimal
Split(std::string_view text)
{
    Decimal number;
    for (const char c : text)
    {
        if (c == '.' && number.isInteger && number.hasDigit)
        {
            number.isInteger = false;
            number.hasDigit = false;
        }
        else if (c >= '0' && c <= '9')
        {
            TakeDigit(number, static_cast<unsigned>(c - '0'));
        }
        else
        {
            number.isMalformed = true;
        }
    }
    return number;
}

/// @return the length of the number at the start of a text.
size_t
FindUnit(std::string_view text)
{
    const size_t begin = text.find_first_not_of("0123456789.");
    return begin == std::string_view::npos ? text.size() : begin;
}

/// @return bits per unit of a rate unit without prefix: 1 for bits, 8 for bytes; 0 for any other
/// text.
unsigned
GetBitsPerUnit(std::string_view unit)
{
    if (unit == "bps" || unit == "b/s")
    {
        return 1;
    }
    return unit == "Bps" || unit == "B/s" ? 8 : 0;
}

} // namespace

std::optional<int64_t>
ParseExactDecimal(std::string_view text,
                  uint64_t multiplier,
                  SmallDecimals smallDecimals,
                  QuantityFault* fault)
{
    QuantityFault ignored;
    QuantityFault& reason = fault ? *fault : ignored;
    const Decimal number = Split(text);
    if (number.isMalformed || !number.hasDigit)
    {
        reason = QuantityFault::MALFORMED;
        return std::nullopt;
    }
    const Uint128 product = number.mantissa * multiplier;
    Uint128 result = product / number.scale;
    const Uint128 rest = product % number.scale;
    const bool isTooFine = smallDecimals == SmallDecimals::REFUSE && (rest != 0 || number.isCut);
    // Digits that were cut off would only increase the rest, so that a rounding up stays a rounding
    // up.
    result += 2 * rest >= number.scale ? 1 : 0;
    if (number.isTooLarge || result > MAX_RESULT || isTooFine)
    {
        reason = isTooFine ? QuantityFault::TOO_FINE : QuantityFault::TOO_LARGE;
        return std::nullopt;
    }
    return static_cast<int64_t>(result);
}

std::optional<DataRate>
ParseExactRate(std::string_view text)
{
    const size_t unitBegin = FindUnit(text);
    const std::string_view unit = text.substr(unitBegin);
    for (const Prefix& prefix : RATE_PREFIXES)
    {
        if (unit.substr(0, prefix.text.size()) != prefix.text)
        {
            continue;
        }
        const unsigned bits = GetBitsPerUnit(unit.substr(prefix.text.size()));
        if (bits != 0)
        {
            const auto rate = ParseExactDecimal(text.substr(0, unitBegin),
                                                prefix.factor * bits,
                                                SmallDecimals::REFUSE);
            return rate ? std::optional<DataRate>(DataRate(static_cast<uint64_t>(*rate)))
                        : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<int64_t>
ParseExactDelay(std::string_view text, QuantityFault* fault)
{
    const size_t unitBegin = FindUnit(text);
    for (const Prefix& unit : DELAY_UNITS)
    {
        if (text.substr(unitBegin) == unit.text)
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

} // namespace ns3::rdma
