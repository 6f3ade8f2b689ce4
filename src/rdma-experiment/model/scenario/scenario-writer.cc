// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-writer.h"

#include "ns3/kernel-keys.h"
#include "ns3/link-loss-keys.h"
#include "ns3/quantity.h"
#include "ns3/run-design.h"
#include "ns3/series-keys.h"
#include "ns3/server-group.h"
#include "ns3/server-ports-keys.h"
#include "ns3/version.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Keys keep the order in which they are written, which is that of DESIGN.md.
using Json = nlohmann::ordered_json;

template <typename T>
Json
WriteRateMap(const std::map<uint64_t, T>& map, const std::function<Json(const T&)>& write)
{
    Json json = Json::object();
    for (const auto& [rate, value] : map)
    {
        json[FormatRate(DataRate(rate))] = write(value);
    }
    return json;
}

Json
WriteEcn(const EcnProfile& ecn)
{
    if (ecn.kminBytes == ECN_OFF.kminBytes)
    {
        return "off";
    }
    return {{"kmin", FormatBytes(ecn.kminBytes)},
            {"kmax", FormatBytes(ecn.kmaxBytes)},
            {"pmax", ecn.pmax}};
}

Json
WriteFabric(const FabricSpec& fabric)
{
    Json json{{"topology", fabric.topology->GetInfo().name}};
    fabric.topology->Write(json);
    WriteServerPorts(fabric.ports, json);
    json["buffer"] = FormatBytes(fabric.bufferBytes);
    json["framing"] = fabric.isEthernetFramed ? "ethernet" : "none";
    json["mtu"] = fabric.mtuBytes;
    json["ecn"] = WriteRateMap<EcnProfile>(fabric.ecn, WriteEcn);
    if (fabric.pfc)
    {
        json["pfc"] = *fabric.pfc;
    }
    if (!fabric.bufferAlpha.empty())
    {
        json["bufferAlpha"] =
            WriteRateMap<double>(fabric.bufferAlpha, [](double alpha) { return Json(alpha); });
    }
    if (!fabric.headroomBytes.empty())
    {
        json["headroom"] = WriteRateMap<uint64_t>(fabric.headroomBytes, [](uint64_t bytes) {
            return Json(FormatBytes(bytes));
        });
    }
    json["lossRate"] = fabric.lossRate;
    if (!fabric.losses.empty())
    {
        json["losses"] = WriteLinkLosses(fabric.losses);
    }
    if (!fabric.loadBalancer.empty())
    {
        json["loadBalancer"] = fabric.loadBalancer;
    }
    if (!fabric.attributes.empty())
    {
        json["attributes"] = fabric.attributes;
    }
    return json;
}

/// Adds the keys of a design.
void
AddDesign(const DesignSpec& design, Json& json)
{
    json["preset"] = design.preset;
    json["hardware"] = design.isHardwareTimed ? "on" : "off";
    json["attributes"] = Json::object();
    for (const auto& [name, value] : design.attributes)
    {
        if (name != "ns3::rdma::RdmaNic::Hardware") // Said by the key.
        {
            json["attributes"][name] = value;
        }
    }
}

Json
WriteNic(const NicSpec& nic)
{
    Json json{{"name", nic.name}};
    if (!nic.loadBalancer.type.empty())
    {
        json["loadBalancer"] = {{"type", nic.loadBalancer.type}};
        for (const auto& [name, value] : nic.loadBalancer.attributes)
        {
            json["loadBalancer"]["attributes"][name] = value;
        }
    }
    if (nic.groups.empty())
    {
        AddDesign(nic, json);
        return json;
    }
    for (const auto& [group, design] : nic.groups)
    {
        AddDesign(design, json["groups"][group]);
    }
    if (nic.HasDefault())
    {
        AddDesign(nic, json["default"]);
    }
    return json;
}

Json
WriteWorkload(const WorkloadKind& workload)
{
    Json json{{"type", workload.GetInfo().name}};
    workload.Write(json);
    return json;
}

} // namespace

Json
MakeScenarioJson(const Scenario& scenario, const std::vector<NicSpec>& nics)
{
    Json json{{"name", scenario.name}, {"fabric", WriteFabric(scenario.fabric)}};
    if (!scenario.groups.empty())
    {
        json["groups"] = WriteServerGroups(scenario.groups);
    }
    for (const LinkEvent& event : scenario.linkEvents)
    {
        Json entry{{"at", FormatTime(event.at)}};
        if (event.node)
        {
            entry["switch"] = *event.node;
        }
        else
        {
            WriteLinkName(event.link, entry);
        }
        entry["state"] = event.isUp ? "up" : "down";
        json["linkEvents"].push_back(entry);
    }
    json["nics"] = Json::array();
    for (const NicSpec& nic : nics)
    {
        json["nics"].push_back(WriteNic(nic));
    }
    if (!scenario.kernels.empty())
    {
        json["kernels"] = WriteKernels(scenario.kernels);
    }
    json["workload"] = WriteWorkload(*scenario.workload);
    json["run"] = {{"seed", scenario.run.seed},
                   {"drain", scenario.run.drain},
                   {"stallLimit", FormatTime(scenario.run.stallLimit)}};
    if (!scenario.run.fluidStart.IsZero())
    {
        json["run"]["fluidStart"] = FormatTime(scenario.run.fluidStart);
    }
    if (scenario.run.precision > 0)
    {
        json["run"]["precision"] = scenario.run.precision;
        json["run"]["warmup"] = FormatTime(scenario.run.warmup);
    }
    if (scenario.series)
    {
        json["series"] = WriteSeries(*scenario.series);
    }
    return json;
}

std::string
WriteScenario(const Scenario& scenario)
{
    return MakeScenarioJson(scenario, scenario.nics).dump(SCENARIO_INDENT) + "\n";
}

std::string
WriteRunScenario(const Scenario& scenario, const NicSpec& nic, const ScenarioDigest& digest)
{
    Scenario resolved = scenario;
    resolved.fabric.pfc = HasPfc(scenario, nic);
    Json json = MakeScenarioJson(resolved, {nic});
    const std::string ns3Version =
        std::to_string(Version::Major()) + "." + std::to_string(Version::Minor());
    Json names = Json::array(); // The NICs that this one is compared with, in which order.
    for (const NicSpec& other : scenario.nics)
    {
        names.push_back(other.name);
    }
    Json common{{"hash", digest.hash}, {"files", digest.files}};
    common["attributes"] = scenario.attributes;
    if (scenario.fabric.pfc)
    {
        common["pfc"] = *scenario.fabric.pfc; // Else each NIC has what its preset asks for.
    }
    json["rocelab"] = {{"scenario", common},
                       {"nics", names},
                       {"version", ROCELAB_VERSION}, // From the build.
                       {"ns3", ns3Version},
                       {"compiler", "g++ " __VERSION__},
                       {"plugins", scenario.plugins}};
    return json.dump(SCENARIO_INDENT) + "\n";
}

} // namespace ns3::rdma
