// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-schema.h"

#include "ns3/fabric-keys.h"
#include "ns3/kernel-keys.h"
#include "ns3/key-schema.h"
#include "ns3/link-event-keys.h"
#include "ns3/link-loss-keys.h"
#include "ns3/link-rate-keys.h"
#include "ns3/nic-keys.h"
#include "ns3/run-keys.h"
#include "ns3/series-keys.h"
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

/// @return the schema of an entry of "nics".
Json
MakeNicSchema()
{
    Json loadBalancer = MakeSchema(ListLoadBalancerKeys());
    Json nic = MakeSchema(ListDesignKeys());
    nic.erase("required"); // With groups, each of them and "default" has a preset.
    AddToSchema(nic, "name", {{"type", "string"}});
    AddToSchema(nic, "loadBalancer", {{"anyOf", {{{"type", "string"}}, std::move(loadBalancer)}}});
    AddToSchema(
        nic,
        "groups",
        {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", Refer("design")}});
    AddToSchema(nic, "default", Refer("design"));
    return {{"anyOf", {Refer("preset"), std::move(nic)}}};
}

/// @return the keys of an entry of "workloads", none of them required: "workload" has no name.
std::vector<KeyInfo>
ListPlaceKeys()
{
    std::vector<KeyInfo> keys = ListKeysOf<WorkloadPlace>(VisitPlace);
    for (KeyInfo& info : keys)
    {
        info.spec.isRequired = false;
    }
    return keys;
}

Json
MakeDefinitions()
{
    const std::vector<KeyInfo> design = ListDesignKeys();
    Json definitions;
    definitions["fabric"] =
        MakeKindSchema(TopologyKind::GetTypeId(), "topology", ListKeysOf<FabricSpec>(VisitFabric));
    definitions["workload"] = MakeKindSchema(WorkloadKind::GetTypeId(), "type", ListPlaceKeys());
    definitions["preset"] = {{"enum", design.front().spec.choices}};
    definitions["design"] = {{"anyOf", {Refer("preset"), MakeSchema(design)}}};
    definitions["nic"] = MakeNicSchema();
    definitions["kernel"] = {
        {"anyOf", {{{"type", "string"}}, MakeSchema(ListKeysOf<KernelSpec>(VisitKernel))}}};
    return definitions;
}

std::vector<KeyInfo>
ListSeriesKeys()
{
    return ListKeysOf<SeriesSpec>(
        [](Keys& keys, SeriesSpec& series) { VisitSeries(keys, series, {}, {}); });
}

} // namespace

std::vector<KeySection>
ListScenarioKeys()
{
    std::vector<KeySection> sections{{"fabric",
                                      "the network, beside the keys of its topology",
                                      ListKeysOf<FabricSpec>(VisitFabric)}};
    const auto addKinds = [&sections](TypeId base) {
        for (const Ptr<ScenarioKind>& kind : MakeKinds(base))
        {
            sections.push_back(
                {kind->GetInfo().name, kind->GetInfo().description, kind->ListKeys()});
        }
    };
    addKinds(TopologyKind::GetTypeId());
    sections.push_back(
        {"losses", "an entry of losses in fabric", ListKeysOf<LinkLossSpec>(VisitLinkLoss)});
    sections.push_back(
        {"linkRates", "an entry of linkRates in fabric", ListKeysOf<LinkRateSpec>(VisitLinkRate)});
    sections.push_back({"nics", "a NIC design", ListDesignKeys()});
    sections.push_back({"kernels", "a kernel on NICs", ListKeysOf<KernelSpec>(VisitKernel)});
    sections.push_back({"workloads",
                        "an entry of workloads, beside the keys of its type",
                        ListKeysOf<WorkloadPlace>(VisitPlace)});
    addKinds(WorkloadKind::GetTypeId());
    sections.push_back(
        {"linkEvents", "an entry of linkEvents", ListKeysOf<LinkEvent>(VisitLinkEvent)});
    sections.push_back({"series", "time series to write", ListSeriesKeys()});
    sections.push_back({"run", "how the simulation is run", ListKeysOf<RunSpec>(VisitRun)});
    return sections;
}

Json
MakeScenarioSchema()
{
    const Json text{{"type", "string"}};
    const Json object{{"type", "object"}};
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "RoceLab scenario"},
                {"type", "object"}};
    AddToSchema(schema, "$schema", text);
    AddToSchema(schema, "name", text, true);
    AddToSchema(schema, "fabric", object, true);
    AddToSchema(schema,
                "nics",
                {{"type", "array"}, {"items", Refer("nic")}, {"minItems", 1}},
                true);
    AddToSchema(schema,
                "groups",
                {{"type", "object"}, {"additionalProperties", {{"type", "array"}}}});
    AddToSchema(schema,
                "kernels",
                {{"type", "object"}, {"additionalProperties", ListOf(Refer("kernel"))}});
    AddToSchema(schema, "workload", object);
    AddToSchema(schema, "workloads", ListOf(object));
    AddToSchema(schema, "run", MakeSchema(ListKeysOf<RunSpec>(VisitRun)));
    AddToSchema(schema,
                "attributes",
                {{"type", "object"},
                 {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}});
    AddToSchema(schema, "linkEvents", ListOf(MakeSchema(ListKeysOf<LinkEvent>(VisitLinkEvent))));
    AddToSchema(schema, "series", MakeSchema(ListSeriesKeys()));
    AddToSchema(schema, "plugins", ListOf(text));
    schema["additionalProperties"] = false;
    schema["oneOf"] = {{{"required", {"workload"}}}, {{"required", {"workloads"}}}};
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
