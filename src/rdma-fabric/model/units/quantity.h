// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_QUANTITY_H
#define RDMA_QUANTITY_H

#include "ns3/data-rate.h"
#include "ns3/exact-quantity.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * @name Quantities with units, as scenarios write them
 *
 * A decimal number without sign or exponent, directly followed by a unit. The result is exact: text
 * that is not a whole number of bit/s, picoseconds or bytes is refused, as is anything that does
 * not fit into 63 bits. `fault`, if not null, is set when there is no result.
 * @{
 */

/// As "100Gbps" or "100Gb/s"; prefixes k, M, G, T. Units of bytes are refused: an upper-case B is
/// probably a typing error.
std::optional<DataRate> ParseRate(std::string_view text, QuantityFault* fault = nullptr);

/// As "1.5us", up to MAX_SECONDS; units ps, ns, us, ms, s. Needs a time resolution of picoseconds
/// to be exact.
std::optional<Time> ParseTime(std::string_view text, QuantityFault* fault = nullptr);

/// As "32MiB"; units B; kB, MB, GB, TB, PB, EB (powers of 1000); KiB, MiB, GiB, TiB, PiB, EiB
/// (powers of 1024).
std::optional<uint64_t> ParseBytes(std::string_view text, QuantityFault* fault = nullptr);

/** @} */

/// The text that a message appends to a refused rate, for example ", which is too large"; may be
/// empty.
std::string DescribeRateFault(std::string_view text, QuantityFault fault);

/// As DescribeRateFault(), for a time.
std::string DescribeTimeFault(QuantityFault fault);

/// As DescribeRateFault(), for a size.
std::string DescribeBytesFault(QuantityFault fault);

/// The shortest exact form that ParseRate() reads back, as "100Gbps".
std::string FormatRate(DataRate rate);

/// The same for ParseTime(), as "1us".
std::string FormatTime(Time time);

/// The same for ParseBytes(), as "32MiB" or "400kB".
std::string FormatBytes(uint64_t bytes);

} // namespace ns3::rdma

#endif // RDMA_QUANTITY_H
