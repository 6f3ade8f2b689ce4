// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-check.h"
#include "ns3/input-error.h"
#include "ns3/kernel-keys.h"
#include "ns3/kv-traffic.h"
#include "ns3/quantity.h"
#include "ns3/request-kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{
constexpr const char* KERNEL{"ns3::rdma::KvDirectKernel"};
constexpr uint64_t MAX_OUTSTANDING{1 << 16};
constexpr uint64_t MAX_BATCH{1024};
constexpr uint64_t MAX_CORES{1024};
constexpr uint64_t MAX_MEMORY{uint64_t{16} << 30};
constexpr double MAX_RATE{1e12};
constexpr uint64_t MAX_HOT_KEYS{1 << 30};

} // namespace

/// Workload type "kv".
class KvKind : public RequestKind
{
  public:
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
        return {"kv",
                "clients use key-value stores, which KV-Direct's NICs or cores serve",
                {"clients",
                 "servers",
                 "cores",
                 "ycsb",
                 "get",
                 "modify",
                 "function",
                 "returns",
                 "zipf",
                 "hotKeys",
                 "keyBytes",
                 "valueBytes",
                 "memory",
                 "utilization",
                 "batch",
                 "batchDelay",
                 "compressed",
                 "outstanding",
                 "operationsPerSecond",
                 "duration",
                 "warmup"},
                {}};
    }

    void Read(const JsonValue& value, const Scenario& scenario) override
    {
        ReadGroups(value, scenario);
        if (const auto cores = value.Find("cores"))
        {
            m_plan.cores = static_cast<uint32_t>(cores->GetWhole(1, MAX_CORES));
        }
        else
        {
            CheckKernel(value, scenario);
        }
        ReadMix(value);
        ReadFunction(value);
        ReadStore(value);
        ReadLoop(value);
        ReadTimes(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        WriteGroups(json);
        if (m_plan.cores > 0)
        {
            json["cores"] = m_plan.cores;
        }
        if (!m_ycsb.empty())
        {
            json["ycsb"] = m_ycsb;
        }
        else
        {
            json["get"] = m_plan.workload.getShare;
            json["modify"] = m_plan.workload.modifyShare;
            json["zipf"] = m_zipf;
        }
        if (!m_plan.function.empty())
        {
            json["function"] = m_plan.function;
        }
        json["returns"] = m_plan.workload.hasReturn;
        if (m_plan.workload.hotKeys > 0)
        {
            json["hotKeys"] = m_plan.workload.hotKeys;
        }
        json["keyBytes"] = m_plan.workload.keyBytes;
        json["valueBytes"] = m_plan.workload.valueBytes;
        json["memory"] = std::to_string(m_plan.memoryBytes) + "B";
        json["utilization"] = m_plan.utilization;
        json["batch"] = m_plan.batch;
        json["batchDelay"] = FormatTime(m_plan.batchDelay);
        json["compressed"] = m_plan.isCompressed;
        json["outstanding"] = m_plan.outstanding;
        if (m_plan.operationsPerSecond > 0)
        {
            json["operationsPerSecond"] = m_plan.operationsPerSecond;
        }
        WriteTimes(json);
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
    void CheckKernel(const JsonValue& value, const Scenario& scenario) const
    {
        if (!HaveKernel(scenario, GetServers(scenario), KERNEL))
        {
            value.Get("servers").Fail("a group for which $.kernels has " + std::string(KERNEL) +
                                      ", or cores");
        }
    }

    void ReadMix(const JsonValue& value)
    {
        KvWorkloadSettings& workload = m_plan.workload;
        if (const auto ycsb = value.Find("ycsb"))
        {
            // E scans keys in their order, which a hash table does not have.
            m_ycsb = ycsb->GetChoice({"a", "b", "c", "d", "f"});
            for (const char* key : {"get", "modify", "zipf"})
            {
                if (const auto other = value.Find(key))
                {
                    other->Fail("no such key beside ycsb, which says it");
                }
            }
            workload = *FindYcsbWorkload(m_ycsb);
        }
        else
        {
            workload.getShare =
                ReadNumber(value.Get("get"), 0, 1, "the share of GETs, a number from 0 to 1");
            if (const auto modify = value.Find("modify"))
            {
                workload.modifyShare = ReadNumber(*modify,
                                                  0,
                                                  1 - workload.getShare,
                                                  "a share that is at most 1 with that of GETs");
            }
            workload.putShare = std::max(0.0, 1 - workload.getShare - workload.modifyShare);
            constexpr double MAX_THETA{0.9999};
            if (const auto zipf = value.Find("zipf"))
            {
                m_zipf = ReadNumber(*zipf, 0, MAX_THETA, "an exponent from 0 to 0.9999");
            }
            workload.popularity = m_zipf > 0 ? KvPopularity::ZIPF : KvPopularity::UNIFORM;
            workload.theta = m_zipf;
        }
        if (const auto returns = value.Find("returns"))
        {
            workload.hasReturn = returns->GetBool();
        }
        if (const auto hot = value.Find("hotKeys"))
        {
            if (workload.insertShare > 0)
            {
                hot->Fail("no such key for a workload that inserts");
            }
            workload.hotKeys = hot->GetWhole(1, MAX_HOT_KEYS);
        }
        constexpr uint64_t MAX_VALUE{2000};
        workload.keyBytes = static_cast<uint32_t>(value.Get("keyBytes").GetWhole(4, 255));
        workload.valueBytes = static_cast<uint32_t>(value.Get("valueBytes").GetWhole(0, MAX_VALUE));
    }

    void ReadFunction(const JsonValue& value)
    {
        const auto function = value.Find("function");
        if (!function)
        {
            return;
        }
        m_plan.function = ReadTypeName(*function, KvFunction::GetTypeId().GetName());
        const Ptr<KvFunction> made = m_plan.MakeFunction();
        const uint32_t element = made->GetElementBytes();
        if (m_plan.workload.modifyShare == 0 || element == 0 ||
            m_plan.workload.valueBytes % element != 0)
        {
            function->Fail("a function of updates, for values of whole elements",
                           "elements of " + std::to_string(element) + " bytes");
        }
        std::vector<uint8_t> one(element);
        const std::vector<uint8_t> operand(made->GetOperandBytes());
        if (!made->Update(one.data(), ByteView(operand)))
        {
            function->Fail("a function of updates", m_plan.function + ", which is none");
        }
        m_plan.workload.operandBytes = made->GetOperandBytes();
    }

    void ReadStore(const JsonValue& value)
    {
        m_plan.memoryBytes = value.Get("memory").GetBytes();
        if (m_plan.memoryBytes > MAX_MEMORY)
        {
            value.Get("memory").Fail("at most 16GiB");
        }
        if (const auto utilization = value.Find("utilization"))
        {
            m_plan.utilization = ReadNumber(*utilization, 0, 1, "a share from 0 to 1");
        }
        if (const auto fault = m_plan.MakeStoreSettings(0).FindFault())
        {
            value.Get("memory").Fail("a store that can be made", *fault);
        }
    }

    void ReadLoop(const JsonValue& value)
    {
        if (const auto batch = value.Find("batch"))
        {
            m_plan.batch = static_cast<uint32_t>(batch->GetWhole(1, MAX_BATCH));
        }
        if (const auto compressed = value.Find("compressed"))
        {
            m_plan.isCompressed = compressed->GetBool();
        }
        if (const auto outstanding = value.Find("outstanding"))
        {
            m_plan.outstanding = static_cast<uint32_t>(outstanding->GetWhole(1, MAX_OUTSTANDING));
        }
        if (const auto rate = value.Find("operationsPerSecond"))
        {
            m_plan.operationsPerSecond = ReadNumber(*rate, 1, MAX_RATE, "a number from 1 to 1e12");
        }
        m_plan.batchDelay = MicroSeconds(1); // Our choice, said in docs/models/kv-direct.md.
        if (const auto delay = value.Find("batchDelay"))
        {
            m_plan.batchDelay = delay->GetTime();
        }
    }

    std::string m_ycsb; ///< Empty: shares.
    double m_zipf{0};
    KvPlan m_plan; ///< Without clients, servers, keys, times and seed.
};

NS_OBJECT_ENSURE_REGISTERED(KvKind);

} // namespace ns3::rdma
