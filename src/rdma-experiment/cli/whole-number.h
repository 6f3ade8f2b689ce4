// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_WHOLE_NUMBER_H
#define RDMA_WHOLE_NUMBER_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// @return the number, if the text is one from 0 to 2^64 - 1 and nothing else
inline std::optional<uint64_t>
ParseWholeNumber(const std::string& text)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end ? std::optional(number) : std::nullopt;
}

/// CLI11 itself takes negative numbers for large unsigned ones. @return what is wrong, or nothing
inline std::string
CheckWholeNumber(const std::string& text, const std::string& expected, uint64_t most = UINT64_MAX)
{
    const auto number = ParseWholeNumber(text);
    return number && *number <= most ? "" : "expected " + expected + ", got " + text;
}

} // namespace ns3::rdma

#endif // RDMA_WHOLE_NUMBER_H
