// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-bucket.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t SLOT_MASK{(1U << KvBucket::SLOTS) - 1};
constexpr uint32_t FIELDS_MASK{(1U << (3 * KvBucket::SLOTS)) - 1};
constexpr uint32_t POINTER_MASK{(1U << KvBucket::POINTER_BITS) - 1};

/**
 * The metadata are 112 bits from byte 50 on: slab types 0 to 29, begin 30 to 39, end 40 to 49,
 * pointer to the next bucket 50 to 80, padding 81 to 110.  They are read as two words: bytes 48 to
 * 55, which include two bytes of the last slot, and bytes 56 to 63.
 */
constexpr uint32_t LOW_OFFSET{48};
constexpr uint32_t HIGH_OFFSET{56};
constexpr uint32_t TYPES_SHIFT{16};
constexpr uint32_t BEGIN_SHIFT{46};
constexpr uint32_t END_LOW_SHIFT{56}; ///< 8 of its bits in the low word, 2 in the high one.
constexpr uint32_t END_LOW_BITS{8};
constexpr uint32_t NEXT_SHIFT{2};
constexpr uint32_t PADDING_SHIFT{33};

/// @param width bits per slot
/// @return the bits without those of the removed slots.
uint32_t
CloseGap(uint32_t bits, uint32_t slot, uint32_t slots, uint32_t width)
{
    const uint32_t below = (1U << (slot * width)) - 1;
    return (bits & below) | (static_cast<uint32_t>(uint64_t{bits} >> (slots * width)) & ~below);
}
} // namespace

void
KvBucket::Load(const uint8_t* bytes)
{
    std::copy_n(bytes, BYTES, m_image.begin());
    Decode();
}

void
KvBucket::Save(uint8_t* bytes) const
{
    KvBucket copy(*this);
    std::copy_n(copy.Encode(), BYTES, bytes);
}

void
KvBucket::Decode()
{
    const uint64_t low = boost::endian::load_little_u64(m_image.data() + LOW_OFFSET);
    const uint64_t high = boost::endian::load_little_u64(m_image.data() + HIGH_OFFSET);
    m_types = static_cast<uint32_t>(low >> TYPES_SHIFT) & FIELDS_MASK;
    m_begin = static_cast<uint32_t>(low >> BEGIN_SHIFT) & SLOT_MASK;
    m_end = static_cast<uint32_t>((low >> END_LOW_SHIFT) | (high << END_LOW_BITS)) & SLOT_MASK;
    m_next = static_cast<uint32_t>(high >> NEXT_SHIFT) & POINTER_MASK;
    m_padding = static_cast<uint32_t>(high >> PADDING_SHIFT) & FIELDS_MASK;
    // Items have no gaps: after the last inline pair there are pointers, then free slots.
    m_used = m_end == 0 ? 0 : 32 - static_cast<uint32_t>(__builtin_clz(m_end));
    while (m_used < SLOTS && GetPointer(m_used).unit != 0)
    {
        ++m_used;
    }
}

const uint8_t*
KvBucket::Encode()
{
    // The low word's first two bytes are the end of the last slot.
    const uint64_t low = m_image[LOW_OFFSET] | (uint64_t{m_image[LOW_OFFSET + 1]} << 8) |
                         (uint64_t{m_types} << TYPES_SHIFT) | (uint64_t{m_begin} << BEGIN_SHIFT) |
                         (uint64_t{m_end} << END_LOW_SHIFT);
    const uint64_t high = (uint64_t{m_end} >> END_LOW_BITS) | (uint64_t{m_next} << NEXT_SHIFT) |
                          (uint64_t{m_padding} << PADDING_SHIFT);
    boost::endian::store_little_u64(m_image.data() + LOW_OFFSET, low);
    boost::endian::store_little_u64(m_image.data() + HIGH_OFFSET, high);
    return m_image.data();
}

KvBucket::Pointer
KvBucket::GetPointer(uint32_t slot) const
{
    const uint8_t* bytes = m_image.data() + slot * SLOT_BYTES;
    const uint64_t value =
        boost::endian::load_little_u32(bytes) | (uint64_t{bytes[SLOT_BYTES - 1]} << 32);
    return {static_cast<uint32_t>(value) & POINTER_MASK,
            static_cast<uint32_t>(value >> POINTER_BITS),
            GetField(m_types, slot)};
}

void
KvBucket::AppendInline(ByteView key, ByteView value)
{
    const std::size_t bytes = key.GetSize() + value.GetSize();
    const uint32_t slots = CountSlots(bytes);
    const uint32_t slot = m_used;
    NS_ASSERT_MSG(key.GetSize() > 0 && slots <= GetFreeSlots(), "no room for an inline pair");
    uint8_t* place = m_image.data() + slot * SLOT_BYTES;
    std::copy_n(key.GetData(), key.GetSize(), place);
    std::copy_n(value.GetData(), value.GetSize(), place + key.GetSize());
    std::fill_n(place + bytes, slots * SLOT_BYTES - bytes, uint8_t{0});
    m_begin |= 1U << slot;
    m_end |= 1U << (slot + slots - 1);
    SetField(m_padding, slot, static_cast<uint32_t>(slots * SLOT_BYTES - bytes));
    const auto keyBytes = static_cast<uint32_t>(key.GetSize());
    SetField(m_types, slot, keyBytes & 7);
    if (slots > 1)
    {
        SetField(m_types, slot + 1, keyBytes >> FIELD_BITS);
    }
    m_used += slots;
}

void
KvBucket::AppendPointer(const Pointer& pointer)
{
    NS_ASSERT_MSG(GetFreeSlots() > 0, "no room for a pointer");
    SetPointer(m_used++, pointer);
}

void
KvBucket::SetPointer(uint32_t slot, const Pointer& pointer)
{
    NS_ASSERT_MSG(pointer.unit != 0 && pointer.unit <= POINTER_MASK, "no such slab");
    uint8_t* bytes = m_image.data() + slot * SLOT_BYTES;
    const uint64_t value = pointer.unit | (uint64_t{pointer.hash} << POINTER_BITS);
    boost::endian::store_little_u32(bytes, static_cast<uint32_t>(value));
    bytes[SLOT_BYTES - 1] = static_cast<uint8_t>(value >> 32);
    SetField(m_types, slot, pointer.slabType);
}

void
KvBucket::Remove(const Item& item)
{
    const uint32_t behind = item.slot + item.slots;
    std::memmove(m_image.data() + item.slot * SLOT_BYTES,
                 m_image.data() + behind * SLOT_BYTES,
                 (m_used - behind) * SLOT_BYTES);
    m_used -= item.slots;
    std::fill(m_image.begin() + m_used * SLOT_BYTES,
              m_image.begin() + MAX_INLINE_BYTES,
              uint8_t{0});
    m_begin = CloseGap(m_begin, item.slot, item.slots, 1);
    m_end = CloseGap(m_end, item.slot, item.slots, 1);
    m_types = CloseGap(m_types, item.slot, item.slots, FIELD_BITS);
    m_padding = CloseGap(m_padding, item.slot, item.slots, FIELD_BITS);
}

void
KvBucket::SetField(uint32_t& fields, uint32_t slot, uint32_t value)
{
    const uint32_t shift = slot * FIELD_BITS;
    fields = (fields & ~(7U << shift)) | (value << shift);
}

} // namespace ns3::rdma
