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
 * The paper's: 10 slots of 5 bytes, each a pointer of 31 bits, in units of 32 bytes, and a
 * secondary hash of 9 bits; a slab type of 3 bits per slot; a bitmap of the slots where inline
 * pairs begin and end; a pointer to the next bucket of the chain.  An inline pair, key before
 * value, takes the place of as many slots as it needs.  That is 481 bits.
 *
 * Ours: the place of each field (metadata from byte 50 on), and the lengths of inline pairs, which
 * the paper needs and does not show.  They fill no slot, as pairs of a multiple of 5 bytes use
 * theirs whole.  Three of the 31 spare bits belong to each slot: those of the first slot hold the
 * bytes of padding (0 to 4).  The slab types of an inline pair's slots have no other use: those of
 * its first two hold the length of its key (1 to 50; with one slot, 1 to 5 in three bits).  Items
 * have no gaps between them: a bucket is always written whole, so that closing them is free.
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

    /// What a slot points to.
    struct Pointer
    {
        uint32_t unit{0};     ///< Address in units of 32 bytes; 0 never.
        uint32_t hash{0};     ///< Secondary.
        uint32_t slabType{0}; ///< 32 << type bytes; 0 to 7.
    };

    /// An inline pair, or a pointer.
    struct Item
    {
        uint32_t slot{0};  ///< The first of its slots.
        uint32_t slots{0}; ///< 0: there is no further item.
        bool isInline{false};
    };

    /// @param bytes 64 of them
    void Load(const uint8_t* bytes);
    void Save(uint8_t* bytes) const;

    /// The same without a copy: 64 bytes to write into, and to decode then. Of an empty bucket, and
    /// after Decode() or Encode(), they are those of the bucket.
    uint8_t* GetImage()
    {
        return m_image.data();
    }

    void Decode();
    const uint8_t* Encode();

    /// @param slot where the item before ended; 0: the first item
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

    /// @return slots that an inline pair takes. @param bytes of key and value, 1 to 50
    static constexpr uint32_t CountSlots(std::size_t bytes)
    {
        return static_cast<uint32_t>((bytes + SLOT_BYTES - 1) / SLOT_BYTES);
    }

    /// Behind the other items, where there is room. @param key not empty, part of no bucket; nor is
    /// the value
    void AppendInline(ByteView key, ByteView value);
    void AppendPointer(const Pointer& pointer);

    void SetPointer(uint32_t slot, const Pointer& pointer);

    /// Closes the gap that the item leaves.
    void Remove(const Item& item);

    /// @return the next bucket's address in units of 32 bytes; 0: this is the last.
    uint32_t GetNext() const
    {
        return m_next;
    }

    void SetNext(uint32_t unit)
    {
        m_next = unit;
    }

  private:
    static constexpr uint32_t FIELD_BITS{3}; ///< Of a slab type, of a length of padding.

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

    uint32_t m_types{0};   ///< Of slabs, and lengths of keys: three bits per slot.
    uint32_t m_padding{0}; ///< Of inline pairs: three bits per slot.
    uint32_t m_begin{0};   ///< Slots in which inline pairs begin.
    uint32_t m_end{0};
    uint32_t m_next{0};
    uint32_t m_used{0};                   ///< Not in the 64 bytes.
    std::array<uint8_t, BYTES> m_image{}; ///< The slots; metadata as of the last Encode().
};

} // namespace ns3::rdma

#endif // FPGA_KV_BUCKET_H
