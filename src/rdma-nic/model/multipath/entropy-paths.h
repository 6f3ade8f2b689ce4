// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENTROPY_PATHS_H
#define RDMA_ENTROPY_PATHS_H

#include "ns3/type-attributes.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

/// Number of entropy values of 16 bits.
constexpr uint32_t ENTROPY_VALUES{1U << 16};

/// @param attribute of a number of entropy values, with its class
/// @throws std::invalid_argument unless paths is a power of two
inline void
ExpectPowerOfTwo(const char* attribute, uint32_t paths)
{
    if ((paths & (paths - 1)) != 0)
    {
        throw std::invalid_argument(std::string(attribute) + ": expected a power of two, got " +
                                    std::to_string(paths));
    }
}

} // namespace ns3::rdma

#endif // RDMA_ENTROPY_PATHS_H
