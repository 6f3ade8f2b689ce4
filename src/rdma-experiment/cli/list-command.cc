// SPDX-License-Identifier: GPL-2.0-only

#include "list-command.h"

#include "ns3/data-rate.h"
#include "ns3/input-error.h"
#include "ns3/memory-report.h"
#include "ns3/nic-presets.h"
#include "ns3/nstime.h"
#include "ns3/parameter-sets.h"
#include "ns3/pipeline-report.h"
#include "ns3/quantity.h"
#include "ns3/topology-kind.h"
#include "ns3/type-id.h"
#include "ns3/workload-kind.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace ns3::rdma
{

namespace
{

constexpr int NAME_WIDTH{14};

void
PrintAttributes(const std::vector<std::pair<std::string, std::string>>& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        std::cout << std::setw(NAME_WIDTH) << "" << name << " = " << value << '\n';
    }
}

void
ListPresets()
{
    for (const NicPreset& preset : GetNicPresets())
    {
        std::cout << std::left << std::setw(NAME_WIDTH) << preset.name << preset.description
                  << (preset.needsPfc ? " (PFC)" : "") << '\n';
        PrintAttributes(preset.attributes);
    }
}

void
ListParameterSets()
{
    for (const ParameterSet& set : GetParameterSets())
    {
        std::cout << std::left << std::setw(NAME_WIDTH) << set.name << set.description << ", of "
                  << set.congestionControl << (set.name == DEFAULT_DCQCN_SET ? " (default)" : "")
                  << "; marking it was published with: " << set.marking << '\n';
        PrintAttributes(set.attributes);
    }
}

void
ListKinds(TypeId base)
{
    for (const Ptr<ScenarioKind>& kind : MakeKinds(base))
    {
        const KindInfo info = kind->GetInfo();
        std::cout << std::left << std::setw(NAME_WIDTH) << info.name << info.description << ": ";
        for (size_t i = 0; i < info.keys.size(); ++i)
        {
            std::cout << (i == 0 ? "" : ", ") << info.keys[i];
        }
        std::cout << '\n';
    }
}

/// The types of this project and of plug-ins: all but those of ns-3 itself.
std::vector<TypeId>
FindOurTypes()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().rfind("ns3::rdma::", 0) == 0)
        {
            types.push_back(type);
        }
    }
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    return types;
}

void
ListTypes()
{
    for (const TypeId& type : FindOurTypes())
    {
        std::cout << type.GetName() << " (a " << type.GetParent().GetName()
                  << (type.HasConstructor() ? ")\n" : ", interface)\n");
    }
}

/// The default as a scenario would write it.
std::string
FormatDefault(const TypeId::AttributeInformation& attribute)
{
    if (const auto* time = dynamic_cast<const TimeValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatTime(time->Get());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(PeekPointer(attribute.initialValue)))
    {
        return FormatRate(rate->Get());
    }
    return attribute.initialValue->SerializeToString(attribute.checker);
}

void
ListAttributes()
{
    for (const TypeId& type : FindOurTypes())
    {
        for (size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            std::cout << type.GetAttributeFullName(i) << " = " << FormatDefault(attribute) << " ("
                      << attribute.checker->GetValueTypeName() << "): " << attribute.help << '\n';
        }
    }
}

void
ListPipeline(const ListRequest& request)
{
    const PipelineReport report(request.nic, request.bytes);
    if (request.hasJson)
    {
        std::cout << report.WriteJson();
    }
    else
    {
        report.WriteTable(std::cout);
    }
}

void
ListMemory(const ListRequest& request)
{
    const MemoryReport report(request.nic, request.queuePairs);
    if (request.hasJson)
    {
        std::cout << report.WriteJson();
    }
    else
    {
        report.WriteTable(std::cout);
    }
}

struct Topic
{
    std::string name;
    void (*list)(const ListRequest&);
    bool isAboutNic{false}; ///< It needs --nic, and may be asked for JSON.
};

const std::vector<Topic>&
GetTopics()
{
    static const std::vector<Topic> topics{
        {"presets", [](const ListRequest&) { ListPresets(); }},
        {"parameters", [](const ListRequest&) { ListParameterSets(); }},
        {"topologies", [](const ListRequest&) { ListKinds(TopologyKind::GetTypeId()); }},
        {"workloads", [](const ListRequest&) { ListKinds(WorkloadKind::GetTypeId()); }},
        {"types", [](const ListRequest&) { ListTypes(); }},
        {"attributes", [](const ListRequest&) { ListAttributes(); }},
        {"memory", ListMemory, true},
        {"pipeline", ListPipeline, true},
    };
    return topics;
}

} // namespace

const std::vector<std::string>&
GetListTopics()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Topic& topic : GetTopics())
        {
            all.push_back(topic.name);
        }
        return all;
    }();
    return names;
}

void
ListCommand(const ListRequest& request)
{
    const bool isAll = request.topic.empty();
    if (request.queuePairs && request.topic != "memory")
    {
        throw InputError("list: --qps: expected the topic memory");
    }
    for (const Topic& entry : GetTopics())
    {
        if (isAll ? entry.isAboutNic : entry.name != request.topic)
        {
            continue;
        }
        if (entry.isAboutNic && request.nic.empty())
        {
            throw InputError("list " + entry.name + ": expected --nic PRESET, got none");
        }
        if (!entry.isAboutNic && (request.hasJson || !request.nic.empty()))
        {
            throw InputError("list: --nic and --json: expected a topic that is about a NIC");
        }
        if (isAll)
        {
            std::cout << entry.name << ":\n";
        }
        entry.list(request);
        if (isAll)
        {
            std::cout << '\n';
        }
    }
}

} // namespace ns3::rdma
