// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_PARAMETERS_H
#define RDMA_KERNEL_PARAMETERS_H

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

/// How the key of an element is compared with the search key: element OP key.
enum class TraversalPredicate : uint8_t
{
    EQUAL,
    LESS_THAN,
    GREATER_THAN,
    NOT_EQUAL,
};

/**
 * @ingroup fpga-strom
 * @brief Parameters of the traversal kernel (StRoM Table 2), with the address of the answer.
 *
 * Positions count words of 4 bytes in an element of 64 bytes.  The encoded parameters are 32 bytes,
 * the width of the parameter bus (section 5.2): target, remoteAddress and key (8 each), valueSize
 * (4), and 4 bytes of bits: keyMask 16, predicate 2, valuePtrPosition 4, isRelativePosition 1,
 * nextElementPtrPosition 4, nextElementPtrValid 1.  The paper gives no layout.
 */
struct TraversalParameters
{
    static constexpr uint32_t BYTES{32};
    static constexpr uint32_t ELEMENT_BYTES{64}; ///< Section 6.2.
    static constexpr uint32_t WORD_BYTES{4};     ///< Alignment of fields (section 6.2).
    static constexpr uint32_t WORDS{ELEMENT_BYTES / WORD_BYTES};

    uint64_t target{0};        ///< At the caller.
    uint64_t remoteAddress{0}; ///< Of the first element.
    uint64_t key{0};           ///< The search key.
    uint32_t valueSize{0};     ///< Bytes.
    uint16_t keyMask{1};       ///< Bit i: a key of 8 bytes begins at word i; not at the last word.
    TraversalPredicate predicate{TraversalPredicate::EQUAL};
    uint8_t valuePtrPosition{0};       ///< Word of the pointer to the value, below 15.
    bool isRelativePosition{false};    ///< valuePtrPosition counts from the matching key.
    uint8_t nextElementPtrPosition{0}; ///< Word of the next pointer, below 15.
    bool nextElementPtrValid{false};

    std::vector<uint8_t> Encode() const;

    /// @return unset if there are too few bytes, no key, no value, or a field beyond the element.
    static std::optional<TraversalParameters> Decode(ByteView bytes);

    /// Result of LookAt().
    struct Look
    {
        bool isMatch{false};
        uint64_t pointer{0}; ///< To the value if it matches, else to the next element; 0: none.
    };

    /// @param element of 64 bytes; the first matching key is used
    Look LookAt(ByteView element) const;

  private:
    bool Matches(uint64_t elementKey) const;
    bool IsValid() const;
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_PARAMETERS_H
