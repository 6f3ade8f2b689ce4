// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/workload-keys.h"

#include "ns3/key-reader.h"
#include "ns3/key-writer.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

constexpr std::size_t MAX_WORKLOADS{1024};
constexpr std::size_t MAX_NAME{64};

/// Rows over all workloads have this name in tables.
constexpr const char* ALL{"all"};

bool
IsNameCharacter(char character)
{
    return std::isalnum(static_cast<unsigned char>(character)) || character == '-' ||
           character == '_' || character == '.';
}

void
CheckName(const JsonValue& value, const std::vector<Ptr<const WorkloadKind>>& earlier)
{
    const std::string name = value.GetString();
    const bool isWord = !name.empty() && name.size() <= MAX_NAME &&
                        std::isalpha(static_cast<unsigned char>(name.front())) &&
                        std::all_of(name.begin(), name.end(), IsNameCharacter);
    if (!isWord || name == ALL)
    {
        value.Fail("a name that begins with a letter and has up to 64 letters, digits and -_., "
                   "other than \"all\"");
    }
    if (std::any_of(earlier.begin(), earlier.end(), [&name](const auto& one) {
            return one->GetPlace().name == name;
        }))
    {
        value.Fail("a name of its own for each workload", '"' + name + "\" again");
    }
}

WorkloadPlace
ReadPlace(const JsonValue& value, const std::vector<Ptr<const WorkloadKind>>& earlier)
{
    CheckName(value.Get("name"), earlier);
    WorkloadPlace place;
    const KeyContext context;
    KeyReader reader(value, context);
    VisitPlace(reader, place);
    return place;
}

nlohmann::ordered_json
WriteWorkload(const WorkloadKind& workload)
{
    const WorkloadPlace& place = workload.GetPlace();
    nlohmann::ordered_json json{{"type", workload.GetInfo().name}};
    if (!place.name.empty())
    {
        json.update(WriteKeyed(place, VisitPlace));
    }
    workload.Write(json);
    if (workload.GetTrafficClass().IsSet())
    {
        json.update(WriteKeyed(workload.GetTrafficClass(), VisitTrafficClass));
    }
    return json;
}

std::vector<Ptr<const WorkloadKind>>
ReadList(const JsonValue& list, const Scenario& scenario)
{
    std::vector<Ptr<const WorkloadKind>> workloads;
    list.ForEachElement([&](const JsonValue& entry) {
        workloads.push_back(ReadWorkload(entry, scenario, ReadPlace(entry, workloads)));
    });
    if (workloads.empty() || workloads.size() > MAX_WORKLOADS)
    {
        list.Fail("1 to " + std::to_string(MAX_WORKLOADS) + " workloads",
                  std::to_string(workloads.size()));
    }
    return workloads;
}

} // namespace

bool
HasWorkloadList(const Scenario& scenario)
{
    // Scenarios of benchmarks have no workload at all.
    return !scenario.workloads.empty() && !scenario.workloads.front()->GetPlace().name.empty();
}

std::vector<std::string>
GetWorkloadNames(const Scenario& scenario)
{
    std::vector<std::string> names;
    for (const auto& workload : scenario.workloads)
    {
        if (!workload->GetPlace().name.empty())
        {
            names.push_back(workload->GetPlace().name);
        }
    }
    return names;
}

void
VisitWorkloads(Keys& keys, std::string& form, Scenario& scenario)
{
    const bool isList = HasWorkloadList(scenario); // If they are written.
    keys.Form(form, {"workload", "workloads"});
    keys.Other("workload",
               {[&scenario](const JsonValue& value, const KeySpec&) {
                    scenario.workloads = {ReadWorkload(value, scenario)};
                },
                [&scenario](const KeySpec&) {
                    return scenario.workloads.empty() ? nlohmann::ordered_json()
                                                      : WriteWorkload(*scenario.workloads.front());
                }},
               "what the servers send: its type, and keys of it")
        .Shape(R"({"type": "object"})")
        .OmitIf(isList);
    keys.Other("workloads",
               {[&scenario](const JsonValue& value, const KeySpec&) {
                    scenario.workloads = ReadList(value, scenario);
                },
                [&scenario](const KeySpec&) {
                    nlohmann::ordered_json json;
                    for (const auto& workload : scenario.workloads)
                    {
                        json.push_back(WriteWorkload(*workload));
                    }
                    return json;
                }},
               "workloads at the same time: a name, a type, and keys of it")
        .Shape(R"({"type": "array", "minItems": 1, "items": {"type": "object"}})")
        .OmitIf(!isList);
}

std::optional<Time>
GetLastTime(const Scenario& scenario)
{
    std::optional<Time> last;
    for (const auto& workload : scenario.workloads)
    {
        if (const auto one = workload->GetLastTime())
        {
            last = std::max(*one, last.value_or(*one));
        }
    }
    return last;
}

bool
HasTraffic(const Scenario& scenario)
{
    return std::any_of(scenario.workloads.begin(),
                       scenario.workloads.end(),
                       [](const auto& workload) { return workload->HasTraffic(); });
}

std::string
GetWorkloadsPath(const Scenario& scenario)
{
    return scenario.workloads.size() == 1 ? scenario.workloads.front()->GetPath() : "$.workloads";
}

} // namespace ns3::rdma
