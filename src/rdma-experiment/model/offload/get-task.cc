// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-kernel.h"
#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"
#include "ns3/remote-reader.h"
#include "ns3/traversal-kernel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_ENTRIES{1U << 16U};
constexpr uint64_t MAX_VALUE{64U << 10U};
constexpr uint64_t MAX_DATA{1U << 30U};
constexpr uint64_t WILD{OffloadHosts::BASE / 2}; ///< Pinned and registered nowhere.
constexpr uint64_t ARGUMENT_BYTES{8};            ///< Of the RPC: the key.
constexpr uint64_t RESULT_BYTES{8};              ///< Before the value: status and length (XDR).

// GetEntry as the traversal kernel sees it, in words of 4 bytes: keys at 0, 5 and 10, each with its
// pointer 2 words behind it.
constexpr uint16_t KEY_MASK{1U | 1U << 5U | 1U << 10U};
constexpr uint8_t POINTER_WORD{2};

const std::vector<std::string> FAULTS{"none", "absent", "null-value", "wild-value"};
const std::vector<std::string> KERNELS{"traversal", "get"};

struct TableOptions
{
    uint32_t entries{1024};
    uint32_t valueBytes{64};
    std::string fault{"none"};
    std::string kernel{"traversal"};
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
        const uint64_t stride = (options.valueBytes + 63U) / 64U * 64U;
        const uint64_t keys = uint64_t{options.entries} * GetEntry::BUCKETS;
        const uint64_t values = hosts.Allocate(OffloadHosts::SERVER, keys * stride);
        HostMemory& memory = *hosts.Get(OffloadHosts::SERVER).memory;
        for (uint64_t number = 0; number < keys; ++number)
        {
            m_keys.push_back(m_random.Next() << 1U);
            std::vector<uint8_t> value(options.valueBytes);
            std::generate(value.begin(), value.end(), [this] {
                return static_cast<uint8_t>(m_random.Next32());
            });
            memory.Write(values + number * stride, value.data(), value.size());
            m_contents.push_back(std::move(value));
        }
        for (uint64_t i = 0; i < options.entries; ++i)
        {
            WriteEntry(memory, i, values, stride);
        }
    }

    /// What a call asks for and must get.
    struct Question
    {
        uint64_t key{0};
        uint64_t entry{0}; ///< Its address.
        std::string status;
        std::vector<uint8_t> value;
    };

    Question Ask()
    {
        const uint64_t number = m_random.Next() % m_keys.size();
        const uint64_t entry = m_entries + number / GetEntry::BUCKETS * GetEntry::BYTES;
        if (m_options.fault == "absent")
        {
            return {m_keys[number] + 1, entry, "NOT_FOUND", {}};
        }
        if (m_options.fault != "none")
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
            pointer = m_options.fault == "null-value" ? 0 : pointer;
            pointer = m_options.fault == "wild-value" ? WILD : pointer;
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

/// What the methods share.
class TableMethod : public OffloadMethod
{
  public:
    TableMethod(const TableOptions& options, OffloadHosts& hosts)
        : m_hosts(hosts),
          m_table(options, hosts),
          m_costs(hosts.Create<SoftwareCosts>())
    {
    }

    void Call(uint64_t, Done done) override
    {
        m_question = m_table.Ask();
        m_done = std::move(done);
        Begin();
    }

  protected:
    virtual void Begin() = 0;

    void End(const std::string& status, const std::vector<uint8_t>& value)
    {
        m_done(CompareAnswer(m_question.status, m_question.value, status, value));
    }

    /// @return the bucket with the key that is asked for; one without pointer and length: none.
    static GetBucket FindBucket(const GetEntry& entry, uint64_t key)
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

    OffloadHosts& m_hosts;
    RemoteTable m_table;
    Ptr<SoftwareCosts> m_costs;
    RemoteTable::Question m_question;
    Done m_done;
};

/// A kernel of the server's NIC reads the entry and the value.
class KernelGet : public TableMethod
{
  public:
    KernelGet(const TableOptions& options, OffloadHosts& hosts)
        : TableMethod(options, hosts),
          m_isTraversal(options.kernel == "traversal")
    {
        hosts.Deploy(m_isTraversal ? "ns3::rdma::TraversalKernel" : "ns3::rdma::GetKernel");
        m_answer =
            hosts.Allocate(OffloadHosts::CLIENT, KernelReply::WORD_BYTES + options.valueBytes);
    }

  private:
    void Begin() override
    {
        m_hosts.Call(m_isTraversal ? TraversalKernel::RPC_CODE : GetKernel::RPC_CODE,
                     EncodeParameters(),
                     m_answer,
                     [this](const std::string& status, const std::vector<uint8_t>& value) {
                         End(status, value);
                     });
    }

    std::vector<uint8_t> EncodeParameters() const
    {
        if (!m_isTraversal)
        {
            return GetParameters{m_answer, m_question.entry, m_question.key}.Encode();
        }
        TraversalParameters parameters;
        parameters.target = m_answer;
        parameters.remoteAddress = m_question.entry;
        parameters.key = m_question.key;
        parameters.valueSize = m_table.GetOptions().valueBytes;
        parameters.keyMask = KEY_MASK;
        parameters.valuePtrPosition = POINTER_WORD;
        parameters.isRelativePosition = true;
        return parameters.Encode();
    }

    bool m_isTraversal;
    uint64_t m_answer{0};
};

/// The client reads the entry, compares its keys, and reads the value (Pilaf, FaRM).
class ReadGet : public TableMethod
{
  public:
    ReadGet(const TableOptions& options, OffloadHosts& hosts)
        : TableMethod(options, hosts),
          m_reader(hosts, MAX_VALUE)
    {
    }

    void Report(nlohmann::ordered_json& details) const override
    {
        details["reads"] = m_reader.GetReads();
    }

  private:
    void Begin() override
    {
        // A wild pointer ends in the NIC of the server, which refuses the READ.
        if (m_table.GetOptions().fault == "wild-value")
        {
            m_question.status = GetWcStatusName(WcStatus::REM_ACCESS_ERR);
        }
        m_reader.Read(m_question.entry,
                      GetEntry::BYTES,
                      [this](WcStatus status, const auto& bytes) { OnEntry(status, bytes); });
    }

    void OnEntry(WcStatus status, const std::vector<uint8_t>& bytes)
    {
        if (status != WcStatus::SUCCESS)
        {
            End(GetWcStatusName(status), {});
            return;
        }
        const GetBucket bucket = FindBucket(GetEntry::Decode(ByteView(bytes)), m_question.key);
        if (bucket.valuePtr == 0)
        {
            End(bucket.valueLen == 0 ? "NOT_FOUND" : "FAULT", {});
            return;
        }
        m_reader.Read(bucket.valuePtr, bucket.valueLen, [this](WcStatus ended, const auto& value) {
            End(ended == WcStatus::SUCCESS ? "OK" : GetWcStatusName(ended), value);
        });
    }

    RemoteReader m_reader;
};

/// The server's core looks the key up, called over kernel TCP.
class TcpGet : public TableMethod
{
  public:
    TcpGet(const TableOptions& options, OffloadHosts& hosts)
        : TableMethod(options, hosts),
          m_rpc(hosts.MakeTcpRpc())
    {
    }

  private:
    void Begin() override
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::SERVER).memory;
        std::vector<uint8_t> bytes(GetEntry::BYTES);
        memory.Read(m_question.entry, bytes.data(), bytes.size());
        const GetBucket bucket = FindBucket(GetEntry::Decode(ByteView(bytes)), m_question.key);
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
        const TcpRpc::Exchange call =
            m_rpc.Measure(ARGUMENT_BYTES, RESULT_BYTES + value.size(), m_costs->GetMisses(misses));
        m_hosts.CountWire(OffloadHosts::CLIENT, call.request);
        m_hosts.CountWire(OffloadHosts::SERVER, call.reply);
        OffloadHosts::After(call.duration, [this, status, value] { End(status, value); });
    }

    TcpRpc m_rpc;
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Gets the value of a random key from a hash table at the server (StRoM sections 5.2 and
 * 6.2, Figure 8).
 */
