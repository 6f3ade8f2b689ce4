// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/attribute-check.h"
#include "ns3/get-table.h"
#include "ns3/input-error.h"
#include "ns3/kernel-keys.h"
#include "ns3/kernel-probe.h"
#include "ns3/kernel-tcp.h"
#include "ns3/nic-keys.h"
#include "ns3/quantity.h"
#include "ns3/request-kind.h"
#include "ns3/rpc-traffic.h"
#include "ns3/software-costs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_OUTSTANDING{1 << 16};
constexpr uint64_t MAX_CORES{1024};
constexpr uint64_t MAX_KEYS{1 << 24};
constexpr uint64_t MAX_VALUE_BYTES{1 << 20};
constexpr uint64_t MAX_STORED_BYTES{1 << 30}; ///< Of all values: they are in real memory.
constexpr uint32_t DEFAULT_OPEN_LIMIT{64};
constexpr double DEFAULT_OCCUPANCY{0.5};

constexpr double MAX_BUCKETS{1 << 26}; ///< keys / occupancy: a GiB of entries.

/// @param isOpen whether the lower bound is not allowed itself
double
ReadBetween(const JsonValue& value,
            double min,
            double max,
            bool isOpen,
            const std::string& expected)
{
    const double number = value.GetNumber();
    if (number < min || number > max || (isOpen && number == min))
    {
        value.Fail(expected);
    }
    return number;
}

} // namespace

