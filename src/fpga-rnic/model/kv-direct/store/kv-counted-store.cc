// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-counted-store.h"

#include "ns3/abort.h"
#include "ns3/kv-bucket.h"
#include "ns3/kv-hash.h"
#include "ns3/kv-slab-pair.h"
#include "ns3/random-stream.h"
#include "ns3/slab-entry.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BUCKET_TYPE{1}; ///< Chained buckets are slabs of 64 bytes.
/// Salts that make draws for different purposes independent.
constexpr uint64_t TIME_SALT{0x74696d65};
constexpr uint64_t POSITION_SALT{0x706c6163};
constexpr uint64_t CHAIN_SALT{0x636861696e};

/// @return a number in [0, 1).
double
GetUniform(uint64_t bits)
{
    constexpr uint32_t MANTISSA{53};
    return std::ldexp(static_cast<double>(bits >> (64 - MANTISSA)), -static_cast<int>(MANTISSA));
}
} // namespace

KvCountedStore::KvCountedStore(const KvStoreSettings& settings, const KvPairsOfStore& pairs)
    : m_settings(settings),
      m_layout(settings),
      m_pairs(pairs),
      m_isInline(pairs.keyBytes + pairs.valueBytes <= settings.inlineThreshold),
      m_pairsPerBucket(m_isInline ? KvBucket::SLOTS /
                                        KvBucket::CountSlots(pairs.keyBytes + pairs.valueBytes)
                                  : KvBucket::SLOTS),
      m_slabType(0),
      m_load(static_cast<double>(pairs.count) / static_cast<double>(m_layout.GetBuckets())),
      m_value(pairs.valueBytes)
{
    const auto fault = settings.FindFault();
    NS_ABORT_MSG_IF(fault.has_value(), "key-value store: " << *fault);
    if (!m_isInline)
    {
        const auto type =
            KvSlabPair::FindType(pairs.keyBytes + pairs.valueBytes, m_layout.GetMaxType());
        NS_ABORT_MSG_IF(!type, "key-value store: a pair does not fit into the largest slab");
        m_slabType = *type;
    }
}

uint64_t
KvCountedStore::GetHash(ByteView key) const
{
    return GetBucketHash(key, m_settings.hashSeed, m_layout.GetBuckets());
}

double
KvCountedStore::GetMemoryUtilization() const
{
    return static_cast<double>(m_pairs.count) * (m_pairs.keyBytes + m_pairs.valueBytes) /
           static_cast<double>(m_settings.memoryBytes);
}

uint32_t
KvCountedStore::DrawPosition(uint64_t draw) const
{
    const double mean = m_load * GetUniform(RandomStream::Scramble(draw + TIME_SALT));
    const double uniform = GetUniform(RandomStream::Scramble(draw + POSITION_SALT));
    uint32_t position = 0;
    double term = std::exp(-mean);
    // Rounding may keep the sum below `uniform`; the loop then ends when the term is 0.
    for (double sum = term; uniform >= sum && term > 0; sum += term)
    {
        ++position;
        term *= mean / position;
    }
    return position;
}

uint64_t
KvCountedStore::DrawSlab(uint64_t draw, uint32_t type) const
{
    const uint64_t slabs = m_layout.GetUnits() >> type;
    const uint64_t unit =
        m_layout.GetFirstUnit() + ((RandomStream::Scramble(draw) % slabs) << type);
    return m_settings.base + unit * SlabEntry::UNIT_BYTES;
}

KvStatus
KvCountedStore::Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses)
{
    if (key.GetSize() != m_pairs.keyBytes)
    {
        return KvStatus::BAD_OPERAND;
    }
    const uint64_t hash = GetHash(key);
    const auto bucket = static_cast<uint32_t>(hash);
    const uint32_t links = DrawPosition(hash) / m_pairsPerBucket + 1;
    uint64_t address = m_settings.base + uint64_t{bucket} * KvBucket::BYTES;
    auto cause = KvAccess::Cause::BUCKET;
    accesses.push_back({address, KvBucket::BYTES, false, cause, false});
    for (uint32_t link = 1; link < links; ++link)
    {
        const uint64_t number = uint64_t{link} << 32 | bucket;
        address = DrawSlab(number + CHAIN_SALT, BUCKET_TYPE);
        cause = KvAccess::Cause::CHAIN;
        accesses.push_back({address, KvBucket::BYTES, false, cause, false});
    }
    uint32_t bytes = KvBucket::BYTES;
    if (!m_isInline)
    {
        address = DrawSlab(hash, m_slabType);
        bytes = SlabEntry::UNIT_BYTES << m_slabType;
        cause = KvAccess::Cause::SLAB;
        accesses.push_back({address, bytes, false, cause, false});
    }
    for (std::size_t i = 0; i < std::min(m_value.size(), sizeof(hash)); ++i)
    {
        m_value[i] = static_cast<uint8_t>(hash >> 8 * i);
    }
    const KvChange change = visitor.OnValue(true, ByteView(m_value));
    if (change.kind == KvChange::Kind::KEEP)
    {
        return KvStatus::OK;
    }
    if (change.kind == KvChange::Kind::REMOVE || change.value.GetSize() != m_pairs.valueBytes)
    {
        return KvStatus::BAD_OPERAND;
    }
    // The new value overwrites the old one.
    accesses.push_back({address, bytes, true, cause, false});
    return KvStatus::OK;
}

} // namespace ns3::rdma
