// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-store.h"

#include "ns3/abort.h"
#include "ns3/kv-hash.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BUCKET_UNITS{KvBucket::BYTES / SlabEntry::UNIT_BYTES};
constexpr uint32_t BUCKET_TYPE{1}; ///< Chained buckets are slabs of 64 bytes.
constexpr uint32_t SECONDARY_MASK{(1U << KvBucket::HASH_BITS) - 1};
constexpr uint32_t UPPER{32}; ///< First bit of a hash above the bucket's number.

/// @param left not empty, nor is right
bool
IsEqual(ByteView left, ByteView right)
{
    // Most keys differ in their first byte.
    return left.GetSize() == right.GetSize() && left.GetData()[0] == right.GetData()[0] &&
           std::memcmp(left.GetData(), right.GetData(), left.GetSize()) == 0;
}

const KvStoreSettings&
Check(const KvStoreSettings& settings)
{
    const auto fault = settings.FindFault();
    NS_ABORT_MSG_IF(fault.has_value(), "key-value store: " << *fault);
    return settings;
}

uint32_t
GetSecondary(uint64_t hash)
{
    return static_cast<uint32_t>(hash >> UPPER) & SECONDARY_MASK;
}
} // namespace

KvStore::KvStore(const KvStoreSettings& settings, PayloadMemory& memory)
    : m_settings(Check(settings)),
      m_layout(settings),
      m_memory(memory),
      m_allocator(settings.allocator, m_layout, memory)
{
}

KvStatus
KvStore::Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses)
{
    if (key.GetSize() == 0)
    {
        return KvStatus::KEY_EMPTY;
    }
    if (key.GetSize() > MAX_KEY_BYTES)
    {
        return KvStatus::KEY_TOO_LONG;
    }
    const uint64_t hash = GetHash(key);
    Find(key, hash, accesses);
    const KvChange change = visitor.OnValue(m_found.isThere, m_found.value);
    switch (change.kind)
    {
    case KvChange::Kind::STORE:
        return Store(key, hash, change.value, accesses);
    case KvChange::Kind::REMOVE:
        return Remove(accesses);
    case KvChange::Kind::KEEP:
        break;
    }
    return m_found.isThere ? KvStatus::OK : KvStatus::NOT_FOUND;
}

uint64_t
KvStore::GetHash(ByteView key) const
{
    return GetBucketHash(key, m_settings.hashSeed, m_layout.GetBuckets());
}

double
KvStore::GetMemoryUtilization() const
{
    return static_cast<double>(m_stats.pairBytes) / static_cast<double>(m_settings.memoryBytes);
}

std::vector<uint64_t>
KvStore::CountChainLengths() const
{
    std::vector<uint64_t> lengths(2);
    std::array<uint8_t, KvBucket::BYTES> bytes{};
    KvBucket bucket;
    for (uint64_t primary = 0; primary < m_layout.GetBuckets(); ++primary)
    {
        auto unit = static_cast<uint32_t>(primary * BUCKET_UNITS);
        std::size_t length = 0;
        do
        {
            m_memory.Read(GetAddress(unit), bytes.data(), bytes.size());
            bucket.Load(bytes.data());
            unit = bucket.GetNext();
            ++length;
        } while (unit != 0);
        lengths.resize(std::max(lengths.size(), length + 1));
        ++lengths[length];
    }
    return lengths;
}

uint64_t
KvStore::GetAddress(uint32_t unit) const
{
    return m_settings.base + uint64_t{unit} * SlabEntry::UNIT_BYTES;
}

/// @return a further link; the caller sets its bucket.
KvStore::Link&
KvStore::AddLink(uint32_t unit)
{
    if (m_linkCount == m_links.size())
    {
        m_links.emplace_back();
    }
    Link& link = m_links[m_linkCount++];
    link.unit = unit;
    link.isChanged = false;
    return link;
}

void
KvStore::LoadLink(uint32_t unit, KvAccesses& accesses)
{
    const auto cause = m_linkCount == 0 ? KvAccess::Cause::BUCKET : KvAccess::Cause::CHAIN;
    Link& link = AddLink(unit);
    m_memory.Read(GetAddress(unit), link.bucket.GetImage(), KvBucket::BYTES);
    link.bucket.Decode();
    accesses.push_back({GetAddress(unit), KvBucket::BYTES, false, cause, false});
}

/// @return whether there is a further bucket.
bool
KvStore::LoadNext(KvAccesses& accesses)
{
    const uint32_t next = m_links[m_linkCount - 1].bucket.GetNext();
    if (next != 0)
    {
        LoadLink(next, accesses);
    }
    return next != 0;
}

