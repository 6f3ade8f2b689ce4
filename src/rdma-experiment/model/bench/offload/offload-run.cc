// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-run.h"

#include "ns3/attribute-fault.h"
#include "ns3/input-error.h"
#include "ns3/kernel-tcp.h"
#include "ns3/offload-hosts.h"
#include "ns3/perftest-scenario.h"
#include "ns3/quantity.h"
#include "ns3/run-design.h"
#include "ns3/server-capture.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"
#include "ns3/software-costs.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr const char* PROGRAM{"measure"};

/// @return the line rate of a preset's port. @param nic checked elsewhere
DataRate
GetPortRate(const std::string& nic)
{
    return DataRate(nic == "strom10g" ? "10Gbps" : "100Gbps"); // StRoM section 6.1.
}

/// @return whether an attribute is of what stands beside the NIC, which the check of the NIC's own
/// attributes would refuse.
bool
IsBesideNic(const std::string& attribute)
{
    TypeId type;
    const std::string name = attribute.substr(0, attribute.rfind("::"));
    if (!TypeId::LookupByNameFailSafe(name, &type))
    {
        return false;
    }
    const TypeId own[]{KernelHost::GetTypeId(),
                       Tlb::GetTypeId(),
                       KernelTcp::GetTypeId(),
                       SoftwareCosts::GetTypeId()};
    return std::find(std::begin(own), std::end(own), type) != std::end(own) ||
           type.IsChildOf(OffloadKernel::GetTypeId());
}

/// Moves the settings that are not the NIC's out of a list. @throws InputError
std::vector<std::string>
TakeSettingsBesideNic(std::vector<std::string>& settings)
{
    const auto first =
        std::stable_partition(settings.begin(), settings.end(), [](const std::string& setting) {
            return !IsBesideNic(setting.substr(0, setting.find('=')));
        });
    std::vector<std::string> taken(first, settings.end());
    settings.erase(first, settings.end());
    for (const std::string& setting : taken)
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw InputError(std::string(PROGRAM) + ": --set: expected NAME=VALUE, got " + setting);
        }
        const std::string name = setting.substr(0, equals);
        const std::string value = setting.substr(equals + 1);
        if (const auto fault = FindAttributeFault(name, value))
        {
            throw InputError(std::string(PROGRAM) + ": --set." + name + ": expected " +
                             fault->expected + ", got " + fault->got);
        }
    }
    return taken;
}

Scenario
MakeScenario(const OffloadRequest& request, const std::vector<std::string>& settings)
{
    PerftestRequest network;
    network.program = PROGRAM;
    network.nic = request.nic;
    network.rate = FormatRate(request.rate.value_or(GetPortRate(request.nic)));
    network.delay = FormatTime(request.delay);
    network.lossRate = request.lossRate;
    network.settings = settings;
    network.isHardwareTimed = true;
    Scenario scenario = MakePerftestScenario(network, request.mtu);
    scenario.run.seed = request.seed;
    return scenario;
}

/// @param path empty: none @throws InputError
std::unique_ptr<ServerCapture>
OpenCapture(const std::string& path, OffloadHosts& hosts)
{
    if (path.empty())
    {
        return nullptr;
    }
    try
    {
        return std::make_unique<ServerCapture>(*hosts.Get(OffloadHosts::CLIENT).nic, path);
    }
    catch (const std::runtime_error& error)
    {
        throw InputError(std::string(PROGRAM) +
                         ": pcap: expected a file that can be written: " + error.what());
    }
}

/// Does calls one after the other.
class CallLoop
{
  public:
    CallLoop(OffloadMethod& method, uint64_t calls)
        : m_method(method),
          m_calls(calls)
    {
    }

    void Run(OffloadResult& result)
    {
        m_result = &result;
        Simulator::ScheduleNow([this] { Begin(); });
        Simulator::Run();
        const uint64_t ended = result.latencies.size();
        if (!m_fault.empty())
        {
            throw MeasurementFailure("call " + std::to_string(ended) + ": " + m_fault);
        }
        if (ended < m_calls)
        {
            throw MeasurementFailure("call " + std::to_string(ended) +
                                     " has no answer, and nothing happens any more");
        }
        result.latency = SummarizeLatency(result.latencies, 1);
    }

  private:
    void Begin()
    {
        m_begunAt = OffloadHosts::Now();
        m_method.Call(m_result->latencies.size(),
                      [this](const OffloadOutcome& outcome) { End(outcome); });
    }

    void End(const OffloadOutcome& outcome)
    {
        if (!outcome.fault.empty())
        {
            m_fault = outcome.fault;
            Simulator::Stop();
            return;
        }
        const Tick now = OffloadHosts::Now();
        m_result->latencies.push_back(now - m_begunAt);
        m_result->duration = now;
        m_result->bytes += outcome.bytes;
        ++m_result->statuses[outcome.status];
        if (m_result->latencies.size() < m_calls)
        {
            Simulator::ScheduleNow([this] { Begin(); });
        }
    }

