// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/offload-task.h"

#include "ns3/input-error.h"
#include "ns3/key-reader.h"
#include "ns3/name-suggestion.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t USUAL_CALLS{200};

/// @return a number if the text is one, else a string.
nlohmann::json
ParseOption(const std::string& text)
{
    const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    return value.is_number() || value.is_boolean() ? value : nlohmann::json(text);
}

nlohmann::json
MakeOptions(const std::vector<std::string>& options)
{
    nlohmann::json made = nlohmann::json::object();
    for (const std::string& option : options)
    {
        const auto equals = option.find('=');
        const std::string name = option.substr(0, equals);
        if (equals == std::string::npos || equals == 0)
        {
            throw InputError("offload: --option: expected NAME=VALUE, got " + option);
        }
        if (made.contains(name))
        {
            throw InputError("offload: --option: expected " + name + " once, got it twice");
        }
        made[name] = ParseOption(option.substr(equals + 1));
    }
    return made;
}

Ptr<OffloadTask>
FindTask(const std::string& name)
{
    std::vector<std::string> names;
    for (const Ptr<ScenarioKind>& kind : MakeKinds(OffloadTask::GetTypeId()))
    {
        names.push_back(kind->GetInfo().name);
        if (names.back() == name)
        {
            return DynamicCast<OffloadTask>(kind);
        }
    }
    throw InputError("offload: expected a task (" + DescribeNearest(name, names) + "), got " +
                     name);
}

} // namespace

OffloadOutcome
CompareAnswer(const std::string& expectedStatus,
              const std::vector<uint8_t>& expectedValue,
              const std::string& status,
              const std::vector<uint8_t>& value)
{
    OffloadOutcome outcome{status, value.size(), {}};
    if (status != expectedStatus)
    {
        outcome.fault = "expected " + expectedStatus + ", got " + status;
    }
    else if (value.size() != expectedValue.size())
    {
        outcome.fault = "expected " + std::to_string(expectedValue.size()) + " bytes, got " +
                        std::to_string(value.size());
    }
    else if (value != expectedValue)
    {
        const auto differs = std::mismatch(value.begin(), value.end(), expectedValue.begin());
        outcome.fault = "byte " + std::to_string(differs.first - value.begin()) + " differs";
    }
    return outcome;
}

void
OffloadMethod::Report(nlohmann::ordered_json&) const
{
}

NS_OBJECT_ENSURE_REGISTERED(OffloadTask);

TypeId
OffloadTask::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::OffloadTask").SetParent<ScenarioKind>().SetGroupName("RdmaExperiment");
    return tid;
}

uint64_t
OffloadTask::GetUsualCalls() const
{
    return USUAL_CALLS;
}

void
OffloadTask::Resolve(const JsonValue&, const std::string&)
{
}

void
OffloadTask::CheckOption(const JsonValue& options,
                         const char* name,
                         bool holds,
                         const std::string& expected)
{
    const auto option = options.Find(name);
    if (option && !holds)
    {
        option->Fail(expected);
    }
}

std::string
GetUsualMethod(const std::string& task)
{
    return FindTask(task)->GetMethods().front();
}

Ptr<OffloadTask>
ReadOffloadTask(const std::string& name,
                const std::string& method,
                const std::vector<std::string>& options)
{
    const Ptr<OffloadTask> task = FindTask(name);
    const std::vector<std::string> methods = task->GetMethods();
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
    {
        throw InputError("offload: --method: expected one of " + JoinNames(methods) + " for " +
                         name + ", got " + method);
    }
    const nlohmann::json given = MakeOptions(options);
    const JsonValue value(given, "offload", "--option");
    const KeyVisit visit = [&task](Keys& keys) { task->Visit(keys); };
    ReadKeys(value, visit, visit, {});
    task->Resolve(value, method);
    return task;
}

} // namespace ns3::rdma
