// SPDX-License-Identifier: GPL-2.0-only
#ifndef KV_TEST_BENCH_H
#define KV_TEST_BENCH_H

#include "ns3/host-memory.h"
#include "ns3/kv-store.h"
#include "ns3/kv-visitors.h"

#include <boost/endian/conversion.hpp>
#include <string>
#include <vector>

namespace ns3::rdma::test
{

using Bytes = std::vector<uint8_t>;

inline Bytes
MakeBytes(const std::string& text)
{
    return {text.begin(), text.end()};
}

/// A key of so many bytes, the number in front; further bytes repeat a letter.
inline Bytes
MakeKey(uint64_t number, std::size_t bytes)
{
    Bytes key(std::max<std::size_t>(bytes, sizeof number), 'k');
    boost::endian::store_little_u64(key.data(), number);
    key.resize(bytes);
    return key;
}

/// A store in a memory of its own, and the accesses of its last operation.
class KvTestBench
{
  public:
    explicit KvTestBench(const KvStoreSettings& settings)
        : m_store(settings, m_memory)
    {
    }

    KvStatus Put(const Bytes& key, const Bytes& value)
    {
        KvPutter putter{ByteView(value)};
        return Visit(key, putter);
    }

    KvStatus Get(const Bytes& key)
    {
        return Visit(key, m_getter);
    }

    KvStatus Delete(const Bytes& key)
    {
        KvRemover remover;
        return Visit(key, remover);
    }

    KvStatus Visit(const Bytes& key, KvVisitor& visitor)
    {
        m_accesses.clear();
        return m_store.Visit(ByteView(key), visitor, m_accesses);
    }

    /// @return what the last Get() found.
    const Bytes& GetValue() const
    {
        return m_getter.GetValue();
    }

    /// @return a letter per access, as "Br Sr Sw": bucket, chain, slab, allocator; read or write.
    /// Background accesses have none.
    std::string GetAccesses() const
    {
        std::string text;
        for (const KvAccess& access : m_accesses)
        {
            if (!access.isBackground)
            {
                text += text.empty() ? "" : " ";
                text += "BCSA"[static_cast<int>(access.cause)];
                text += access.isWrite ? 'w' : 'r';
            }
        }
        return text;
    }

    const KvAccesses& GetAccessList() const
    {
        return m_accesses;
    }

    KvStore& GetStore()
    {
        return m_store;
    }

    PayloadMemory& GetMemory()
    {
        return m_memory;
    }

  private:
    HostMemory m_memory;
    KvStore m_store;
    KvAccesses m_accesses;
    KvGetter m_getter;
};

} // namespace ns3::rdma::test

#endif // KV_TEST_BENCH_H
