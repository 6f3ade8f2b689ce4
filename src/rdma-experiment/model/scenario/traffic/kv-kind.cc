// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/input-error.h"
#include "ns3/kernel-keys.h"
#include "ns3/kv-traffic.h"
#include "ns3/request-kind.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr const char* KERNEL{"ns3::rdma::KvDirectKernel"};
constexpr int MAX_OUTSTANDING{1 << 16};
constexpr int MAX_BATCH{1024};
constexpr int MAX_CORES{1024};
constexpr uint64_t MAX_MEMORY{uint64_t{16} << 30};
constexpr uint64_t MAX_COUNTED_MEMORY{uint64_t{64} << 30}; ///< The paper's store.
constexpr uint64_t MAX_WARMING{1'000'000'000};
constexpr double MAX_RATE{1e12};
constexpr int MAX_HOT_KEYS{1 << 30};
constexpr int MAX_VALUE{2000};
constexpr double MAX_THETA{0.9999};

} // namespace

/// Workload type "kv".
class KvKind : public RequestKind
{
  public:
    KvKind()
    {
        m_plan.workload.theta = 0;
        m_plan.batchDelay = MicroSeconds(1); // Our choice, said in docs/models/kv-direct.md.
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::KvKind")
                                .SetParent<RequestKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<KvKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"kv", "clients use key-value stores, which KV-Direct's NICs or cores serve"};
    }

    void Visit(Keys& keys) override
    {
        KvWorkloadSettings& workload = m_plan.workload;
        VisitGroups(keys);
        keys.Count("cores", m_plan.cores, "cores that serve each store in place of the kernel")
            .Between(1, MAX_CORES)
            .OmitIf(m_plan.cores == 0)
            .Otherwise("none");
        // E scans keys in their order, which a hash table does not have.
        keys.Choice("ycsb", m_ycsb, {"a", "b", "c", "d", "f"}, "YCSB's mix and popularity");
        const auto ycsb = FindYcsbWorkload(m_ycsb);
        constexpr const char* NOT_BESIDE_YCSB{"no such key beside ycsb, which says it"};
        keys.Number("get", workload.getShare, "share of GETs; what the shares leave are PUTs")
            .Between(0, 1)
            .RequiredIf(!ycsb)
            .OnlyIf(!ycsb, NOT_BESIDE_YCSB);
        keys.Number("modify", workload.modifyShare, "share of updates")
            .Between(0, 1)
            .OnlyIf(!ycsb, NOT_BESIDE_YCSB);
        keys.Check(workload.modifyShare <= 1 - workload.getShare,
                   "modify",
                   "a share that is at most 1 with that of GETs");
        keys.Number("zipf", workload.theta, "exponent of the keys' Zipf distribution; 0: uniform")
            .Between(0.0, MAX_THETA)
            .OnlyIf(!ycsb, NOT_BESIDE_YCSB);
        keys.Type("function",
                  m_plan.function,
                  "ns3::rdma::KvFunction",
                  "function that updates apply to each element of a value, with the operand 1")
            .Otherwise("adds to bytes");
        keys.Flag("returns", workload.hasReturn, "whether updates return the previous value");
        keys.Count("hotKeys", workload.hotKeys, "number of keys that are used, from the first on")
            .Between(1, MAX_HOT_KEYS)
            .OnlyIf(!ycsb || ycsb->insertShare == 0, "no such key for a workload that inserts")
            .OmitIf(workload.hotKeys == 0)
            .Otherwise("all");
        keys.Count("keyBytes", workload.keyBytes, "bytes of a key").Between(4, 255).Required();
        keys.Count("valueBytes", workload.valueBytes, "bytes of a value")
            .Between(0, MAX_VALUE)
            .Required();
        keys.Flag("counted",
                  m_plan.isCounted,
                  "stores count accesses without bytes; values are those of no PUT")
            .OnlyIf(m_plan.cores == 0, "no cores beside it")
            .OnlyIf(!ycsb || ycsb->insertShare == 0, "no such key for a workload that inserts");
        keys.Count("warming",
                   m_plan.warming,
                   "operations per store that warm its NIC's DRAM and take no time")
            .AtMost(MAX_WARMING)
            .OnlyIf(m_plan.isCounted, "counted beside it")
            .OmitIf(m_plan.warming == 0);
        keys.Size("memory", m_plan.memoryBytes, "memory of each store")
            .AtMost(m_plan.isCounted ? MAX_COUNTED_MEMORY : MAX_MEMORY)
            .Required();
        keys.Number("utilization",
                    m_plan.utilization,
                    "ratio of the bytes of the pairs in a store to its memory")
            .Between(0, 1);
        keys.Count("batch", m_plan.batch, "most operations in a message").Between(1, MAX_BATCH);
        keys.Time("batchDelay",
                  m_plan.batchDelay,
                  "longest time that an operation of an open loop waits for others");
        keys.Flag("compressed",
                  m_plan.isCompressed,
                  "whether sizes and values are copied in batches");
        keys.Count("outstanding", m_plan.outstanding, "most batches of a client under way")
            .Between(1, MAX_OUTSTANDING);
        keys.Number("operationsPerSecond",
                    m_plan.operationsPerSecond,
                    "rate of each client, at random times; without it a closed loop")
            .Between(1.0, MAX_RATE)
            .OmitIf(m_plan.operationsPerSecond == 0)
            .Otherwise("none");
        VisitTimes(keys);
    }

    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        if (m_plan.cores == 0 && !HaveKernel(scenario, GetServers(scenario), KERNEL))
        {
            value.Get("servers").Fail("a group for which $.kernels has " + std::string(KERNEL) +
                                      ", or cores");
        }
        CompleteMix();
        if (!m_plan.function.empty())
        {
            CheckFunction(value.Get("function"));
        }
        if (const auto fault = m_plan.MakeStoreSettings(0).FindFault())
        {
            value.Get("memory").Fail("a store that can be made", *fault);
        }
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        KvPlan plan = m_plan;
        plan.clients = GetClients(scenario);
        plan.servers = GetServers(scenario);
        plan.times = GetTimes();
        plan.area = context.area;
        plan.seed = GetSeed(scenario);
        for (const uint32_t server : plan.servers)
        {
            const EndpointMap& endpoints = context.fabric->GetCore().endpoints;
            for (uint32_t nic = 0; nic < endpoints.CountNics(server); ++nic)
            {
                plan.stores.push_back(endpoints.Find({server, nic, 0}));
            }
        }
        plan.workload.keys = plan.GetFilling().CountPairs(plan.memoryBytes) * plan.stores.size();
        if (const std::string fault = plan.workload.FindFault(); !fault.empty())
        {
            throw InputError(scenario.file + ": " + GetPath() +
                             ": expected keys that can be, got " + fault);
        }
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<KvTraffic>(std::move(plan), context);
        });
    }

  private:
    /// Adds what YCSB says, or what the shares leave open.
    void CompleteMix()
    {
        KvWorkloadSettings& workload = m_plan.workload;
        if (const auto ycsb = FindYcsbWorkload(m_ycsb))
        {
            const KvWorkloadSettings said = std::exchange(workload, *ycsb);
            workload.hasReturn = said.hasReturn;
            workload.hotKeys = said.hotKeys;
            workload.keyBytes = said.keyBytes;
            workload.valueBytes = said.valueBytes;
            return;
        }
        workload.putShare = std::max(0.0, 1 - workload.getShare - workload.modifyShare);
        workload.popularity = workload.theta > 0 ? KvPopularity::ZIPF : KvPopularity::UNIFORM;
    }

    void CheckFunction(const JsonValue& function)
    {
        const Ptr<KvFunction> made = m_plan.MakeFunction();
        const uint32_t element = made->GetElementBytes();
        if (m_plan.workload.modifyShare == 0 || element == 0 ||
            m_plan.workload.valueBytes % element != 0)
        {
            function.Fail("a function of updates, for values of whole elements",
                          "elements of " + std::to_string(element) + " bytes");
        }
        std::vector<uint8_t> one(element);
        const std::vector<uint8_t> operand(made->GetOperandBytes());
        if (!made->Update(one.data(), ByteView(operand)))
        {
            function.Fail("a function of updates", m_plan.function + ", which is none");
        }
        m_plan.workload.operandBytes = made->GetOperandBytes();
    }

    std::string m_ycsb; ///< Empty: shares.
    KvPlan m_plan;      ///< Without clients, servers, keys, times and seed.
};

NS_OBJECT_ENSURE_REGISTERED(KvKind);

} // namespace ns3::rdma
