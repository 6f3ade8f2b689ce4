// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-task.h"

#include "ns3/nic-presets.h"
#include "ns3/offload-run.h"

#include <algorithm>

namespace ns3::rdma
{

OffloadOutcome
CompareAnswer(const std::string& expectedStatus,
              const std::vector<uint8_t>& expectedValue,
              const std::string& status,
              const std::vector<uint8_t>& value)
{
    OffloadOutcome outcome{status, value.size(), {}};
    if (status != expectedStatus)
    {
        outcome.fault = "expected " + expectedStatus + ", got " + status;
    }
    else if (value.size() != expectedValue.size())
    {
        outcome.fault = "expected " + std::to_string(expectedValue.size()) + " bytes, got " +
                        std::to_string(value.size());
    }
    else if (value != expectedValue)
    {
        const auto differs = std::mismatch(value.begin(), value.end(), expectedValue.begin());
        outcome.fault = "byte " + std::to_string(differs.first - value.begin()) + " differs";
    }
    return outcome;
}

void
OffloadMethod::Report(MeasuredRows&) const
{
}

NS_OBJECT_ENSURE_REGISTERED(OffloadTask);

TypeId
OffloadTask::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::OffloadTask").SetParent<Measurement>().SetGroupName("RdmaExperiment");
    return tid;
}

void
OffloadTask::Visit(Keys& keys)
{
    if (m_request.method.empty())
    {
        // Defaults of the class below, which its constructor cannot set.
        m_request.method = GetMethods().front();
        m_request.calls = GetUsualCalls();
    }
    std::vector<std::string> presets;
    for (const NicPreset& preset : GetNicPresets())
    {
        presets.push_back(preset.name);
    }
    keys.Choice("method", m_request.method, GetMethods(), "who does the work");
    keys.Choice("nic", m_request.nic, presets, "NIC preset of both hosts").Called("a NIC preset");
    keys.Count("calls", m_request.calls, "number of calls")
        .Between(uint64_t{1}, uint64_t{10'000'000});
    VisitSeed(keys, m_request.seed);
    keys.Rate("rate", m_request.rate, "rate of the cable")
        .Otherwise("10Gbps with strom10g, else 100Gbps");
    keys.Time("delay", m_request.delay, "delay of the cable");
    keys.Count("mtu", m_request.mtu, "path MTU, bytes of payload").Between(256U, 4096U);
    keys.Number("loss", m_request.lossRate, "loss probability of each packet")
        .AtLeast(0.0)
        .Below(1.0);
    keys.File("pcap", m_request.pcap, "capture file of the client's port").Otherwise("none");
    VisitTask(keys);
}

void
OffloadTask::SetAttributes(const std::vector<std::string>& settings)
{
    m_request.settings = settings;
}

uint64_t
OffloadTask::GetUsualCalls() const
{
    return 200;
}

MeasuredRows
OffloadTask::Measure()
{
    return OffloadRun(*this).Run().rows;
}

} // namespace ns3::rdma
