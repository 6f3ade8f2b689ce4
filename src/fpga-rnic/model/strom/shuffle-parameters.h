// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SHUFFLE_PARAMETERS_H
#define FPGA_SHUFFLE_PARAMETERS_H

#include "ns3/byte-view.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/// Destination of a partition's values.
struct ShufflePartition
{
    uint64_t address{0}; ///< In the memory of the kernel's host.
    uint32_t values{0};  ///< Size of that memory, in values of 8 bytes.
};

/**
 * @ingroup fpga-strom
 * @brief Parameters of the shuffle kernel: the histogram and the addresses of a stream's partitions
 * (StRoM section 6.4).
 *
 * A table of 1024 entries is larger than a packet, so it is split over several messages, in order.
 * Each has a header of 24 bytes: target at the caller (8), bytes of the stream (8), bits of the
 * hash (2), number of its first entry (2), count of its entries (2), zero (2).  An entry is 12
 * bytes: address (8), values (4).  The paper gives no layout.
 */
struct ShuffleParameters
{
    static constexpr uint32_t HEADER_BYTES{24};
    static constexpr uint32_t ENTRY_BYTES{12};
    static constexpr uint32_t MAX_BITS{10}; ///< 1024 partitions.

    uint64_t target{0};      ///< Address of the answer at the caller.
    uint64_t streamBytes{0}; ///< Of the stream that follows, a multiple of 8; at least 8.
    uint32_t bits{0};        ///< Partitions: 2^bits.
    uint32_t first{0};       ///< Number of the first entry.
    std::vector<ShufflePartition> partitions;

    /// @return messages of at most maxBytes, which together contain the whole table.
    std::vector<std::vector<uint8_t>> Encode(uint32_t maxBytes) const;

    /// @return the content of one message; unset if it is malformed.
    static std::optional<ShuffleParameters> Decode(ByteView bytes);
};

} // namespace ns3::rdma

#endif // FPGA_SHUFFLE_PARAMETERS_H
