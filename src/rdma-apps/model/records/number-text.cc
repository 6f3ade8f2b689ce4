// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/number-text.h"

#include "ns3/wide-integer.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t THOUSAND{1000};
constexpr uint32_t SIGNIFICANT{6}; ///< Digits of WriteNumber().

/// 10^0 to 10^19: the largest power of ten that 64 bits hold.
constexpr std::array<uint64_t, 20>
MakePowers()
{
    std::array<uint64_t, 20> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i)
    {
        powers[i] = 10 * powers[i - 1];
    }
    return powers;
}

constexpr auto POWERS = MakePowers();

/// The two digits of 0 to 99.
constexpr std::array<char, 200>
MakePairs()
{
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < pairs.size(); i += 2)
    {
        pairs[i] = static_cast<char>('0' + i / 20);
        pairs[i + 1] = static_cast<char>('0' + i / 2 % 10);
    }
    return pairs;
}

constexpr auto PAIRS = MakePairs();

uint32_t
CountDigits(uint64_t value)
{
    const int bits = 64 - __builtin_clzll(value | 1);
    const auto least = static_cast<uint32_t>(bits * 1233 >> 12); // 1233 / 4096: log10(2).
    return least + ((value | 1) >= POWERS[least] ? 1 : 0);
}

/// Writes a number with leading zeros. @return the end
char*
WriteDigits(uint64_t value, uint32_t digits, char* to)
{
    char* at = to + digits;
    for (; at - to >= 2; value /= 100)
    {
        at -= 2;
        std::memcpy(at, &PAIRS[2 * (value % 100)], 2);
    }
    if (at != to)
    {
        *to = static_cast<char>('0' + value % 10);
    }
    return to + digits;
}

/// Writes a point and decimals without zeros at their end; nothing if all are zeros. @return the
/// end
char*
WriteFraction(uint64_t value, uint32_t digits, char* to)
{
    if (value == 0)
    {
        return to;
    }
    *to = '.';
    char* end = WriteDigits(value, digits, to + 1);
    while (end[-1] == '0')
    {
        --end;
    }
    return end;
}

/// Writes six significant digits of a number from 1 to 999,999.4: its binary fraction times a power
/// of ten is exact in 128 bits, and is rounded to even as printf does. @return the end
char*
WriteCommonNumber(double value, char* to)
{
    constexpr int FRACTION_BITS{52};
    constexpr int BIAS{1023};
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    const uint32_t shift = FRACTION_BITS + BIAS - static_cast<uint32_t>(bits >> FRACTION_BITS);
    const uint64_t hidden = uint64_t{1} << FRACTION_BITS;
    const uint64_t mantissa = (bits & (hidden - 1)) | hidden;
    const uint32_t decimals = SIGNIFICANT - CountDigits(mantissa >> shift);
    const auto scaled = Uint128{mantissa} * POWERS[decimals];
    auto digits = static_cast<uint64_t>(scaled >> shift);
    const uint64_t half = uint64_t{1} << (shift - 1);
    const uint64_t rest = static_cast<uint64_t>(scaled) & (2 * half - 1);
    digits += rest > half || (rest == half && digits % 2 == 1) ? 1 : 0;
    to = WriteInteger(digits / POWERS[decimals], to);
    return WriteFraction(digits % POWERS[decimals], decimals, to);
}
} // namespace

char*
WriteInteger(uint64_t value, char* to)
{
    if (value < 10)
    {
        *to = static_cast<char>('0' + value);
        return to + 1;
    }
    return WriteDigits(value, CountDigits(value), to);
}

char*
WriteMilli(uint64_t thousandths, char* to)
{
    to = WriteInteger(thousandths / THOUSAND, to);
    *to = '.';
    return WriteDigits(thousandths % THOUSAND, 3, to + 1);
}

char*
WritePaddedNs(int64_t ps, char* to)
{
    const auto value = static_cast<uint64_t>(ps);
    return value % THOUSAND == 0 ? WriteInteger(value / THOUSAND, to) : WriteMilli(value, to);
}

char*
WriteNs(int64_t ps, char* to)
{
    const auto value = static_cast<uint64_t>(ps);
    to = WriteInteger(value / THOUSAND, to);
    return WriteFraction(value % THOUSAND, 3, to);
}

char*
WriteNumber(double value, char* to)
{
    constexpr double COMMON_END{999'999.4};
    if (value >= 1 && value < COMMON_END)
    {
        return WriteCommonNumber(value, to);
    }
#ifdef __cpp_lib_to_chars
    return std::to_chars(to, to + MAX_NUMBER_TEXT, value, std::chars_format::general, SIGNIFICANT)
        .ptr;
#else
    return to + std::snprintf(to, MAX_NUMBER_TEXT, "%.*g", static_cast<int>(SIGNIFICANT), value);
#endif
}

std::string
FormatNs(int64_t ps)
{
    std::array<char, MAX_NUMBER_TEXT> text;
    return {text.data(), WriteNs(ps, text.data())};
}

std::string
FormatNumber(double value)
{
    std::array<char, MAX_NUMBER_TEXT> text;
    return {text.data(), WriteNumber(value, text.data())};
}

} // namespace ns3::rdma
