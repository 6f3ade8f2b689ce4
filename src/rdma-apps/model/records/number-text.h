// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NUMBER_TEXT_H
#define RDMA_NUMBER_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// Room that each of the next functions may need.
constexpr std::size_t MAX_NUMBER_TEXT{32};

/// Writes the digits of a number. @return their end
char* WriteInteger(uint64_t value, char* to);

/// Writes picoseconds as whole nanoseconds, or with three decimals: "2.500".
/// @param ps not negative @return the end
char* WritePaddedNs(int64_t ps, char* to);

/// Writes picoseconds as nanoseconds, exact, with decimals only where they are needed: "2.5".
/// @param ps not negative @return the end
char* WriteNs(int64_t ps, char* to);

/// Writes six significant digits. @return the end
char* WriteNumber(double value, char* to);

/// Writes a number with three decimals: "2.500". @return the end
char* WriteMilli(uint64_t thousandths, char* to);

/// @return what WriteNs() writes.
std::string FormatNs(int64_t ps);

/// @return what WriteNumber() writes.
std::string FormatNumber(double value);

} // namespace ns3::rdma

#endif // RDMA_NUMBER_TEXT_H
