// SPDX-License-Identifier: GPL-2.0-only

#include "../attribute-list.h"
#include "../command-set.h"
#include "../key-table.h"
#include "../scenario-options.h"

#include "ns3/exit-status.h"
#include "ns3/flow-size-cdf.h"
#include "ns3/input-error.h"
#include "ns3/measurement.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-presets.h"
#include "ns3/parameter-sets.h"
#include "ns3/pipeline-report.h"
#include "ns3/run-report.h"
#include "ns3/scenario-schema.h"
#include "ns3/shipped-file.h"
#include "ns3/table-schema.h"
#include "ns3/topology-kind.h"
#include "ns3/workload-kind.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

namespace
{

constexpr int NAME_WIDTH{14};

// Topics that are JSON: the commands themselves, and the JSON Schema of scenarios.
constexpr const char* COMMANDS_TOPIC{"commands"};
constexpr const char* SCHEMA_TOPIC{"schema"};

/// Values of the options.
struct ListRequest
{
    std::string topic;              ///< Empty: all that need no NIC.
    std::vector<std::string> names; ///< Of classes, keys, measurements, files; empty: all.
    std::string nic;                ///< Preset, for topics about one NIC.
    std::optional<uint32_t> bytes;  ///< Payload of a packet, for "pipeline"; 64.
    bool hasJson{false};            ///< Instead of a table, for topics that have JSON.
};

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
        const char* separator = "";
        for (const KeyInfo& key : kind->ListKeys())
        {
            std::cout << std::exchange(separator, ", ") << key.name;
        }
        std::cout << '\n';
    }
}

/// Prints the distributions of flow sizes that a scenario may name.
void
ListSizes()
{
    for (const std::string& name : ListShippedFiles(FlowSizeCdf::EXTENSION))
    {
        const FlowSizeCdf sizes = FlowSizeCdf::Read(GetShippedPath(name, FlowSizeCdf::EXTENSION));
        std::cout << std::left << std::setw(NAME_WIDTH + 2) << name << "mean "
                  << std::llround(sizes.GetMeanBytes()) << " B, median "
                  << sizes.GetQuantile(1.0 / 2) << " B, largest "
                  << sizes.GetQuantile(std::nextafter(1.0, 0.0)) << " B\n";
    }
}

/// Prints sections of keys. @param all of which those of the request's names are chosen
/// @param what they are, for messages @throws InputError
void
ListSections(const ListRequest& request, const std::vector<KeySection>& all, const char* what)
{
    std::vector<std::string> known;
    for (const KeySection& section : all)
    {
        known.push_back(section.name);
    }
    nlohmann::ordered_json sections;
    for (const std::string& name : request.names.empty() ? known : request.names)
    {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
        {
            throw InputError("list " + request.topic + ": " + name + ": expected " + what + " (" +
                             DescribeNearest(name, known) + ")");
        }
        const KeySection& section = all[static_cast<std::size_t>(found - known.begin())];
        if (request.hasJson)
        {
            sections[name] = {{"meaning", section.meaning}, {"keys", DescribeKeys(section.keys)}};
            continue;
        }
        std::cout << name << ": " << section.meaning << '\n';
        PrintKeys(std::cout, section.keys);
    }
    if (request.hasJson)
    {
        std::cout << sections.dump(2) << '\n';
    }
}

