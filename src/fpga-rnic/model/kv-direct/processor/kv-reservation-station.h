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

/// An operation in the reservation station, or what writes a forwarded value back.
struct KvEntry
{
    KvOperation operation; ///< Its key and operand are the vectors below.
    std::vector<uint8_t> key;
    std::vector<uint8_t> operand;
    std::vector<uint8_t> answer;
    KvStatus status{KvStatus::OK};
    uint64_t tag{0};
    uint32_t slot{0};
    uint32_t next{0}; ///< In the chain of its slot.
    bool isWriteBack{false};
    KvAccesses accesses;
    std::size_t nextAccess{0};
};

/**
 * @ingroup fpga-kv-direct
 * @brief Where operations are until they are answered: a small hash table whose slots have chains
 * (KV-Direct section 3.3.3).
 *
 * Operations in one slot are regarded as dependent: one at a time is in the main pipeline, the
 * others wait in the slot's chain, in the order in which they came.  The slot has the newest value
 * of the key that was in the pipeline last, which is forwarded to the ones that wait.
 *
 * Storage of entries is used again, so that a station that has been full once allocates nothing.
 */
class KvReservationStation
{
  public:
    static constexpr uint32_t NONE{UINT32_MAX};

    struct Slot
    {
        uint32_t first{NONE}; ///< That waits.
        uint32_t last{NONE};
        uint32_t cursor{NONE};     ///< That is examined next.
        uint32_t previous{NONE};   ///< The one before it.
        uint32_t until{NONE};      ///< The last one that is examined.
        bool isExamined{false};    ///< The chain is, now.
        bool isOrdered{false};     ///< Entries with other keys end that, else it skips them.
        bool isBusy{false};        ///< An entry is in the main pipeline.
        bool isWrittenBack{false}; ///< That entry is one that writes back.
        bool hasValue{false};      ///< What follows is what the store has, or will be written back.
        bool isFound{false};       ///< The key has a value.
        bool isDirty{false};       ///< It is to be written back.
        std::vector<uint8_t> key;
        std::vector<uint8_t> value;
    };

    /// @param slots a power of two; @param entries operations at most
    KvReservationStation(uint32_t slots, uint32_t entries);

    bool HasRoom() const
    {
        return m_used < m_capacity;
    }

    /// @return operations in it.
    uint32_t GetUsed() const
    {
        return m_used;
    }

    /// @return a new entry for an operation; there is room. @param hash of its key
    uint32_t Add(const KvOperation& operation, uint64_t tag, uint64_t hash);

    /// @return a new entry that stores a slot's value; it takes no operation's room.
    uint32_t AddWriteBack(uint32_t slot);

    /// An entry is answered, or written back: it is free.
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

    /// Takes the first one out of a chain. @return NONE: the chain is empty
    uint32_t TakeFirst(uint32_t slot);

    /// Takes the one at the cursor out; the cursor moves on.
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
