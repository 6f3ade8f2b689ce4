// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXACT_QUANTITY_H
#define RDMA_EXACT_QUANTITY_H

#include "ns3/data-rate.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::rdma
{

/// Latest time in user input, in seconds: 11 days. Later times, such as this plus limits and link
/// delays, must stay below the maximum of ns-3's Time, 106 days.
constexpr int64_t MAX_SECONDS{1'000'000};

/// Treatment of decimals that are too small for the unit of the result.
enum class SmallDecimals
{
    REFUSE, ///< The text is no valid quantity.
    ROUND,  ///< Round half up, once, in decimal.
};

/// Why a text is not a valid quantity.
enum class QuantityFault
{
    MALFORMED, ///< No number, or no known unit directly after it.
    TOO_LARGE, ///< The result exceeds 63 bits.
    TOO_FINE,  ///< Not a whole number of the smallest unit.
};

/**
 * Reads a decimal number without passing through floating point.
 *
 * @param text digits with at most one point between them, such as "2.000001079"; no sign, blank or
 * exponent
 * @param multiplier the result counts in units of 1 / multiplier, such as 10^12 for seconds to
 * picoseconds
 * @param smallDecimals what to do when the value is not a whole number of that unit
 * @param fault if given, is set to the reason when there is no result
 * @return the value times multiplier; nullopt if text is malformed or the result exceeds 63 bits
 */
std::optional<int64_t> ParseExactDecimal(std::string_view text,
                                         uint64_t multiplier,
                                         SmallDecimals smallDecimals,
                                         QuantityFault* fault = nullptr);

/**
 * Reads a rate written as in ns-3, "100Gbps" or "1.5Mb/s" or "10GB/s", with the prefixes k, M, G, T
 * and Ki, Mi, Gi, Ti.
 *
 * ns-3's own DataRate(std::string) aborts on a bad text, accepts "1.2.3Gbps" and rounds in floating
 * point; this function does neither.
 *
 * @return the rate; nullopt if text is malformed, not a whole number of bit/s or too large
 */
std::optional<DataRate> ParseExactRate(std::string_view text);

/// Reads a time such as "1000ns", "0.5us", "1ms", "2s" or "300ps".
/// @return picoseconds; nullopt if text is malformed, finer than a picosecond or too large.
std::optional<int64_t> ParseExactDelay(std::string_view text, QuantityFault* fault = nullptr);

} // namespace ns3::rdma

#endif // RDMA_EXACT_QUANTITY_H
