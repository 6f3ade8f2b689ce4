// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/memory-design.h"

namespace ns3::rdma
{

namespace
{

constexpr uint64_t KIB{1024};
constexpr uint64_t MIB{1024 * KIB};
constexpr uint64_t GIB{1024 * MIB};

// SRNIC prints both in MB of 2^20 B with one digit (Table 1, Table 2).
constexpr uint64_t RECEIVE_BUFFER{6 * MIB / 10};
constexpr uint64_t TRANSLATION_CACHE{12 * MIB / 10};

// 100 Gb/s x 40 us (SRNIC section 3.2.2): 500 packets of 1024 B, 0.5 MB.
constexpr uint32_t WINDOW_PACKETS{500};
constexpr uint64_t WINDOW_BYTES{MIB / 2};

void
Replace(NicMemoryConfig& config, MemoryStructure structure, const std::string& by)
{
    config.replacedBy[static_cast<std::size_t>(structure)] = by;
}

/// SRNIC section 3.2 and Table 1, third column.
NicMemoryConfig
MakeConceptual()
{
    NicMemoryConfig config;
    config.contextBytes = 210;
    config.regionBytes = 4 * GIB;
    config.pageBytes = 4096;
    config.translationEntryBytes = 8;
    config.wqeBytes = 64;
    config.sendWqes = 8;
    config.receiveWqes = 8;
    config.bitmaps = 5;
    config.windowPackets = WINDOW_PACKETS;
    config.reorderingBytes = WINDOW_BYTES;
    config.outstandingEntryBytes = 24;
    config.receiveBufferBytes = RECEIVE_BUFFER;
    return config;
}

/// SRNIC Table 1, last two columns, and section 4.3.1 for the scheduler.
NicMemoryConfig
MakeSrnic()
{
    NicMemoryConfig config = MakeConceptual();
    config.translationCacheBytes = TRANSLATION_CACHE;
    config.scheduleEntryBytes = 2;
    config.burstBytes = 16 * KIB;
    config.turns = 2; // Our estimate: one is fetched while the one before it is sent.
    config.wqesPerTurn = 8;
    config.alignment = MemoryAlignment::BLOCK_RAM;
    Replace(config, MemoryStructure::WQE_CACHE, "cache-free scheduler (SRNIC section 4.3)");
    Replace(config, MemoryStructure::BITMAPS, "host memory (SRNIC section 4.4.2)");
    Replace(config, MemoryStructure::REORDERING_BUFFER, "header extensions (SRNIC section 4.4.1)");
    Replace(config, MemoryStructure::OUTSTANDING_TABLE, "header extensions (SRNIC section 4.4.1)");
    return config;
}

/// IRN section 5: places packets out of order, so only its bitmaps come on top.
NicMemoryConfig
MakeIrn()
{
    NicMemoryConfig config = MakeConceptual();
    config.translationCacheBytes = TRANSLATION_CACHE; // Our estimate: as SRNIC's.
    Replace(config, MemoryStructure::REORDERING_BUFFER, "placement out of order (IRN section 5)");
    Replace(config, MemoryStructure::OUTSTANDING_TABLE, "WQEs and bitmaps (IRN counts no table)");
    return config;
}

/**
 * State of a connection of Ultra Ethernet: bitmaps of the packets received and acknowledged, the
 * variables of NSCC, and a selector's memory.
 *
 * No NIC's sizes are public.  Sources: a window of 8 x 128 packets (UE 1.0.3, MPR); 13 numbers and
 * 2 flags of NSCC, whose 32 bits each are our estimate; 193 bits of REPS (arXiv 2407.21625).  The
 * context is SRNIC's, our assumption; all else as IRN's.
 */
NicMemoryConfig
MakeUet()
{
    NicMemoryConfig config = MakeIrn();
    config.bitmaps = 2;
    config.windowPackets = 1024;
    constexpr uint32_t NSCC_BITS{13 * 32 + 2};
    constexpr uint32_t REPS_BITS{193};
    config.tables = {{"NSCC", 0, {NSCC_BITS}}, {"entropy values", 0, {REPS_BITS}}};
    Replace(config, MemoryStructure::REORDERING_BUFFER, "placement out of order (UE 1.0.3)");
    Replace(config, MemoryStructure::OUTSTANDING_TABLE, "WQEs and bitmaps (not counted, as IRN)");
    return config;
}

/// The same with MRC's profile: 256 values of 32 bits and one of four states (MRC 1.0).
NicMemoryConfig
MakeMrc()
{
    NicMemoryConfig config = MakeUet();
    constexpr uint32_t VALUES{256};
    config.tables.back() = {"entropy profile", 0, {VALUES * (32 + 2)}};
    Replace(config, MemoryStructure::REORDERING_BUFFER, "a RETH in each packet (MRC 1.0)");
    return config;
}

/// SRNIC section 2.2, after eRPC: nothing else of this NIC is public.
NicMemoryConfig
MakeConnectx5()
{
    NicMemoryConfig config;
    config.contextBytes = 375;
    return config;
}

/// The tables of BALBOA's public sources (fpga-network-stack, hls/ib_transport_protocol): the bits
/// of state_table.hpp, conn_table.hpp, msn_table.hpp, transport_timer.hpp and retransmitter.hpp.
/// A table whose fields are packed (the timer's) is one field.
NicMemoryConfig
MakeBalboa()
{
    NicMemoryConfig config;
    config.alignment = MemoryAlignment::BLOCK_RAM;
    constexpr uint64_t REQUESTS{2000}; // META_TABLE_SIZE
    config.tables = {{"state table", 0, {24, 24, 24, 24, 24, 3}},
                     {"connection table", 0, {24, 128, 16}},
                     {"MSN table", 0, {24, 64, 32, 32, 1}},
                     {"transport timer", 0, {37}},
                     {"retransmission pointers", 0, {16, 16, 1}},
                     {"retransmission requests", REQUESTS, {24, 16, 8, 64, 64, 32, 1, 4, 1, 1, 1}}};
    Replace(config, MemoryStructure::BITMAPS, "go-back-N");
    Replace(config, MemoryStructure::REORDERING_BUFFER, "go-back-N");
    Replace(config, MemoryStructure::OUTSTANDING_TABLE, "payload in HBM (BALBOA section 4.2)");
    return config;
}

} // namespace

void
SetQueuePairs(NicMemoryDesign& design, uint32_t queuePairs)
{
    for (MemoryTable& table : design.config.tables)
    {
        // Tables per queue pair follow; one of a size of its own keeps it.
        if (table.entries == 0 || table.entries == design.config.queuePairs)
        {
            table.entries = queuePairs;
        }
    }
    design.config.queuePairs = queuePairs;
}

const std::vector<NicMemoryDesign>&
GetMemoryDesigns()
{
    static const std::vector<NicMemoryDesign> designs = [] {
        std::vector<NicMemoryDesign> all{
            {"balboa",
             "tables of the public sources for 500 queue pairs (BALBOA section 4.1)",
             MakeBalboa(),
             true,
             500,
             std::nullopt,
             500},
            {"conceptual",
             "everything on the chip (SRNIC Table 1)",
             MakeConceptual(),
             false,
             10'000,
             std::nullopt,
             std::nullopt},
            {"connectx5",
             "contexts alone: the rest is a black box (SRNIC section 2.2)",
             MakeConnectx5(),
             true,
             256,
             2 * MIB,
             256},
            {"irn",
             "the conceptual model with bitmaps, without reordering (IRN section 5)",
             MakeIrn(),
             false,
             10'000,
             std::nullopt,
             std::nullopt},
            {"mrc",
             "Ultra Ethernet's connection with an entropy profile of 256 values (MRC 1.0)",
             MakeMrc(),
             false,
             10'000,
             std::nullopt,
             std::nullopt},
            {"srnic",
             "what is left after its optimisations (SRNIC Tables 1 and 2)",
             MakeSrnic(),
             false,
             10'000,
             44 * MIB / 10,
             10'000},
            {"uet",
             "IRN's model with the state of an Ultra Ethernet connection (UE 1.0.3)",
             MakeUet(),
             false,
             10'000,
             std::nullopt,
             std::nullopt},
        };
        for (NicMemoryDesign& design : all)
        {
            SetQueuePairs(design, design.defaultQueuePairs);
        }
        return all;
    }();
    return designs;
}

} // namespace ns3::rdma
