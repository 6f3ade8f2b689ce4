// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_BUCKET_H
#define FPGA_KV_BUCKET_H

#include "ns3/byte-view.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief A bucket of the hash index, 64 bytes (KV-Direct, section 3.3.1 and Figure 5).
 *
 * From the paper: 10 slots of 5 bytes, each a pointer of 31 bits, in units of 32 bytes, and a
 * secondary hash of 9 bits; a slab type of 3 bits per slot; a bitmap of the slots where inline
 * pairs begin and end; a pointer to the next bucket of the chain.  An inline pair, key before
 * value, occupies as many slots as it needs.  That is 481 bits.
 *
 * Ours: the position of each field (metadata from byte 50 on), and the lengths of inline pairs,
 * which the paper needs but does not show.  The lengths use no slot, as pairs of a multiple of 5
 * bytes fill theirs.  Three of the 31 spare bits belong to each slot: those of the first slot hold
 * the bytes of padding (0 to 4).  The slab types of an inline pair's slots are otherwise unused.
 * Those of its first two slots hold the length of its key (1 to 50; with one slot, 1 to 5 in three
 * bits).  Items have no gaps between them: a bucket is always written whole, so that closing them
 * is free.
 */
class KvBucket
{
  public:
    static constexpr uint32_t BYTES{64};
    static constexpr uint32_t SLOTS{10};
    static constexpr uint32_t SLOT_BYTES{5};
    static constexpr uint32_t MAX_INLINE_BYTES{SLOTS * SLOT_BYTES};
    static constexpr uint32_t POINTER_BITS{31};
    static constexpr uint32_t HASH_BITS{9}; ///< Of a secondary hash.

    /// The content of a slot that is not inline.
    struct Pointer
    {
        uint32_t unit{0};     ///< Address in units of 32 bytes; not 0.
        uint32_t hash{0};     ///< Secondary hash.
        uint32_t slabType{0}; ///< 32 << type bytes; 0 to 7.
    };

    /// An inline pair, or a pointer.
    struct Item
    {
        uint32_t slot{0};  ///< The first of its slots.
        uint32_t slots{0}; ///< 0: there is no further item.
        bool isInline{false};
    };

    /// @param bytes of length 64
    void Load(const uint8_t* bytes);
    void Save(uint8_t* bytes) const;

    /// Access without a copy: 64 bytes to write, followed by Decode(). They have the bucket's
    /// content if it is empty, and after Decode() or Encode().
    uint8_t* GetImage()
    {
        return m_image.data();
    }

    void Decode();
    const uint8_t* Encode();

    /// @param slot first slot after the previous item; 0 for the first item
    Item GetItem(uint32_t slot) const
    {
        if (slot >= m_used)
        {
            return {slot, 0, false};
        }
        if ((m_begin >> slot & 1) == 0)
        {
            return {slot, 1, false};
        }
        return {slot, static_cast<uint32_t>(__builtin_ctz(m_end >> slot)) + 1, true};
    }

    Pointer GetPointer(uint32_t slot) const;

    /// @param item inline. The views are valid until the bucket changes.
    ByteView GetKey(const Item& item) const
    {
        return {m_image.data() + item.slot * SLOT_BYTES, CountKeyBytes(item)};
    }

    ByteView GetValue(const Item& item) const
    {
        const uint32_t keyBytes = CountKeyBytes(item);
        const uint32_t bytes = item.slots * SLOT_BYTES - GetField(m_padding, item.slot);
        return {m_image.data() + item.slot * SLOT_BYTES + keyBytes, bytes - keyBytes};
    }

    uint32_t GetUsedSlots() const
    {
        return m_used;
    }

    uint32_t GetFreeSlots() const
    {
        return SLOTS - m_used;
    }

    /// @param bytes of key and value, 1 to 50
    /// @return slots of an inline pair.
    static constexpr uint32_t CountSlots(std::size_t bytes)
    {
        return static_cast<uint32_t>((bytes + SLOT_BYTES - 1) / SLOT_BYTES);
    }

    /// Appends a pair after the other items; only if there is room.
    /// @param key not empty; neither key nor value is part of a bucket
    void AppendInline(ByteView key, ByteView value);
    void AppendPointer(const Pointer& pointer);

    void SetPointer(uint32_t slot, const Pointer& pointer);

    /// Removes an item and closes the gap.
    void Remove(const Item& item);

    /// @return the next bucket's address in units of 32 bytes; 0 if this is the last.
    uint32_t GetNext() const
    {
        return m_next;
    }

    void SetNext(uint32_t unit)
    {
        m_next = unit;
    }

  private:
    static constexpr uint32_t FIELD_BITS{3}; ///< Of a slab type or a length of padding.

    static uint32_t GetField(uint32_t fields, uint32_t slot)
    {
        return fields >> (slot * FIELD_BITS) & ((1U << FIELD_BITS) - 1);
    }

    static void SetField(uint32_t& fields, uint32_t slot, uint32_t value);

    uint32_t CountKeyBytes(const Item& item) const
    {
        const uint32_t low = GetField(m_types, item.slot);
        return item.slots == 1 ? low : low | GetField(m_types, item.slot + 1) << FIELD_BITS;
    }

    uint32_t m_types{0};   ///< Slab types and key lengths: three bits per slot.
    uint32_t m_padding{0}; ///< Padding of inline pairs: three bits per slot.
    uint32_t m_begin{0};   ///< Slots in which inline pairs begin.
    uint32_t m_end{0};
    uint32_t m_next{0};
    uint32_t m_used{0};                   ///< Used slots; not in the 64 bytes.
    std::array<uint8_t, BYTES> m_image{}; ///< The slots; metadata as of the last Encode().
};

} // namespace ns3::rdma

#endif // FPGA_KV_BUCKET_H
