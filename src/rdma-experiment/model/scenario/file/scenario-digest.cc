// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-digest.h"

#include "ns3/content-hash.h"
#include "ns3/input-error.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario-writer.h"
#include "ns3/shipped-file.h"
#include "ns3/workload-keys.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

std::string
HashFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    ContentHash hash;
    char buffer[1 << 16];
    while (file.read(buffer, sizeof buffer) || file.gcount() > 0)
    {
        hash.Add({buffer, static_cast<size_t>(file.gcount())});
    }
    if (!file.eof())
    {
        throw InputError(path + ": expected a file that can be read to its end, got none");
    }
    return hash.GetText();
}

/// Replaces the paths of the files that a part of a scenario names by what is in them.
void
HashFiles(const Scenario& scenario,
          const ScenarioKind& kind,
          nlohmann::ordered_json& part,
          ScenarioDigest& digest)
{
    for (const KeyInfo& info : kind.ListKeys())
    {
        const std::string& key = info.name;
        if (info.spec.type == KeyType::FILE && part.contains(key))
        {
            const auto path = part[key].get<std::string>();
            const bool mayBeShipped = *info.spec.shipped != '\0';
            const std::string content = HashFile(
                mayBeShipped ? FindFileOrShipped(scenario, path, info.spec.shipped, kind.GetPath())
                             : ResolvePath(scenario, path));
            const bool isShipped = mayBeShipped && IsShippedName(scenario, path);
            (isShipped ? digest.shipped : digest.files)[path] = content;
            part[key] = content; // Whatever its name.
        }
    }
}

} // namespace

ScenarioDigest
MakeDigest(const Scenario& scenario)
{
    ScenarioDigest digest;
    nlohmann::ordered_json common = MakeScenarioJson(scenario, {});
    common.erase("series"); // Results are the same with them and without.
    HashFiles(scenario, *scenario.fabric.topology, common["fabric"], digest);
    for (std::size_t i = 0; i < scenario.workloads.size(); ++i)
    {
        HashFiles(scenario,
                  *scenario.workloads[i],
                  HasWorkloadList(scenario) ? common["workloads"][i] : common["workload"],
                  digest);
    }
    ContentHash hash;
    hash.Add(common.dump(SCENARIO_INDENT) + "\n");
    for (const auto& [name, value] : scenario.attributes)
    {
        hash.Add(name + '=' + value + '\n');
    }
    digest.hash = hash.GetText();
    return digest;
}

} // namespace ns3::rdma
