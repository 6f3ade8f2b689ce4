// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-graph.h"
#include "ns3/json-document.h"
#include "ns3/name-suggestion.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/workload-kind.h"

#include <limits>
#include <unordered_map>

namespace ns3::rdma
{

namespace
{

/// Number of an operation by its id.
using NumberMap = std::unordered_map<std::string, uint32_t>;

/// @return an id: a name or a whole number.
std::string
ReadId(const JsonValue& value)
{
    const bool isNumber = value.GetJson().is_number();
    return isNumber ? std::to_string(value.GetWhole(0, std::numeric_limits<uint64_t>::max()))
                    : value.GetString();
}

FlowOperation
ReadOperation(const JsonValue& entry)
{
    constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
    static const std::vector<std::string>
        KEYS{"id", "src", "dst", "bytes", "after", "delay", "queuePair"};
    entry.ExpectKeys(KEYS);
    FlowOperation operation;
    operation.id = ReadId(entry.Get("id"));
    operation.src = static_cast<uint32_t>(entry.Get("src").GetWhole(0, MAX_NODE));
    operation.dst = static_cast<uint32_t>(entry.Get("dst").GetWhole(0, MAX_NODE));
    operation.bytes = entry.Get("bytes").GetBytesOrNumber();
    if (const auto delay = entry.Find("delay"))
    {
        operation.delayPs = delay->GetTime().GetPicoSeconds();
    }
    if (const auto queuePair = entry.Find("queuePair"))
    {
        operation.queuePair = queuePair->GetString();
        if (operation.queuePair.empty())
        {
            queuePair->Fail("a name");
        }
    }
    return operation;
}

uint32_t
FindNumber(const JsonValue& value, const NumberMap& numbers)
{
    const std::string id = ReadId(value);
    const auto found = numbers.find(id);
    if (found == numbers.end())
    {
        std::vector<std::string> known;
        for (const auto& [name, number] : numbers)
        {
            known.push_back(name);
        }
        value.Fail("the id of an operation (" + DescribeNearest(id, known) + ")");
    }
    return found->second;
}

std::vector<FlowOperation>
ReadOperations(const JsonValue& list)
{
    std::vector<FlowOperation> operations;
    NumberMap numbers;
    list.ForEachElement([&](const JsonValue& entry) {
        operations.push_back(ReadOperation(entry));
        const auto number = static_cast<uint32_t>(operations.size() - 1);
        if (!numbers.emplace(operations.back().id, number).second)
        {
            entry.Get("id").Fail("an id of its own for each operation",
                                 '"' + operations.back().id + "\" again");
        }
    });
    if (operations.empty())
    {
        list.Fail("at least one operation");
    }
    uint32_t number = 0;
    list.ForEachElement([&](const JsonValue& entry) {
        if (const auto after = entry.Find("after"))
        {
            after->ForEachElement([&](const JsonValue& id) {
                operations[number].after.push_back(FindNumber(id, numbers));
            });
        }
        ++number;
    });
    return operations;
}

} // namespace

/// Workload type "graph".
class GraphKind : public WorkloadKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::GraphKind")
                                .SetParent<WorkloadKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<GraphKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"graph",
                "operations that start when others have ended, in the scenario or in a file",
                {"operations", "file"},
                {"file"}};
    }

    void Read(const JsonValue& value, const Scenario&) override
    {
        const auto operations = value.Find("operations");
        const auto file = value.Find("file");
        if (operations.has_value() == file.has_value())
        {
            value.Fail("either operations or file", file ? "both" : "none of them");
        }
        if (file)
        {
            m_file = file->GetString();
            return;
        }
        m_operations = ReadOperations(*operations);
    }

    void Write(nlohmann::ordered_json& json) const override
    {
        if (!m_file.empty())
        {
            json["file"] = m_file;
            return;
        }
        for (const FlowOperation& operation : m_operations)
        {
            nlohmann::ordered_json entry{{"id", operation.id},
                                         {"src", operation.src},
                                         {"dst", operation.dst},
                                         {"bytes", operation.bytes}};
            for (const uint32_t predecessor : operation.after)
            {
                entry["after"].push_back(m_operations[predecessor].id);
            }
            entry["delay"] = FormatTime(PicoSeconds(operation.delayPs));
            if (!operation.queuePair.empty())
            {
                entry["queuePair"] = operation.queuePair;
            }
            json["operations"].push_back(std::move(entry));
        }
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        if (m_file.empty())
        {
            // The graph names the operation, "operations[3]: ...", which continues the path.
            return AtPlace(scenario.file, GetPath() + ".", [&] {
                return std::make_unique<GraphWorkload>(FlowGraph(m_operations, topology));
            });
        }
        const std::string path = FindFile(scenario, m_file, GetPath() + ".file");
        const nlohmann::json document = ReadJsonFile(path);
        const JsonValue root(document, path, "$");
        root.ExpectKeys({"operations"});
        const std::vector<FlowOperation> operations = ReadOperations(root.Get("operations"));
        return AtPlace(path, "$.", [&] {
            return std::make_unique<GraphWorkload>(FlowGraph(operations, topology));
        });
    }

  private:
    std::string m_file; ///< A path relative to the scenario file; empty: operations are below.
    std::vector<FlowOperation> m_operations;
};

NS_OBJECT_ENSURE_REGISTERED(GraphKind);

} // namespace ns3::rdma