/// Workload type "rpc".
class RpcKind : public RequestKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RpcKind")
                                .SetParent<RequestKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<RpcKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"rpc",
                "clients get values of keys from servers: by kernels, READs or TCP",
                {"clients",
                 "servers",
                 "request",
                 "kernel",
                 "cores",
                 "costs",
                 "outstanding",
                 "requestsPerSecond",
                 "keys",
                 "zipf",
                 "absent",
                 "valueBytes",
                 "occupancy",
                 "duration",
                 "warmup"},
                {}};
    }

    void Read(const JsonValue& value, const Scenario& scenario) override
    {
        ReadGroups(value, scenario);
        ReadRequest(value);
        ReadLoop(value);
        ReadKeys(value);
        CheckKernel(value, scenario);
        ReadTimes(value);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        WriteGroups(json);
        json["request"] = m_plan.request;
        if (!m_plan.kernel.empty())
        {
            json["kernel"] = m_plan.kernel;
        }
        if (FindRpcMethod(m_plan.request).hasService)
        {
            json["cores"] = m_plan.cores;
        }
        if (!m_plan.costs.GetAll().empty())
        {
            json["costs"] = m_plan.costs.GetAll();
        }
        json["outstanding"] = m_plan.outstanding;
        if (m_plan.requestsPerSecond > 0)
        {
            json["requestsPerSecond"] = m_plan.requestsPerSecond;
        }
        json["keys"] = m_plan.keys;
        json["zipf"] = m_plan.zipf;
        json["absent"] = m_plan.absent;
        json["valueBytes"] = m_plan.valueBytes;
        json["occupancy"] = m_plan.occupancy;
        WriteTimes(json);
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        RpcPlan plan = m_plan;
        plan.clients = GetClients(scenario);
        plan.servers = GetServers(scenario);
        plan.times = GetTimes();
        plan.area = context.area;
        plan.seed = GetSeed(scenario);
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<RpcTraffic>(std::move(plan), context);
        });
    }

  private:
    void ReadRequest(const JsonValue& value)
    {
        std::vector<std::string> names;
        for (const RpcMethodInfo& method : GetRpcMethods())
        {
            names.push_back(method.name);
        }
        m_plan.request = value.Get("request").GetChoice(names);
        m_plan.kernel = FindRpcMethod(m_plan.request).kernel;
        if (const auto kernel = value.Find("kernel"))
        {
            if (m_plan.kernel.empty())
            {
                kernel->Fail("a request that calls a kernel with it", m_plan.request);
            }
            m_plan.kernel = ReadTypeName(*kernel, OffloadKernel::GetTypeId().GetName());
        }
        if (const auto cores = value.Find("cores"))
        {
            if (!FindRpcMethod(m_plan.request).hasService)
            {
                cores->Fail("a request that cores carry out with it", m_plan.request);
            }
            m_plan.cores = static_cast<uint32_t>(cores->GetWhole(1, MAX_CORES));
        }
        ReadCosts(value);
    }

    /// Attributes of the objects that say what a core does for a request.
    void ReadCosts(const JsonValue& value)
    {
        const auto costs = value.Find("costs");
        if (!costs)
        {
            return;
        }
        std::vector<std::string> types;
        if (FindRpcMethod(m_plan.request).hasService)
        {
            types.push_back(KernelTcp::GetTypeId().GetName());
        }
        if (!FindRpcMethod(m_plan.request).encode)
        {
            types.push_back(SoftwareCosts::GetTypeId().GetName());
        }
        for (const auto& [name, text] : ReadAttributes(*costs))
        {
            const std::string type = name.substr(0, name.rfind("::"));
            if (std::find(types.begin(), types.end(), type) == types.end())
            {
                costs->Get(name).Fail("an attribute that has an effect on requests of " +
                                          m_plan.request,
                                      name);
            }
            m_plan.costs.Set(name, text);
        }
    }

    /// The servers must have the kernel, and it must answer such requests.
    void CheckKernel(const JsonValue& value, const Scenario& scenario) const
    {
        const auto& servers = GetServers(scenario);
        const auto encode = FindRpcMethod(m_plan.request).encode;
        if (!encode)
        {
            return;
        }
        if (!HaveKernel(scenario, servers, m_plan.kernel))
        {
            value.Get("request").Fail("a request for which $.kernels." + GetServerGroup() +
                                      " has " + m_plan.kernel);
        }
        for (const Ptr<OffloadKernel>& kernel : MakeKernels(scenario, servers.front()))
        {
            const bool isCalled = kernel->GetInstanceTypeId().GetName() == m_plan.kernel;
            if (const std::string fault = isCalled ? FindFault(*kernel) : ""; !fault.empty())
            {
                value.Get(value.Find("kernel") ? "kernel" : "request")
                    .Fail("a kernel that answers requests of " + m_plan.request,
                          m_plan.kernel + ", which " + fault);
            }
        }
    }

    /// @return what is wrong with a kernel's answer to a GET of a key that is there; empty:
    /// nothing.
    std::string FindFault(OffloadKernel& kernel) const
    {
        constexpr uint64_t TARGET{uint64_t{1} << 32};
        constexpr uint64_t ENTRY{uint64_t{1} << 33};
        constexpr uint64_t VALUE{uint64_t{1} << 34};
        const uint64_t key = RpcPlan::MakeKey(0);
        const std::vector<uint8_t> value = m_plan.MakeValue(key);
        GetEntry entry;
        entry.buckets[0] = {key, VALUE, m_plan.valueBytes};
        const std::vector<uint8_t> bytes = entry.Encode();
        KernelProbe probe(kernel);
        probe.GetHostMemory().Write(ENTRY, bytes.data(), bytes.size());
        probe.GetHostMemory().Write(VALUE, value.data(), value.size());
        return probe.Call(FindRpcMethod(m_plan.request).encode(m_plan, TARGET, ENTRY, key),
                          TARGET,
                          value);
    }

    void ReadLoop(const JsonValue& value)
    {
        if (const auto rate = value.Find("requestsPerSecond"))
        {
            constexpr double MAX_RATE{1e9};
            m_plan.requestsPerSecond =
                ReadBetween(*rate, 0, MAX_RATE, true, "a number above 0 and at most 1e9");
            m_plan.outstanding = DEFAULT_OPEN_LIMIT;
        }
        if (const auto outstanding = value.Find("outstanding"))
        {
            m_plan.outstanding = static_cast<uint32_t>(outstanding->GetWhole(1, MAX_OUTSTANDING));
        }
    }

    void ReadKeys(const JsonValue& value)
    {
        m_plan.keys = value.Get("keys").GetWhole(1, MAX_KEYS);
        m_plan.valueBytes = static_cast<uint32_t>(value.Get("valueBytes").GetBytesOrNumber());
        if (value.Get("valueBytes").GetBytesOrNumber() > MAX_VALUE_BYTES || m_plan.valueBytes == 0)
        {
            value.Get("valueBytes").Fail("1 byte to 1 MiB");
        }
        if (m_plan.keys * m_plan.valueBytes > MAX_STORED_BYTES)
        {
            value.Get("keys").Fail("at most 1 GiB of values");
        }
        if (const auto zipf = value.Find("zipf"))
        {
            constexpr double MAX_EXPONENT{10};
            m_plan.zipf = ReadBetween(*zipf, 0, MAX_EXPONENT, false, "a number from 0 to 10");
        }
        if (const auto absent = value.Find("absent"))
        {
            m_plan.absent = ReadBetween(*absent, 0, 1, false, "a share from 0 to 1");
        }
        m_plan.occupancy = DEFAULT_OCCUPANCY;
        if (const auto occupancy = value.Find("occupancy"))
        {
            m_plan.occupancy = ReadBetween(*occupancy, 0, 1, true, "a share above 0 and at most 1");
            if (static_cast<double>(m_plan.keys) / m_plan.occupancy > MAX_BUCKETS)
            {
                occupancy->Fail("a share with at most 67108864 buckets");
            }
        }
    }

    RpcPlan m_plan; ///< Without clients, servers, times and seed.
};

NS_OBJECT_ENSURE_REGISTERED(RpcKind);

} // namespace ns3::rdma
