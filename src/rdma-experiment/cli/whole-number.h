// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_WHOLE_NUMBER_H
#define RDMA_WHOLE_NUMBER_H

#include <charconv>
#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// CLI11 itself takes negative numbers for large unsigned ones. @param expected what it should be
/// @return what is wrong, or nothing
inline std::string
CheckWholeNumber(const std::string& text, const std::string& expected)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end ? std::string()
                                                         : "expected " + expected + ", got " + text;
}

} // namespace ns3::rdma

#endif // RDMA_WHOLE_NUMBER_H
