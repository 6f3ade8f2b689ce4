// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MEMORY_ACCOUNT_H
#define RDMA_MEMORY_ACCOUNT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What SRNIC's conceptual model of a NIC keeps on the chip (SRNIC Table 1), and its scheduler.
enum class MemoryStructure : uint8_t
{
    RECEIVE_BUFFER,
    CONTEXTS,
    TRANSLATIONS,
    WQE_CACHE,
    BITMAPS,
    REORDERING_BUFFER,
    OUTSTANDING_TABLE,
    SCHEDULER,
    COUNT
};

constexpr std::size_t MEMORY_STRUCTURES = static_cast<std::size_t>(MemoryStructure::COUNT);

/// How tables are laid into memory.
enum class MemoryAlignment : uint8_t
{
    EXACT,        ///< Entries times bytes.
    POWER_OF_TWO, ///< The depth of each table is a power of two.
    BLOCK_RAM,    ///< Blocks of 18 Kb, each field in blocks of its own (AMD UG573).
    ULTRA_RAM,    ///< Blocks of 4096 x 72 bit (AMD UG573).
    COUNT
};

/// @return as "block-ram".
const char* GetAlignmentName(MemoryAlignment alignment);

/// A table: so many entries of fields of so many bits.
struct MemoryTable
{
    std::string name;
    uint64_t entries{0};
    std::vector<uint32_t> fieldBits;
};

/// @return what it takes on the chip, in whole blocks if the alignment has such.
uint64_t GetTableBytes(const MemoryTable& table, MemoryAlignment alignment);

/// What of a NIC's configuration decides on its memory; 0 leaves a part out.
struct NicMemoryConfig
{
    uint32_t queuePairs{10'000};
    uint32_t contextBytes{0};          ///< Per queue pair.
    std::vector<MemoryTable> tables;   ///< Contexts in several pieces, or beside contextBytes.
    uint64_t regionBytes{0};           ///< Host memory that is registered.
    uint32_t pageBytes{4096};          ///< Of host memory.
    uint32_t translationEntryBytes{0}; ///< Per page.
    uint64_t translationCacheBytes{0}; ///< 0: the whole table is on the chip.
    uint32_t wqeBytes{0};              ///< Of one work queue entry.
    uint32_t sendWqes{0};              ///< Kept per queue pair.
    uint32_t receiveWqes{0};           ///< Likewise.
    uint32_t bitmaps{0};               ///< Per queue pair.
    uint32_t windowPackets{0};         ///< Of a bandwidth-delay product: slots of each bitmap.
    uint64_t reorderingBytes{0};       ///< Per queue pair.
    uint32_t outstandingEntryBytes{0}; ///< Per packet of the window.
    uint64_t receiveBufferBytes{0};    ///< Shared by all.
    uint32_t scheduleEntryBytes{0};    ///< Per queue pair.
    uint32_t burstBytes{0};            ///< Payload of one turn.
    uint32_t turns{0};                 ///< Whose payload is on the chip: one filled, one sent.
    uint32_t wqesPerTurn{0};           ///< Fetched, and dropped after it.
    MemoryAlignment alignment{MemoryAlignment::EXACT};

    /// What takes the place of a structure; empty: it is on the chip.
    std::array<std::string, MEMORY_STRUCTURES> replacedBy;
};

/// One line of the account.
struct MemoryLine
{
    MemoryStructure structure;
    std::string name;
    std::string formula;         ///< In words.
    std::string replacedBy;      ///< As in the configuration.
    uint64_t conceptualBytes{0}; ///< If everything of the structure were on the chip.
    uint64_t designBytes{0};     ///< What the design keeps there.
    uint64_t builtBytes{0};      ///< The same with its alignment.
};

/**
 * @ingroup rdma-accounts
 * @brief Counts a NIC's on-chip memory, structure by structure, from its configuration.
 *
 * The structures are those of SRNIC's conceptual model (SRNIC section 3.2, Table 1): a conceptual
 * NIC has all of them, a design replaces some.
 *
 * Not modelled: FIFOs between pipeline stages, DMA engines, tags of caches, error correction.
 */
std::vector<MemoryLine> AccountMemory(const NicMemoryConfig& config);

/// Sums of all lines.
struct MemoryTotal
{
    uint64_t conceptualBytes{0};
    uint64_t designBytes{0};
    uint64_t builtBytes{0};
};

MemoryTotal SumMemory(const std::vector<MemoryLine>& lines);

} // namespace ns3::rdma

#endif // RDMA_MEMORY_ACCOUNT_H
