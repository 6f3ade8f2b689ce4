// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-kernel.h"
#include "ns3/lookup-method.h"
#include "ns3/traversal-kernel.h"

#include <array>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_ENTRIES{1U << 16U};
constexpr uint64_t ARGUMENT_BYTES{8}; ///< Of the RPC: the key.

// GetEntry for the traversal kernel, in words of 4 bytes: keys at 0, 5 and 10, each with its
// pointer 2 words behind it.
constexpr uint16_t KEY_MASK{1U | 1U << 5U | 1U << 10U};
constexpr uint8_t POINTER_WORD{2};

enum class TableFault
{
    NONE,
    ABSENT,
    NULL_VALUE,
    WILD_VALUE
};

constexpr std::array<std::pair<const char*, TableFault>, 4> FAULTS{
    {{"none", TableFault::NONE},
     {"absent", TableFault::ABSENT},
     {"null-value", TableFault::NULL_VALUE},
     {"wild-value", TableFault::WILD_VALUE}}};

/// Whether it is the traversal kernel.
constexpr std::array<std::pair<const char*, bool>, 2> KERNELS{
    {{"traversal", true}, {"get", false}}};

struct TableOptions
{
    uint32_t entries{1024};
    uint32_t valueBytes{64};
    TableFault fault{TableFault::NONE};
    bool isTraversal{true}; ///< The kernel.
};

/// A hash table in the server's memory, full, three buckets to an entry; the client can tell the
/// entry from a key, as in Pilaf.
class RemoteTable
{
  public:
    RemoteTable(const TableOptions& options, OffloadHosts& hosts)
        : m_options(options),
          m_random(hosts.MakeRandom(0)),
          m_entries(
              hosts.Allocate(OffloadHosts::SERVER, uint64_t{options.entries} * GetEntry::BYTES))
    {
        const uint64_t stride = lookup::GetStride(options.valueBytes);
        const uint64_t keys = uint64_t{options.entries} * GetEntry::BUCKETS;
        const uint64_t values = hosts.Allocate(OffloadHosts::SERVER, keys * stride);
        HostMemory& memory = *hosts.Get(OffloadHosts::SERVER).memory;
        for (uint64_t number = 0; number < keys; ++number)
        {
            m_keys.push_back(m_random.Next() << 1U);
            std::vector<uint8_t> value = lookup::DrawBytes(m_random, options.valueBytes);
            memory.Write(values + number * stride, value.data(), value.size());
            m_contents.push_back(std::move(value));
        }
        for (uint64_t i = 0; i < options.entries; ++i)
        {
            WriteEntry(memory, i, values, stride);
        }
    }

    /// @return the lookup of a random key.
    LookupQuestion Draw()
    {
        const uint64_t number = m_random.Next() % m_keys.size();
        const uint64_t entry = m_entries + number / GetEntry::BUCKETS * GetEntry::BYTES;
        if (m_options.fault == TableFault::ABSENT)
        {
            return {m_keys[number] + 1, entry, "NOT_FOUND", {}};
        }
        if (m_options.fault != TableFault::NONE)
        {
            return {m_keys[number], entry, "FAULT", {}};
        }
        return {m_keys[number], entry, "OK", m_contents[number]};
    }

    const TableOptions& GetOptions() const
    {
        return m_options;
    }

  private:
    void WriteEntry(HostMemory& memory, uint64_t place, uint64_t values, uint64_t stride)
    {
        GetEntry entry;
        for (uint64_t i = 0; i < GetEntry::BUCKETS; ++i)
        {
            const uint64_t number = place * GetEntry::BUCKETS + i;
            uint64_t pointer = values + number * stride;
            pointer = m_options.fault == TableFault::NULL_VALUE ? 0 : pointer;
            pointer = m_options.fault == TableFault::WILD_VALUE ? lookup::WILD : pointer;
            entry.buckets[i] = {m_keys[number], pointer, m_options.valueBytes};
        }
        const std::vector<uint8_t> bytes = entry.Encode();
        memory.Write(m_entries + place * GetEntry::BYTES, bytes.data(), bytes.size());
    }

    TableOptions m_options;
    RandomStream m_random;
    uint64_t m_entries;
    std::vector<uint64_t> m_keys; ///< Even.
    std::vector<std::vector<uint8_t>> m_contents;
};

/// @return the bucket with a key; one without pointer and length: none.
GetBucket
FindBucket(const GetEntry& entry, uint64_t key)
{
    for (const GetBucket& bucket : entry.buckets)
    {
        if (bucket.key == key)
        {
            return bucket;
        }
    }
    return {};
}

