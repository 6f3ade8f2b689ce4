// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/number-text.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace ns3::rdma
{

namespace
{
/// Long enough for 64 bits, a point and three decimals.
using NumberBuffer = std::array<char, 32>;

template <typename Integer>
char*
WriteInteger(Integer value, NumberBuffer& buffer)
{
    return std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
}

/// Writes three decimals. @return their end
char*
WriteDecimals(int64_t thousandths, char* to)
{
    *to++ = '.';
    for (int64_t unit = 100; unit > 0; unit /= 10)
    {
        *to++ = static_cast<char>('0' + thousandths / unit % 10);
    }
    return to;
}

void
Append(const NumberBuffer& buffer, const char* end, std::string& text)
{
    text.append(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
}

constexpr int64_t PS_PER_NS{1000};
} // namespace

void
AppendInteger(uint64_t value, std::string& text)
{
    NumberBuffer buffer;
    Append(buffer, WriteInteger(value, buffer), text);
}

void
AppendPaddedNs(int64_t ps, std::string& text)
{
    NumberBuffer buffer;
    char* end = WriteInteger(ps / PS_PER_NS, buffer);
    if (ps % PS_PER_NS != 0)
    {
        end = WriteDecimals(ps % PS_PER_NS, end);
    }
    Append(buffer, end, text);
}

void
AppendNs(int64_t ps, std::string& text)
{
    NumberBuffer buffer;
    char* end = WriteInteger(ps / PS_PER_NS, buffer);
    if (ps % PS_PER_NS != 0)
    {
        end = WriteDecimals(ps % PS_PER_NS, end);
        while (end[-1] == '0')
        {
            --end;
        }
    }
    Append(buffer, end, text);
}

void
AppendNumber(double value, std::string& text)
{
    constexpr int DIGITS{6};
    NumberBuffer buffer;
#ifdef __cpp_lib_to_chars
    const auto written = std::to_chars(buffer.data(),
                                       buffer.data() + buffer.size(),
                                       value,
                                       std::chars_format::general,
                                       DIGITS);
    Append(buffer, written.ptr, text);
#else
    std::snprintf(buffer.data(), buffer.size(), "%.*g", DIGITS, value);
    text += buffer.data();
#endif
}

std::string
FormatPaddedNs(int64_t ps)
{
    std::string text;
    AppendPaddedNs(ps, text);
    return text;
}

std::string
FormatNs(int64_t ps)
{
    std::string text;
    AppendNs(ps, text);
    return text;
}

std::string
FormatNumber(double value)
{
    std::string text;
    AppendNumber(value, text);
    return text;
}

} // namespace ns3::rdma
