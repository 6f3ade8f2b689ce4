// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/pipeline-report.h"

#include "ns3/input-error.h"
#include "ns3/nic-keys.h"
#include "ns3/opcode.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* PROGRAM{"list pipeline"};
constexpr uint32_t MAX_PAYLOAD_BYTES{4096};
constexpr uint32_t DOORBELL_BYTES{8};
constexpr uint32_t COMPLETION_BYTES{64};

double
ToNanoseconds(Tick duration)
{
    return static_cast<double>(duration) / 1000;
}

NicDesign
MakeTimedDesign(const std::string& nic)
{
    const nlohmann::json nics = nlohmann::json::array({{{"preset", nic}, {"hardware", "on"}}});
    const std::vector<NicSpec> specs = ReadNics({nics, PROGRAM, "--nic"}, {});
    return NicDesign::FromPreset(specs.front().preset, NicDesign::Timing::HARDWARE);
}

/// @param use of a link that nothing else uses @return what it takes
template <typename Use>
Tick
GetPcieTime(const NicDesign& design, Use use)
{
    auto pcie = design.Create<PcieLink>();
    pcie->Start(RandomStream(0, 0));
    return use(*pcie);
}

Tick
GetCpuTime(const NicDesign& design, CpuTask task)
{
    return design.Create<HostCpu>()->Run(0, 0, 0, task);
}

} // namespace

PipelineReport::PipelineReport(const std::string& nic, uint32_t payloadBytes)
    : m_nic(nic),
      m_payloadBytes(payloadBytes)
{
    if (payloadBytes == 0 || payloadBytes > MAX_PAYLOAD_BYTES)
    {
        throw InputError(std::string(PROGRAM) + ": --bytes: expected 1 to 4096, got " +
                         std::to_string(payloadBytes));
    }
    const NicDesign design = MakeTimedDesign(nic);
    m_frameBytes =
        design.Create<RdmaNic>()->GetHeaderSizes().GetFrame(opcode::WRITE_ONLY, payloadBytes);
    auto hardware = RdmaNic::MakeHardware(design);
    hardware->Start(0, 0);

    AddPipeline("transmit", hardware->GetTransmitPipeline());
    AddPipeline("receive", hardware->GetReceivePipeline());
    m_cycle = hardware->GetTransmitPipeline().GetConfig().cycle;
    m_busBytes = hardware->GetTransmitPipeline().GetConfig().busBytes;
    AddPcie(design);
    m_groups.push_back({"host",
                        {{"post", GetCpuTime(design, CpuTask::POST)},
                         {"ring", GetCpuTime(design, CpuTask::DOORBELL)},
                         {"poll", GetCpuTime(design, CpuTask::POLL)}}});
}

void
PipelineReport::AddPipeline(const std::string& name, const PacketPipeline& pipeline)
{
    const std::vector<Tick> durations = pipeline.GetBreakdown(m_frameBytes);
    Group group{name, {}};
    for (std::size_t i = 0; i < durations.size(); ++i)
    {
        const PipelineBlock& block = pipeline.GetConfig().blocks[i];
        group.parts.push_back({block.name, durations[i], block.cycles, block.isStoreAndForward});
    }
    m_groups.push_back(std::move(group));
}

void
PipelineReport::AddPcie(const NicDesign& design)
{
    const auto read = [this](PcieLink& pcie) {
        return pcie.Read(0, 0, DmaKind::PAYLOAD, 0, m_payloadBytes);
    };
    const auto write = [this](PcieLink& pcie) {
        return pcie.Write(0, 0, DmaKind::PAYLOAD, 0, m_payloadBytes);
    };
    // A small work request comes with the doorbell, if the NIC takes it so; else it is fetched.
    const uint32_t pushed = design.Create<WqeFetcher>()->Push(false, 0);
    const auto store = [pushed](PcieLink& pcie) {
        return pcie.Store(0, std::max(DOORBELL_BYTES, pushed));
    };
    const auto complete = [](PcieLink& pcie) {
        return pcie.Write(0, 0, DmaKind::COMPLETION, 0, COMPLETION_BYTES);
    };
    const auto fetch = [&design, pushed](PcieLink& pcie) {
        auto fetcher = design.Create<WqeFetcher>();
        fetcher->Start(pcie);
        return pushed > 0 ? fetcher->Decide(0, true) : fetcher->Fetch(0, 0, 1);
    };
    m_groups.push_back({"pcie",
                        {{"doorbell", GetPcieTime(design, store)},
                         {"work request", GetPcieTime(design, fetch)},
                         {"payload read", GetPcieTime(design, read)},
                         {"payload write", GetPcieTime(design, write)},
                         {"completion", GetPcieTime(design, complete)}}});
}

bool
PipelineReport::IsPipeline(const Group& group)
{
    return group.name == "transmit" || group.name == "receive";
}

Tick
PipelineReport::GetSum(const Group& group)
{
    Tick sum = 0;
    for (const Part& part : group.parts)
    {
        sum += part.duration;
    }
    return sum;
}

void
PipelineReport::WriteTable(std::ostream& out) const
{
    constexpr int NAME_WIDTH{20};
    constexpr int NUMBER_WIDTH{10};
    const auto writeLine = [&out](const std::string& name, const std::string& cycles) {
        out << std::left << std::setw(NAME_WIDTH) << name << std::right << std::setw(NUMBER_WIDTH)
            << cycles << std::setw(NUMBER_WIDTH);
    };
    out << m_nic << ", WRITE of " << m_payloadBytes << " bytes in one frame of " << m_frameBytes
        << "; cycle " << ToNanoseconds(m_cycle) << " ns, bus " << m_busBytes << " bytes\n";
    for (const Group& group : m_groups)
    {
        out << '\n';
        writeLine(group.name, IsPipeline(group) ? "cycles" : "");
        out << "ns" << '\n';
        for (const Part& part : group.parts)
        {
            writeLine("  " + part.name, IsPipeline(group) ? std::to_string(part.cycles) : "");
            out << ToNanoseconds(part.duration)
                << (part.waitsForPacket ? "  waits for the whole packet" : "") << '\n';
        }
        if (IsPipeline(group))
        {
            writeLine("  sum", "");
            out << ToNanoseconds(GetSum(group)) << '\n';
        }
    }
}

std::string
PipelineReport::WriteJson() const
{
    Json json{{"nic", m_nic},
              {"payload_bytes", m_payloadBytes},
              {"frame_bytes", m_frameBytes},
              {"cycle_ns", ToNanoseconds(m_cycle)},
              {"bus_bytes", m_busBytes}};
    for (const Group& group : m_groups)
    {
        Json parts = Json::array();
        for (const Part& part : group.parts)
        {
            Json entry{{"name", part.name}, {"ns", ToNanoseconds(part.duration)}};
            if (IsPipeline(group))
            {
                entry["cycles"] = part.cycles;
                entry["waits_for_packet"] = part.waitsForPacket;
            }
            parts.push_back(std::move(entry));
        }
        json[group.name] = std::move(parts);
    }
    return json.dump(2) + "\n";
}

} // namespace ns3::rdma
