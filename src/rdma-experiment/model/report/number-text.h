// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NUMBER_TEXT_H
#define RDMA_NUMBER_TEXT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// Room that each of the next four functions may need.
constexpr std::size_t MAX_NUMBER_TEXT{32};

/// Writes the digits of a number. @return their end
char* WriteInteger(uint64_t value, char* to);

/// Writes what FormatPaddedNs() returns. @param ps not negative @return the end
char* WritePaddedNs(int64_t ps, char* to);

/// As WritePaddedNs(), for FormatNs().
char* WriteNs(int64_t ps, char* to);

/// As WritePaddedNs(), for FormatNumber().
char* WriteNumber(double value, char* to);

/// @return picoseconds as nanoseconds, exact, with decimals only where they are needed: "2.5".
std::string FormatNs(int64_t ps);

/// @return picoseconds as whole nanoseconds, or with three decimals: "2.500".
std::string FormatPaddedNs(int64_t ps);

/// @return six significant digits.
std::string FormatNumber(double value);

/// @return index of a percentile in a sorted sample: the smallest value with at least that share of
/// the sample at or below it. @param count above 0
inline std::size_t
GetNearestRank(std::size_t count, uint64_t perMille)
{
    constexpr uint64_t ALL{1000};
    return std::max<std::size_t>((count * perMille + ALL - 1) / ALL, 1) - 1;
}

} // namespace ns3::rdma

#endif // RDMA_NUMBER_TEXT_H
