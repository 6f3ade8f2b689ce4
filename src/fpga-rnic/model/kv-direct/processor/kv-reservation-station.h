// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_RESERVATION_STATION_H
#define FPGA_KV_RESERVATION_STATION_H

#include "ns3/kv-access.h"
#include "ns3/kv-operation.h"
#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// An operation in the reservation station, or the write-back of a forwarded value.
struct KvEntry
{
    KvOperation operation; ///< Its key and operand are the vectors below.
    std::vector<uint8_t> key;
    std::vector<uint8_t> operand;
    std::vector<uint8_t> answer;
    KvStatus status{KvStatus::OK};
    uint64_t tag{0};
    uint32_t slot{0};
    uint32_t next{0}; ///< Next entry in the chain of its slot.
    bool isWriteBack{false};
    KvAccesses accesses;
    std::size_t nextAccess{0};
};

/**
 * @ingroup fpga-kv-direct
 * @brief Holds operations until they are answered: a small hash table whose slots have chains
 * (KV-Direct section 3.3.3).
 *
 * Operations in one slot are regarded as dependent.  One at a time is in the main pipeline; the
 * others are queued in the slot's chain, in the order of arrival.  The slot has the newest value of
 * the key that was in the pipeline last.  This value is forwarded to queued operations.
 *
 * Storage of entries is reused, so that a station that has been full once allocates nothing.
 */
class KvReservationStation
{
  public:
    static constexpr uint32_t NONE{UINT32_MAX};

    struct Slot
    {
        uint32_t first{NONE}; ///< The first queued entry.
        uint32_t last{NONE};
        uint32_t cursor{NONE};     ///< Entry that is examined next.
        uint32_t previous{NONE};   ///< The entry before the cursor.
        uint32_t until{NONE};      ///< The last entry to be examined.
        bool isExamined{false};    ///< The chain is being examined.
        bool isOrdered{false};     ///< Another key ends the examination; else it is skipped.
        bool isBusy{false};        ///< An entry is in the main pipeline.
        bool isWrittenBack{false}; ///< That entry is a write-back.
        bool hasValue{false};      ///< The members below match the store, or will be written back.
        bool isFound{false};       ///< The key has a value.
        bool isDirty{false};       ///< The value must be written back.
        std::vector<uint8_t> key;
        std::vector<uint8_t> value;
    };

    /// @param slots a power of two
    /// @param entries operations at most
    KvReservationStation(uint32_t slots, uint32_t entries);

    bool HasRoom() const
    {
        return m_used < m_capacity;
    }

    /// @return operations in the station.
    uint32_t GetUsed() const
    {
        return m_used;
    }

    /// Only if HasRoom().
    /// @param hash of the operation's key
    /// @return a new entry for an operation.
    uint32_t Add(const KvOperation& operation, uint64_t tag, uint64_t hash);

    /// @return a new entry that stores a slot's value; it is not counted by GetUsed().
    uint32_t AddWriteBack(uint32_t slot);

    /// Frees an entry that has been answered or written back.
    void Remove(uint32_t entry);

    KvEntry& GetEntry(uint32_t entry)
    {
        return m_entries[entry];
    }

    const KvEntry& GetEntry(uint32_t entry) const
    {
        return m_entries[entry];
    }

    Slot& GetSlot(uint32_t slot)
    {
        return m_slots[slot];
    }

    /// Puts an entry at the end of its slot's chain.
    void Append(uint32_t entry);

    /// Removes the first entry of a chain.
    /// @return NONE if the chain is empty
    uint32_t TakeFirst(uint32_t slot);

    /// Removes the entry at the cursor; the cursor advances.
    void TakeAtCursor(uint32_t slot);

  private:
    uint32_t NewEntry();

    std::vector<Slot> m_slots;
    std::vector<KvEntry> m_entries;
    std::vector<uint32_t> m_free;
    uint32_t m_capacity;
    uint32_t m_used{0};
};

} // namespace ns3::rdma

#endif // FPGA_KV_RESERVATION_STATION_H