void
ListMeasurements(const ListRequest& request)
{
    std::vector<KeySection> sections;
    for (const Ptr<ScenarioKind>& kind : MakeKinds(Measurement::GetTypeId()))
    {
        sections.push_back({kind->GetInfo().name, kind->GetInfo().description, kind->ListKeys()});
    }
    ListSections(request, sections, "a measurement");
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

void
ListAttributes(const ListRequest& request)
{
    const AttributeList list =
        request.names.empty() ? AttributeList() : AttributeList(request.names);
    if (request.hasJson)
    {
        list.WriteJson(std::cout);
    }
    else
    {
        list.WriteText(std::cout);
    }
}

/// @return the result files and their columns, and the counters of summary.json
nlohmann::ordered_json
DescribeColumns()
{
    nlohmann::ordered_json files;
    const auto add = [&files](const std::string& file, const ResultColumn& column) {
        files[file].push_back({{"name", column.name},
                               {"unit", column.unit},
                               {"values", GetColumnTypeName(column.type)},
                               {"meaning", column.meaning}});
    };
    for (const TableSchema* table : TableSchema::GetAll())
    {
        if (table->GetScope() == TableScope::WORKLOAD)
        {
            add(table->GetFile(), TableSchema::GetWorkloadColumn());
        }
        for (const ResultColumn& column : table->GetColumns())
        {
            add(table->GetFile(), column);
        }
    }
    for (const RunCounter& counter : GetRunCounters())
    {
        add("summary.json", counter);
    }
    return files;
}

/// Prints the columns of result files. @throws InputError
void
ListColumns(const ListRequest& request)
{
    const nlohmann::ordered_json all = DescribeColumns();
    nlohmann::ordered_json files = request.names.empty() ? all : nlohmann::ordered_json();
    for (const std::string& name : request.names)
    {
        if (!all.contains(name))
        {
            std::vector<std::string> known;
            for (const auto& file : all.items())
            {
                known.push_back(file.key());
            }
            throw InputError("list columns: " + name + ": expected a result file (" +
                             DescribeNearest(name, known) + ")");
        }
        files[name] = all[name];
    }
    if (request.hasJson)
    {
        std::cout << files.dump(2) << '\n';
        return;
    }
    for (const auto& [file, columns] : files.items())
    {
        std::cout << file << '\n';
        for (const auto& column : columns)
        {
            const std::string unit = column["unit"];
            std::cout << "  " << std::left << std::setw(2 * NAME_WIDTH)
                      << column["name"].get<std::string>() << column["meaning"].get<std::string>()
                      << (unit.empty() ? "" : " (" + unit + ")") << '\n';
        }
    }
}

void
ListPipeline(const ListRequest& request)
{
    constexpr uint32_t USUAL_BYTES{64};
    const auto report = MakePipelineReport(request.nic, request.bytes.value_or(USUAL_BYTES));
    if (request.hasJson)
    {
        std::cout << report.dump(2) << '\n';
    }
    else
    {
        PrintPipelineReport(report, std::cout);
    }
}

/// Options that only some topics have.
void
CheckOptions(const ListRequest& request)
{
    if (!request.names.empty() && request.topic != "attributes" && request.topic != "columns" &&
        request.topic != "keys" && request.topic != "measurements")
    {
        throw InputError("list: " + request.names.front() +
                         ": expected the topic attributes, columns, keys or measurements");
    }
    if (request.bytes && request.topic != "pipeline")
    {
        throw InputError("list: --bytes: expected the topic pipeline");
    }
}

struct Topic
{
    std::string name;
    void (*list)(const ListRequest&);
    bool hasJson{false};    ///< It has --json.
    bool isAboutNic{false}; ///< It needs --nic.
};

const std::vector<Topic>&
GetTopics()
{
    static const std::vector<Topic> topics{
        {"presets", [](const ListRequest&) { ListPresets(); }},
        {"parameters", [](const ListRequest&) { ListParameterSets(); }},
        {"topologies", [](const ListRequest&) { ListKinds(TopologyKind::GetTypeId()); }},
        {"workloads", [](const ListRequest&) { ListKinds(WorkloadKind::GetTypeId()); }},
        {"keys",
         [](const ListRequest& request) {
             ListSections(request, ListScenarioKeys(), "an object of a scenario");
         },
         true},
        {"sizes", [](const ListRequest&) { ListSizes(); }},
        {"measurements", ListMeasurements, true},
        {"types", [](const ListRequest&) { ListTypes(); }},
        {"attributes", ListAttributes, true},
        {"columns", ListColumns, true},
        {"pipeline", ListPipeline, true, true},
    };
    return topics;
}

/// Refuses topics that are arithmetic on constants of papers. @throws InputError
std::string
CheckMoved(const std::string& topic)
{
    if (topic == "memory")
    {
        throw InputError("list memory: expected rocelab figure srnic/table-1-2, which counts the "
                         "memory on the chip");
    }
    if (topic == "resources")
    {
        throw InputError("list resources: expected rocelab figure strom/table-3 or balboa/table-2, "
                         "which count the resources of the FPGA");
    }
    return "";
}

/// Prints one topic, or all if it is empty. @throws InputError
void
ListTopics(const ListRequest& request)
{
    const bool isAll = request.topic.empty();
    CheckOptions(request);
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
        if (!entry.isAboutNic && !request.nic.empty())
        {
            throw InputError("list: --nic: expected a topic that is about a NIC");
        }
        if (request.hasJson && (isAll || !entry.hasJson))
        {
            throw InputError("list: --json: expected the topic attributes, columns, keys, "
                             "measurements or pipeline");
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

/// Prints lists.
class ListCommand : public Command
{
  public:
    ListCommand()
        : Command({"list",
                   "List presets, kinds, attributes, columns of results and a NIC's latencies",
                   "  rocelab list presets\n"
                   "  rocelab list attributes\n"
                   "  rocelab list attributes Dcqcn RdmaNic::PathMtu\n"
                   "  rocelab list keys fabric fat-tree\n"
                   "  rocelab list measurements kv-dma\n"
                   "  rocelab list pipeline --nic balboa --bytes 4096",
                   30})
    {
    }

    void AddOptions(CLI::App& command) override;

    std::vector<std::string> GetPlugins() const override
    {
        return m_plugins;
    }

    int Run(const CommandContext& context) override;

  private:
    ListRequest m_request;
    std::vector<std::string> m_plugins;
};

void
ListCommand::AddOptions(CLI::App& command)
{
    std::vector<std::string> topics;
    for (const Topic& topic : GetTopics())
    {
        topics.push_back(topic.name);
    }
    topics.emplace_back(COMMANDS_TOPIC);
    topics.emplace_back(SCHEMA_TOPIC);
    command
        .add_option("topic", m_request.topic, "Topic (all but commands and schema, which are JSON)")
        ->check(CheckMoved)
        ->check(CLI::IsMember(topics));
    command.add_option(
        "names",
        m_request.names,
        "Classes or attributes, as Dcqcn or Dcqcn::Gain; objects of a scenario, as fabric; "
        "result files, as flows.csv; measurements");
    command.add_option("--nic", m_request.nic, "NIC preset (pipeline)");
    command.add_option("--bytes", m_request.bytes, "Payload of a packet, bytes (pipeline; 64)")
        ->check(CLI::Range(1, 4096));
    command.add_flag("--json",
                     m_request.hasJson,
                     "JSON instead of a table (attributes, columns, keys, measurements, pipeline)");
    AddPluginOption(command, m_plugins);
}

int
ListCommand::Run(const CommandContext&)
{
    if (m_request.topic == COMMANDS_TOPIC)
    {
        std::cout << CommandSet().Describe().dump(2) << '\n';
    }
    else if (m_request.topic == SCHEMA_TOPIC)
    {
        std::cout << MakeScenarioSchema().dump(1) << '\n';
    }
    else
    {
        ListTopics(m_request);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<ListCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