class GetTask : public OffloadTask
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
        return {"get",
                "a key of a hash table at the server",
                {"entries", "value-size", "fault", "kernel"},
                {}};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"kernel", "read", "tcp"};
    }

    void Read(const JsonValue& options, const std::string& method) override
    {
        if (const auto entries = options.Find("entries"))
        {
            m_options.entries = static_cast<uint32_t>(entries->GetWhole(1, MAX_ENTRIES));
        }
        if (const auto bytes = options.Find("value-size"))
        {
            m_options.valueBytes = static_cast<uint32_t>(bytes->GetWhole(1, MAX_VALUE));
        }
        if (const auto fault = options.Find("fault"))
        {
            m_options.fault = fault->GetChoice(FAULTS);
        }
        if (const auto kernel = options.Find("kernel"))
        {
            m_options.kernel = kernel->GetChoice(KERNELS);
            if (method != "kernel")
            {
                kernel->Fail("no kernel for --method " + method);
            }
        }
        if (uint64_t{m_options.entries} * GetEntry::BUCKETS * m_options.valueBytes > MAX_DATA)
        {
            options.Fail("a table with values of 1 GiB at most", "more");
        }
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        json["entries"] = m_options.entries;
        json["value-size"] = m_options.valueBytes;
        json["fault"] = m_options.fault;
        json["kernel"] = m_options.kernel;
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "kernel")
        {
            return std::make_unique<KernelGet>(m_options, hosts);
        }
        if (method == "read")
        {
            return std::make_unique<ReadGet>(m_options, hosts);
        }
        return std::make_unique<TcpGet>(m_options, hosts);
    }

  private:
    TableOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(GetTask);

} // namespace ns3::rdma
