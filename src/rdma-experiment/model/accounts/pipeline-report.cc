// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/pipeline-report.h"

#include "ns3/input-error.h"
#include "ns3/nic-design.h"
#include "ns3/nic-keys.h"
#include "ns3/opcode.h"
#include "ns3/packet-pipelines.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

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

Json
MakePart(const std::string& name, Tick duration)
{
    return {{"name", name}, {"ns", ToNanoseconds(duration)}};
}

Json
MakePipelineParts(const PacketPipeline& pipeline, uint32_t frameBytes)
{
    Json parts = Json::array();
    const std::vector<Tick> durations = pipeline.GetBreakdown(frameBytes);
    for (std::size_t i = 0; i < durations.size(); ++i)
    {
        const PipelineBlock& block = pipeline.GetConfig().blocks[i];
        Json part = MakePart(block.name, durations[i]);
        part["cycles"] = block.cycles;
        part["waits_for_packet"] = block.isStoreAndForward;
        part["cycles_per_beat"] = block.isStoreAndForward ? block.beatCycles : 0;
        part["cycles_per_packet"] = block.packetCycles;
        parts.push_back(std::move(part));
    }
    return parts;
}

Json
MakePcieParts(const NicDesign& design, uint32_t payloadBytes)
{
    Json parts = Json::array();
    const auto add = [&design, &parts](const char* name, auto use) {
        auto pcie = design.Create<PcieLink>(); // One that nothing else uses.
        pcie->Start(RandomStream(0, 0));
        parts.push_back(MakePart(name, use(*pcie)));
    };
    // A small work request is in the doorbell's store if the NIC takes it so; else it is fetched.
    const uint32_t pushed = design.Create<WqeFetcher>()->Push(false, 0);
    add("doorbell",
        [pushed](PcieLink& pcie) { return pcie.Store(0, std::max(DOORBELL_BYTES, pushed)); });
    add("work request", [&design, pushed](PcieLink& pcie) {
        auto fetcher = design.Create<WqeFetcher>();
        fetcher->Start(pcie);
        return pushed > 0 ? fetcher->Decide(0, true) : fetcher->Fetch(0, 0, 1);
    });
    add("payload read", [payloadBytes](PcieLink& pcie) {
        return pcie.Read(0, 0, DmaKind::PAYLOAD, 0, payloadBytes);
    });
    add("payload write", [payloadBytes](PcieLink& pcie) {
        return pcie.Write(0, 0, DmaKind::PAYLOAD, 0, payloadBytes);
    });
    add("completion",
        [](PcieLink& pcie) { return pcie.Write(0, 0, DmaKind::COMPLETION, 0, COMPLETION_BYTES); });
    return parts;
}

Json
MakeHostParts(const NicDesign& design)
{
    Json parts = Json::array();
    for (const auto& [name, task] : {std::pair("post", CpuTask::POST),
                                     std::pair("ring", CpuTask::DOORBELL),
                                     std::pair("poll", CpuTask::POLL)})
    {
        parts.push_back(MakePart(name, design.Create<HostCpu>()->Run(0, 0, 0, task)));
    }
    return parts;
}

} // namespace

Json
MakePipelineReport(const std::string& nic, uint32_t payloadBytes)
{
    if (payloadBytes == 0 || payloadBytes > MAX_PAYLOAD_BYTES)
    {
        throw InputError(std::string(PROGRAM) + ": --bytes: expected 1 to 4096, got " +
                         std::to_string(payloadBytes));
    }
    const NicDesign design = MakeTimedDesign(nic);
    const uint32_t frameBytes =
        design.Create<RdmaNic>()->GetHeaderSizes().GetFrame(opcode::WRITE_ONLY, payloadBytes);
    auto hardware = RdmaNic::MakeHardware(design);
    hardware->Start(0, 0);
    const PacketPipeline& transmit = hardware->GetTransmitPipeline();
    return {{"nic", nic},
            {"payload_bytes", payloadBytes},
            {"frame_bytes", frameBytes},
            {"cycle_ns", ToNanoseconds(transmit.GetConfig().cycle)},
            {"bus_bytes", transmit.GetConfig().busBytes},
            {"transmit", MakePipelineParts(transmit, frameBytes)},
            {"receive", MakePipelineParts(hardware->GetReceivePipeline(), frameBytes)},
            {"pcie", MakePcieParts(design, payloadBytes)},
            {"host", MakeHostParts(design)}};
}

void
PrintPipelineReport(const Json& report, std::ostream& out)
{
    constexpr int NAME_WIDTH{20};
    constexpr int NUMBER_WIDTH{10};
    const auto printLine = [&out](const std::string& name,
                                  const std::string& cycles,
                                  const auto& last,
                                  const char* note = "") {
        out << std::left << std::setw(NAME_WIDTH) << name << std::right << std::setw(NUMBER_WIDTH)
            << cycles << std::setw(NUMBER_WIDTH) << last << note << '\n';
    };
    out << report["nic"].get<std::string>() << ", WRITE of " << report["payload_bytes"]
        << " bytes in one frame of " << report["frame_bytes"] << "; cycle "
        << report["cycle_ns"].get<double>() << " ns, bus " << report["bus_bytes"] << " bytes\n";
    for (const std::string group : {"transmit", "receive", "pcie", "host"})
    {
        const bool isPipeline = group == "transmit" || group == "receive";
        double sum = 0;
        out << '\n';
        printLine(group, isPipeline ? "cycles" : "", "ns");
        for (const Json& part : report[group])
        {
            const double duration = part["ns"];
            sum += duration;
            printLine("  " + part["name"].get<std::string>(),
                      isPipeline ? part["cycles"].dump() : "",
                      duration,
                      part.value("waits_for_packet", false) ? "  waits for the whole packet" : "");
        }
        if (isPipeline)
        {
            printLine("  sum", "", sum);
        }
    }
}

} // namespace ns3::rdma
