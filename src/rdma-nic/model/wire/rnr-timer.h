// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RNR_TIMER_H
#define RDMA_RNR_TIMER_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// @param code below 32
/// @return the delay of an RNR NAK (IBTA Vol. 1, Table 45).
constexpr Tick
GetRnrDelay(uint32_t code)
{
    // In units of 10 us; code 0 is the longest.
    constexpr uint32_t TENS_OF_US[32]{65536, 1,    2,    3,     4,     6,     8,     12,
                                      16,    24,   32,   48,    64,    96,    128,   192,
                                      256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                      4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};
    constexpr Tick TEN_US{10'000'000};
    return TENS_OF_US[code & 31] * TEN_US;
}

} // namespace ns3::rdma

#endif // RDMA_RNR_TIMER_H