/// A kernel of the server's NIC reads the entry and the value.
class KernelTableGet : public LookupIn<LookupMethod, RemoteTable>
{
  public:
    KernelTableGet(const TableOptions& options, OffloadHosts& hosts)
        : LookupIn(options, hosts),
          m_isTraversal(options.isTraversal)
    {
        hosts.Deploy(m_isTraversal ? "ns3::rdma::TraversalKernel" : "ns3::rdma::GetKernel");
        m_answer =
            hosts.Allocate(OffloadHosts::CLIENT, KernelReply::WORD_BYTES + options.valueBytes);
    }

  private:
    void Begin() override
    {
        CallKernel(m_isTraversal ? TraversalKernel::RPC_CODE : GetKernel::RPC_CODE,
                   EncodeParameters(),
                   m_answer);
    }

    std::vector<uint8_t> EncodeParameters() const
    {
        if (!m_isTraversal)
        {
            return GetParameters{m_answer, GetQuestion().address, GetQuestion().key}.Encode();
        }
        TraversalParameters parameters;
        parameters.target = m_answer;
        parameters.remoteAddress = GetQuestion().address;
        parameters.key = GetQuestion().key;
        parameters.valueSize = m_data.GetOptions().valueBytes;
        parameters.keyMask = KEY_MASK;
        parameters.valuePtrPosition = POINTER_WORD;
        parameters.isRelativePosition = true;
        return parameters.Encode();
    }

    bool m_isTraversal;
    uint64_t m_answer{0};
};

/// The client reads the entry, compares its keys, and reads the value.
class ReadTableGet : public LookupIn<ReadLookup, RemoteTable>
{
  public:
    using LookupIn::LookupIn;

  private:
    void Begin() override
    {
        // A wild pointer ends in the NIC of the server, which refuses the READ.
        if (m_data.GetOptions().fault == TableFault::WILD_VALUE)
        {
            Expect(GetWcStatusName(WcStatus::REM_ACCESS_ERR));
        }
        Read(GetQuestion().address, GetEntry::BYTES, [this](const auto& bytes) {
            OnEntry(GetEntry::Decode(ByteView(bytes)));
        });
    }

    void OnEntry(const GetEntry& entry)
    {
        const GetBucket bucket = FindBucket(entry, GetQuestion().key);
        if (bucket.valuePtr == 0)
        {
            End(bucket.valueLen == 0 ? "NOT_FOUND" : "FAULT", {});
            return;
        }
        Read(bucket.valuePtr, bucket.valueLen, [this](const auto& value) { End("OK", value); });
    }
};

/// The server's core looks the key up.
class TcpTableGet : public LookupIn<TcpLookup, RemoteTable>
{
  public:
    using LookupIn::LookupIn;

  private:
    void Begin() override
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::SERVER).memory;
        std::vector<uint8_t> bytes(GetEntry::BYTES);
        memory.Read(GetQuestion().address, bytes.data(), bytes.size());
        const GetBucket bucket = FindBucket(GetEntry::Decode(ByteView(bytes)), GetQuestion().key);
        std::string status = bucket.valueLen == 0 ? "NOT_FOUND" : "FAULT";
        std::vector<uint8_t> value;
        uint64_t misses = 1;
        if (bucket.valuePtr >= OffloadHosts::BASE)
        {
            ++misses;
            status = "OK";
            value.resize(bucket.valueLen);
            memory.Read(bucket.valuePtr, value.data(), value.size());
        }
        Answer(ARGUMENT_BYTES, misses, status, value);
    }
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Gets the value of a random key from a hash table at the server (StRoM sections 5.2 and
 * 6.2, Figure 8).
 */
class GetTask : public LookupTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::GetTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<GetTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-get", "a key of a hash table at the server"};
    }

    void VisitTask(Keys& keys) override
    {
        keys.Count("entries", m_options.entries, "entries of the table, of three buckets each")
            .Between(uint64_t{1}, MAX_ENTRIES);
        keys.Bytes("value-size", m_options.valueBytes, "size of each value")
            .Between(uint64_t{1}, lookup::MAX_VALUE);
        keys.Choice("fault", m_options.fault, FAULTS, "what each lookup meets");
        keys.Choice("kernel",
                    m_options.isTraversal,
                    KERNELS,
                    "kernel that looks the key up, of method kernel")
            .OnlyIf(GetMethod() == "kernel", "method=kernel beside it");
        keys.Check(uint64_t{m_options.entries} * GetEntry::BUCKETS * m_options.valueBytes <=
                       lookup::MAX_DATA,
                   "",
                   "a table with values of 1 GiB at most",
                   "more");
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "kernel")
        {
            return std::make_unique<KernelTableGet>(m_options, hosts);
        }
        if (method == "read")
        {
            return std::make_unique<ReadTableGet>(m_options, hosts);
        }
        return std::make_unique<TcpTableGet>(m_options, hosts);
    }

  private:
    TableOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(GetTask);

} // namespace ns3::rdma