void
KvStore::Find(ByteView key, uint64_t hash, KvAccesses& accesses)
{
    m_linkCount = 0;
    m_found = Found();
    m_found.keyBytes = key.GetSize();
    LoadLink(static_cast<uint32_t>(hash) * BUCKET_UNITS, accesses);
    do
    {
        m_found.link = m_linkCount - 1;
        m_found.isThere = FindInLink(key, GetSecondary(hash), accesses);
    } while (!m_found.isThere && LoadNext(accesses));
}

/// Searches the last link.
bool
KvStore::FindInLink(ByteView key, uint32_t secondary, KvAccesses& accesses)
{
    const KvBucket& bucket = m_links[m_linkCount - 1].bucket;
    for (KvBucket::Item item = bucket.GetItem(0); item.slots > 0;
         item = bucket.GetItem(item.slot + item.slots))
    {
        if (item.isInline)
        {
            if (IsEqual(bucket.GetKey(item), key))
            {
                m_found.item = item;
                m_found.value = bucket.GetValue(item);
                return true;
            }
            continue;
        }
        const KvBucket::Pointer pointer = bucket.GetPointer(item.slot);
        if (pointer.hash == secondary && ReadSlab(key, pointer, accesses))
        {
            m_found.item = item;
            m_found.pointer = pointer;
            return true;
        }
    }
    return false;
}

/// @return whether the slab holds the key.
bool
KvStore::ReadSlab(ByteView key, const KvBucket::Pointer& pointer, KvAccesses& accesses)
{
    // The whole slab is read, since it contains the length of its pair.
    const uint32_t bytes = SlabEntry::UNIT_BYTES << pointer.slabType;
    m_memory.Read(GetAddress(pointer.unit), m_slab.data(), bytes);
    accesses.push_back({GetAddress(pointer.unit), bytes, false, KvAccess::Cause::SLAB, false});
    const KvSlabPair pair = KvSlabPair::Decode(pointer.slabType, m_slab.data());
    if (IsEqual(pair.key, key))
    {
        m_found.value = pair.value;
        return true;
    }
    ++m_stats.falsePositives;
    return false;
}

KvStatus
KvStore::Store(ByteView key, uint64_t hash, ByteView value, KvAccesses& accesses)
{
    return key.GetSize() + value.GetSize() <= m_settings.inlineThreshold
               ? StoreInline(key, value, accesses)
               : StoreInSlab(key, hash, value, accesses);
}

KvStatus
KvStore::StoreInline(ByteView key, ByteView value, KvAccesses& accesses)
{
    // The value may be part of a bucket that is about to change.
    std::array<uint8_t, KvBucket::MAX_INLINE_BYTES> copy;
    std::copy_n(value.GetData(), value.GetSize(), copy.begin());
    const std::size_t bytes = key.GetSize() + value.GetSize();
    std::size_t link = FindRoom(KvBucket::CountSlots(bytes), accesses);
    if (link == NO_LINK)
    {
        link = AppendLink(accesses);
        if (link == NO_LINK)
        {
            return KvStatus::NO_MEMORY;
        }
    }
    TakeOut();
    m_links[link].bucket.AppendInline(key, ByteView(copy.data(), value.GetSize()));
    m_links[link].isChanged = true;
    ++m_stats.inlineKeys;
    FinishStore(bytes, accesses);
    return KvStatus::OK;
}

KvStatus
KvStore::StoreInSlab(ByteView key, uint64_t hash, ByteView value, KvAccesses& accesses)
{
    const std::size_t bytes = key.GetSize() + value.GetSize();
    const auto type = KvSlabPair::FindType(bytes, m_layout.GetMaxType());
    if (!type)
    {
        return KvStatus::VALUE_TOO_LONG;
    }
    const KvSlabPair pair{key, value};
    if (m_found.isThere && !m_found.item.isInline && m_found.pointer.slabType == *type)
    {
        m_stats.pairBytes += bytes - key.GetSize() - m_found.value.GetSize();
        WriteSlab(pair, m_found.pointer, accesses);
        return KvStatus::OK;
    }
    const KvBucket::Pointer pointer{m_allocator.Allocate(*type, accesses),
                                    GetSecondary(hash),
                                    *type};
    if (pointer.unit == 0)
    {
        return KvStatus::NO_MEMORY;
    }
    std::size_t link = FindRoom(1, accesses);
    if (link == NO_LINK)
    {
        link = AppendLink(accesses);
        if (link == NO_LINK)
        {
            m_allocator.Free(pointer.unit, *type, accesses);
            return KvStatus::NO_MEMORY;
        }
    }
    WriteSlab(pair, pointer, accesses);
    TakeOut();
    m_links[link].bucket.AppendPointer(pointer);
    m_links[link].isChanged = true;
    FinishStore(bytes, accesses);
    return KvStatus::OK;
}

