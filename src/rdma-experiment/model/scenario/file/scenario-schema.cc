// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-schema.h"

#include "ns3/fabric-keys.h"
#include "ns3/key-schema.h"
#include "ns3/scenario-keys.h"
#include "ns3/topology-kind.h"
#include "ns3/workload-keys.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// @param visit (Keys&, T&) @return the keys of a T.
template <typename T, typename Visit>
std::vector<KeyInfo>
ListKeysOf(Visit visit)
{
    return ListKeys([visit](Keys& keys) {
        T sample{};
        visit(keys, sample);
    });
}

Json
Refer(const char* name)
{
    return {{"$ref", std::string("#/definitions/") + name}};
}

Json
ListOf(Json items)
{
    return {{"type", "array"}, {"items", std::move(items)}};
}

/// @return an object whose member `key` names its kind. @param common keys of all kinds
Json
MakeKindSchema(TypeId base, const char* key, const std::vector<KeyInfo>& common)
{
    Json kinds = Json::array();
    for (const Ptr<ScenarioKind>& kind : MakeKinds(base))
    {
        std::vector<KeyInfo> keys = kind->ListKeys();
        keys.insert(keys.end(), common.begin(), common.end());
        Json schema = MakeSchema(keys);
        schema["title"] = kind->GetInfo().name;
        AddToSchema(schema,
                    key,
                    {{"const", kind->GetInfo().name}, {"description", kind->GetInfo().description}},
                    true);
        kinds.push_back(std::move(schema));
    }
    return {{"type", "object"}, {"required", {key}}, {"oneOf", std::move(kinds)}};
}

/// @return the keys of an entry of "workloads" beside those of its type, none of them required:
/// "workload" has no name.
std::vector<KeyInfo>
ListPlaceKeys()
{
    std::vector<KeyInfo> keys = ListKeysOf<WorkloadPlace>(VisitPlace);
    for (KeyInfo& info : keys)
    {
        info.spec.isRequired = false;
    }
    const std::vector<KeyInfo> ofClass = ListKeysOf<TrafficClass>(VisitTrafficClass);
    keys.insert(keys.end(), ofClass.begin(), ofClass.end());
    return keys;
}

Json
MakeDefinitions()
{
    Json definitions;
    definitions["fabric"] =
        MakeKindSchema(TopologyKind::GetTypeId(), "topology", ListKeysOf<FabricSpec>(VisitFabric));
    definitions["workload"] = MakeKindSchema(WorkloadKind::GetTypeId(), "type", ListPlaceKeys());
    return definitions;
}

/// @return the keys of the objects in a list or a map, or of an object.
const std::vector<KeyInfo>&
FindKeys(const KeyInfo& info)
{
    return info.spec.type == KeyType::MAP ? FindKeys(info.members.front()) : info.members;
}

/// Adds the keys whose values have keys, each as a section.
void
AddSections(const std::vector<KeyInfo>& keys, std::vector<KeySection>& sections)
{
    for (const KeyInfo& info : keys)
    {
        if (const std::vector<KeyInfo>& members = FindKeys(info); !members.empty())
        {
            sections.push_back({info.name, info.spec.meaning, members});
        }
    }
}

/// Adds the topologies or the workloads. @param common keys of all kinds
void
AddKinds(TypeId base, const std::vector<KeyInfo>& common, std::vector<KeySection>& sections)
{
    for (const Ptr<ScenarioKind>& kind : MakeKinds(base))
    {
        std::vector<KeyInfo> keys = kind->ListKeys();
        keys.insert(keys.end(), common.begin(), common.end());
        sections.push_back({kind->GetInfo().name, kind->GetInfo().description, keys});
    }
}

} // namespace

std::vector<KeySection>
ListScenarioKeys()
{
    std::vector<KeyInfo> keys = ListKeysOf<ScenarioKeys>(VisitScenario);
    std::vector<KeySection> parts;
    AddSections(keys, parts);
    for (KeyInfo& info : keys)
    {
        info.members.clear(); // They have sections.
    }
    const std::vector<KeyInfo> fabric = ListKeysOf<FabricSpec>(VisitFabric);
    std::vector<KeySection> sections{
        {"scenario", "a scenario file", keys},
        {"fabric", "the network, beside the keys of its topology", fabric}};
    AddSections(fabric, sections);
    AddKinds(TopologyKind::GetTypeId(), {}, sections); // The fabric's keys are a section.
    sections.push_back({"workloads",
                        "an entry of workloads, beside the keys of its type",
                        ListKeysOf<WorkloadPlace>(VisitPlace)});
    AddKinds(WorkloadKind::GetTypeId(), ListKeysOf<TrafficClass>(VisitTrafficClass), sections);
    sections.insert(sections.end(), parts.begin(), parts.end());
    return sections;
}

Json
MakeScenarioSchema()
{
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "RoceLab scenario"}};
    schema.update(MakeSchema(ListKeysOf<ScenarioKeys>(VisitScenario)));
    schema["if"] = {{"required", {"plugins"}}};
    schema["else"] = {
        {"properties",
         {{"fabric", Refer("fabric")},
          {"workload", Refer("workload")},
          {"workloads", ListOf({{"allOf", {Refer("workload"), {{"required", {"name"}}}}}})}}}};
    schema["definitions"] = MakeDefinitions();
    return schema;
}

} // namespace ns3::rdma