    OffloadMethod& m_method;
    uint64_t m_calls;
    OffloadResult* m_result{nullptr};
    Tick m_begunAt{0};
    std::string m_fault;
};

/// @return Gb/s of the values requested.
double
GetGoodput(const OffloadResult& result)
{
    constexpr double BITS_PER_PS_IN_GBPS{8e3};
    return result.duration == 0 ? 0
                                : static_cast<double>(result.bytes) * BITS_PER_PS_IN_GBPS /
                                      static_cast<double>(result.duration);
}

void
SetKernels(const KernelStats& stats, MeasuredRows& rows)
{
    using Kind = KernelCommand::Kind;
    const auto count = [&stats](Kind kind) {
        return stats.commands[static_cast<std::size_t>(kind)];
    };
    rows.Set("kernel_inputs", stats.inputs, "packets to kernels of the server");
    rows.Set("kernel_input_bytes", stats.inputBytes, "data to kernels of the server");
    rows.Set("kernel_host_reads", count(Kind::READ_HOST), "reads of kernels from host memory");
    rows.Set("kernel_host_writes", count(Kind::WRITE_HOST), "writes of kernels to host memory");
    rows.Set("kernel_sends", count(Kind::SEND_WRITE), "WRITEs of kernels to the client");
    rows.Set("kernel_stalls", stats.stalls, "packets queued before a kernel");
    rows.Set("kernel_drops", stats.drops, "packets dropped at a full queue");
    rows.Set("kernel_faults", stats.faults, "commands whose memory was not accessible");
}

/// @return the columns of all tasks.
MeasuredRows
MakeRows(const OffloadResult& result)
{
    MeasuredRows rows;
    rows.Begin();
    rows.Set("calls", result.latencies.size(), "calls that ended");
    rows.SetLatency(result.latency, "time of a call");
    rows.Set("duration_us", static_cast<double>(result.duration) / 1e6, "time of all calls");
    rows.Set("bytes", result.bytes, "values requested");
    rows.Set("goodput_gbps", GetGoodput(result), "values requested");
    for (const auto& [end, share] : {std::pair("client", result.client), {"server", result.server}})
    {
        const std::string name = end;
        rows.Set(name + "_frames", share.frames, "frames that the " + name + " sent");
        rows.Set(name + "_wire_bytes", share.bytes, "the same, with FCS");
    }
    for (const auto& [status, calls] : result.statuses)
    {
        std::string name = "calls_" + status;
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        rows.Set(name, calls, "calls that ended with " + status);
    }
    rows.Set("reconnections", result.reconnections, "connections made anew after an error");
    SetKernels(result.kernels, rows);
    return rows;
}

} // namespace

OffloadRun::OffloadRun(const OffloadTask& task)
    : m_task(task),
      m_request(task.GetRequest())
{
    std::vector<std::string> settings = m_request.settings;
    m_offloadSettings = TakeSettingsBesideNic(settings);
    m_scenario = MakeScenario(m_request, settings);
}

NicDesign
OffloadRun::MakeDesign() const
{
    NicDesign design = MakeNicDesign(m_scenario, m_scenario.nics.front());
    for (const std::string& setting : m_offloadSettings)
    {
        const auto equals = setting.find('=');
        design.Set(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return design;
}

void
OffloadRun::CheckEffect(const OffloadHosts& hosts) const
{
    for (const std::string& setting : m_offloadSettings)
    {
        const std::string name = setting.substr(0, setting.find('='));
        if (!hosts.HasEffect(name))
        {
            throw InputError(std::string(PROGRAM) + ": --set." + name +
                             ": expected an attribute with an effect on " + m_task.GetInfo().name +
                             " by method " + m_request.method + ", got one without");
        }
    }
}

OffloadResult
OffloadRun::Run()
{
    SimulationRun run(m_scenario, m_scenario.nics.front());
    OffloadHosts hosts(run.GetFabric(), MakeDesign(), m_request.seed);
    const std::unique_ptr<OffloadMethod> method = m_task.Make(m_request.method, hosts);
    CheckEffect(hosts);
    const std::unique_ptr<ServerCapture> capture = OpenCapture(m_request.pcap, hosts);
    OffloadResult result;
    CallLoop(*method, m_request.calls).Run(result);
    result.client = hosts.Get(OffloadHosts::CLIENT).sent;
    result.server = hosts.Get(OffloadHosts::SERVER).sent;
    result.kernels = hosts.Get(OffloadHosts::SERVER).kernels->GetStats();
    result.reconnections = hosts.GetReconnections();
    result.rows = MakeRows(result);
    method->Report(result.rows);
    if (capture)
    {
        capture->Close();
    }
    return result;
}

} // namespace ns3::rdma