/// @return a link with enough free slots after the old pair is removed; NO_LINK if there is none.
std::size_t
KvStore::FindRoom(uint32_t slots, KvAccesses& accesses)
{
    if (m_found.isThere)
    {
        const KvBucket& bucket = m_links[m_found.link].bucket;
        if (bucket.GetFreeSlots() + m_found.item.slots >= slots)
        {
            return m_found.link; // One bucket to write.
        }
    }
    for (std::size_t link = 0; link < m_linkCount || LoadNext(accesses); ++link)
    {
        if (m_links[link].bucket.GetFreeSlots() >= slots)
        {
            return link;
        }
    }
    return NO_LINK;
}

/// Only if the whole chain is loaded.
/// @return the new link at the end of the chain; NO_LINK if there is no memory.
std::size_t
KvStore::AppendLink(KvAccesses& accesses)
{
    const uint32_t unit = m_allocator.Allocate(BUCKET_TYPE, accesses);
    if (unit == 0)
    {
        return NO_LINK;
    }
    m_links[m_linkCount - 1].bucket.SetNext(unit);
    m_links[m_linkCount - 1].isChanged = true;
    AddLink(unit).bucket = KvBucket();
    ++m_stats.chainedBuckets;
    return m_linkCount - 1;
}

void
KvStore::WriteSlab(const KvSlabPair& pair, const KvBucket::Pointer& pointer, KvAccesses& accesses)
{
    const uint32_t bytes = pair.Encode(pointer.slabType, m_newSlab.data());
    m_memory.Write(GetAddress(pointer.unit), m_newSlab.data(), bytes);
    accesses.push_back({GetAddress(pointer.unit), bytes, true, KvAccess::Cause::SLAB, false});
}

/// Called when the new pair is in its bucket and the old one is removed.
void
KvStore::FinishStore(std::size_t pairBytes, KvAccesses& accesses)
{
    ++m_stats.keys;
    m_stats.pairBytes += pairBytes;
    WriteLinks(accesses);
    FreeOldSlab(accesses);
}

KvStatus
KvStore::Remove(KvAccesses& accesses)
{
    if (!m_found.isThere)
    {
        return KvStatus::NOT_FOUND;
    }
    TakeOut();
    Link& link = m_links[m_found.link];
    if (m_found.link > 0 && link.bucket.GetUsedSlots() == 0)
    {
        Link& previous = m_links[m_found.link - 1];
        previous.bucket.SetNext(link.bucket.GetNext());
        previous.isChanged = true;
        link.isChanged = false;
        m_allocator.Free(link.unit, BUCKET_TYPE, accesses);
        --m_stats.chainedBuckets;
    }
    WriteLinks(accesses);
    FreeOldSlab(accesses);
    return KvStatus::OK;
}

/// Removes the old pair, if there is one, from its bucket.
void
KvStore::TakeOut()
{
    if (!m_found.isThere)
    {
        return;
    }
    --m_stats.keys;
    m_stats.pairBytes -= m_found.keyBytes + m_found.value.GetSize();
    m_stats.inlineKeys -= m_found.item.isInline ? 1 : 0;
    m_links[m_found.link].bucket.Remove(m_found.item);
    m_links[m_found.link].isChanged = true;
}

void
KvStore::FreeOldSlab(KvAccesses& accesses)
{
    if (m_found.isThere && !m_found.item.isInline)
    {
        m_allocator.Free(m_found.pointer.unit, m_found.pointer.slabType, accesses);
    }
}

/// Writes the changed buckets, the end of the chain first: no bucket points to an unwritten one.
void
KvStore::WriteLinks(KvAccesses& accesses)
{
    for (std::size_t link = m_linkCount; link-- > 0;)
    {
        if (m_links[link].isChanged)
        {
            const auto cause = link == 0 ? KvAccess::Cause::BUCKET : KvAccess::Cause::CHAIN;
            const uint64_t address = GetAddress(m_links[link].unit);
            m_memory.Write(address, m_links[link].bucket.Encode(), KvBucket::BYTES);
            accesses.push_back({address, KvBucket::BYTES, true, cause, false});
        }
    }
}

} // namespace ns3::rdma
