// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-writer.h"

#include "ns3/fabric-keys.h"
#include "ns3/key-writer.h"
#include "ns3/run-design.h"
#include "ns3/scenario-keys.h"
#include "ns3/version.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Keys keep the order in which they are written, which is that of DESIGN.md.
using Json = nlohmann::ordered_json;

/// @return what the scenario has in place of the keys that a preset has changed; null: nothing.
Json
ListChanged(const Json& before, const Json& after)
{
    Json changed = Json::object();
    for (const auto* keys : {&before, &after})
    {
        for (const auto& [key, value] : keys->items())
        {
            const Json own = before.value(key, Json());
            if (key != "pfc" && own != after.value(key, Json()))
            {
                changed[key] = own;
            }
        }
    }
    return changed;
}

} // namespace

Json
MakeScenarioJson(const Scenario& scenario, const std::vector<NicSpec>& nics)
{
    ScenarioKeys file;
    file.scenario = scenario;
    for (const NicSpec& nic : nics)
    {
        file.nics.push_back(MakeNicKeys(nic));
    }
    return WriteKeyed(file, VisitScenario);
}

std::string
WriteScenario(const Scenario& scenario)
{
    return MakeScenarioJson(scenario, scenario.nics).dump(SCENARIO_INDENT) + "\n";
}

std::string
WriteRunScenario(const Scenario& scenario,
                 const NicSpec& nic,
                 const ScenarioDigest& digest,
                 const std::string& base)
{
    Scenario resolved = scenario;
    resolved.fabric = ResolveFabric(scenario, nic);
    Json json = MakeScenarioJson(resolved, {nic});
    const std::string ns3Version =
        std::to_string(Version::Major()) + "." + std::to_string(Version::Minor());
    Json names = Json::array(); // The NICs that this one is compared with, in which order.
    for (const NicSpec& other : scenario.nics)
    {
        names.push_back(other.name);
    }
    Json common{{"hash", digest.hash}, {"files", digest.files}};
    if (!digest.shipped.empty())
    {
        common["shipped"] = digest.shipped;
    }
    common["attributes"] = scenario.attributes;
    if (scenario.fabric.pfc)
    {
        common["pfc"] = *scenario.fabric.pfc; // Else each NIC has what its preset needs.
    }
    if (Json changed = ListChanged(WriteFabric(scenario.fabric), json["fabric"]); !changed.empty())
    {
        common["fabric"] = std::move(changed);
    }
    json["rocelab"] = {{"scenario", common},
                       {"nics", names},
                       {"version", ROCELAB_VERSION}, // From the build.
                       {"ns3", ns3Version},
                       {"compiler", "g++ " __VERSION__},
                       {"plugins", scenario.plugins}};
    if (!base.empty() && !(digest.files.empty() && scenario.ownPlugins.empty()))
    {
        json["rocelab"]["base"] = base;
    }
    return json.dump(SCENARIO_INDENT) + "\n";
}

} // namespace ns3::rdma
