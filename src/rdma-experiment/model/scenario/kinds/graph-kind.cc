// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-graph.h"
#include "ns3/input-error.h"
#include "ns3/json-document.h"
#include "ns3/key-reader.h"
#include "ns3/name-suggestion.h"
#include "ns3/psn.h"
#include "ns3/scenario-file.h"
#include "ns3/scenario.h"
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

/// Finds the predecessors of operations. @param list as it was read
void
ReadPredecessors(const JsonValue& list, std::vector<FlowOperation>& operations)
{
    NumberMap numbers;
    list.ForEachElement([&](const JsonValue& entry) {
        const auto number = static_cast<uint32_t>(numbers.size());
        const std::string& id = operations[number].id;
        if (!numbers.emplace(id, number).second)
        {
            entry.Get("id").Fail("an id of its own for each operation", '"' + id + "\" again");
        }
    });
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
}

/// @param all operations, which the predecessors of this one are among
void
VisitOperation(Keys& keys, FlowOperation& operation, const std::vector<FlowOperation>& all)
{
    constexpr auto readLater = [](const JsonValue&, const KeySpec&) {}; // By ReadPredecessors().
    const auto writeAfter = [&operation, &all](const KeySpec&) {
        nlohmann::ordered_json ids;
        for (const uint32_t predecessor : operation.after)
        {
            ids.push_back(all[predecessor].id);
        }
        return ids;
    };
    const auto readId = [&operation](const JsonValue& value, const KeySpec&) {
        operation.id = ReadId(value);
    };
    keys.Other("id",
               {readId, [&operation](const KeySpec&) { return operation.id; }},
               "name or whole number, another one for each operation")
        .Shape(R"({"type": ["string", "integer"], "minimum": 0})")
        .Required();
    keys.Count("src", operation.src, "node id of the server that posts the message").Required();
    keys.Count("dst", operation.dst, "node id of the other server").Required();
    keys.Bytes("bytes", operation.bytes, "size of the message").AtLeast(0).Required();
    VisitOwnOperation(keys, operation.opcode);
    keys.Other("after", {readLater, writeAfter}, "list of ids of operations that end before")
        .Shape(R"({"type": "array", "items": {"type": ["string", "integer"], "minimum": 0}})")
        .Otherwise("none");
    keys.Time("delay", operation.delayPs, "time from the last of these ends, or from the start");
    keys.Text("queuePair", operation.queuePair, "name of a queue pair that operations share")
        .Otherwise("one of its own");
    keys.Check(!keys.Has("queuePair") || !operation.queuePair.empty(), "queuePair", "a name");
}

void
VisitOperations(Keys& keys, std::vector<FlowOperation>& operations)
{
    const auto visit = [&operations](Keys& one, FlowOperation& operation) {
        VisitOperation(one, operation, operations);
    };
    keys.List("operations", operations, visit, "messages that start when others have ended")
        .AtLeast(1)
        .OmitIf(operations.empty());
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
                "operations that start when others have ended, in the scenario or in a file"};
    }

    void Visit(Keys& keys) override
    {
        keys.Form(m_form, {"operations", "file"});
        VisitOperations(keys, m_operations);
        keys.File("file", m_file, "JSON file with such operations");
        VisitFlowOperation(keys, m_operation);
    }

    void Resolve(const JsonValue& value, const Scenario&) override
    {
        if (!IsFile())
        {
            ReadPredecessors(value.Get("operations"), m_operations);
        }
    }

    std::unique_ptr<FlowSource> Make(const Scenario& scenario,
                                     const TopologyGraph& topology) const override
    {
        if (!IsFile())
        {
            // The graph names the operation, "operations[3]: ...", which continues the path.
            return AtPlace(scenario.file, GetPath() + ".", [&] {
                return MakeGraph(m_operations, scenario, topology);
            });
        }
        const std::string path = FindFile(scenario, m_file, GetPath() + ".file");
        const nlohmann::json document = ReadJsonFile(path);
        const JsonValue root(document, path, "$");
        std::vector<FlowOperation> operations;
        ReadKeyed(root, operations, VisitOperations);
        ReadPredecessors(root.Get("operations"), operations);
        return AtPlace(path, "$.", [&] {
            return MakeGraph(std::move(operations), scenario, topology);
        });
    }

  private:
    /// @throws InputError "operations[3]: ..."
    std::unique_ptr<GraphWorkload> MakeGraph(std::vector<FlowOperation> operations,
                                             const Scenario& scenario,
                                             const TopologyGraph& topology) const
    {
        // A packet of a message has a PSN (SendQueue::MAX_MESSAGE_PACKETS).
        const uint64_t most = uint64_t{Psn::MAX_WINDOW - 2} * scenario.fabric.mtuBytes;
        for (std::size_t number = 0; number < operations.size(); ++number)
        {
            FlowOperation& one = operations[number];
            one.opcode = one.opcode.value_or(m_operation);
            if (one.bytes > most)
            {
                throw InputError("operations[" + std::to_string(number) + "]: expected at most " +
                                 std::to_string(most) +
                                 " bytes, the longest message with an MTU of " +
                                 std::to_string(scenario.fabric.mtuBytes) + ", got " +
                                 std::to_string(one.bytes));
            }
        }
        return std::make_unique<GraphWorkload>(FlowGraph(std::move(operations), topology));
    }

    bool IsFile() const
    {
        return m_form == "file";
    }

    std::string m_form; ///< The key that is there.
    std::string m_file; ///< A path relative to the scenario file.
    std::vector<FlowOperation> m_operations;
    WrOpcode m_operation{WrOpcode::RDMA_WRITE}; ///< Where an operation names none.
};

NS_OBJECT_ENSURE_REGISTERED(GraphKind);

} // namespace ns3::rdma
