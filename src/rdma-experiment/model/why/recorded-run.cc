// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/recorded-run.h"

#include "ns3/flow-log.h"
#include "ns3/flow-number.h"
#include "ns3/input-error.h"
#include "ns3/input-text.h"
#include "ns3/json-document.h"
#include "ns3/json-value.h"
#include "ns3/name-suggestion.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-reader.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// @return what makes the folder none of one NIC's results; empty if it is one.
std::string
FindFolderFault(const fs::path& folder)
{
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
    {
        return "no folder";
    }
    if (fs::exists(folder / "scenario.json", ignored) && fs::exists(folder / "flows.csv", ignored))
    {
        return "";
    }
    std::vector<std::string> nics;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
    {
        if (fs::exists(entry.path() / "flows.csv", ignored))
        {
            nics.push_back(entry.path().filename().string());
        }
    }
    if (nics.empty())
    {
        return "a folder without them";
    }
    return "the folder of several NICs, such as " +
           (folder / *std::min_element(nics.begin(), nics.end())).string();
}

/// @return the number that begins a text, before a comma; unset if there is none.
std::optional<uint64_t>
ReadNumber(std::string_view text)
{
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    const bool isNumber = result.ec == std::errc() && result.ptr != end && *result.ptr == ',';
    return isNumber ? std::optional(number) : std::nullopt;
}

/// @return the number in the run of the flow of a line of flows.csv; unset if there is none.
/// @param workloads names of a list; none: there is no list
std::optional<uint64_t>
ReadFlowNumber(const std::string& line, const std::vector<std::string>& workloads)
{
    if (workloads.empty())
    {
        return ReadNumber(line);
    }
    const std::size_t comma = line.find(',');
    const auto found = std::find(workloads.begin(), workloads.end(), line.substr(0, comma));
    const auto number = comma == std::string::npos
                            ? std::nullopt
                            : ReadNumber(std::string_view(line).substr(comma + 1));
    if (found == workloads.end() || !number)
    {
        return std::nullopt;
    }
    return flow_number::Make(static_cast<uint32_t>(found - workloads.begin()), *number);
}

std::string
GetStatus(const std::string& line)
{
    return line.substr(line.rfind(',') + 1);
}

std::vector<std::string>
ReadStrings(const JsonValue& list)
{
    std::vector<std::string> strings;
    for (const JsonValue& element : list.GetElements())
    {
        strings.push_back(element.GetString());
    }
    return strings;
}

/// @throws InputError unless those plug-ins are loaded that made the results
void
CheckPlugins(const JsonValue& recorded, const std::vector<std::string>& loaded)
{
    for (const std::string& name : ReadStrings(recorded))
    {
        if (std::none_of(loaded.begin(), loaded.end(), [&name](const std::string& path) {
                return fs::path(path).filename() == name;
            }))
        {
            recorded.Fail("--plugin for " + name + ", with which the results were made", "none");
        }
    }
}

/// @return the first path of the scenario that names no file below a folder; empty if all do.
std::string
FindMissing(const JsonValue& recorded, const fs::path& base)
{
    std::error_code ignored;
    for (const auto& [path, hash] : recorded.GetMembers())
    {
        if (!fs::exists(base / path, ignored))
        {
            return path;
        }
    }
    return "";
}

/// @return folders where the paths of a scenario may start. @param base as recorded in a result
/// folder; the folder may have moved up or down since, as those of sweeps do
std::vector<fs::path>
ListBases(const fs::path& folder, const fs::path& base)
{
    std::error_code ignored;
    const fs::path absolute = fs::absolute(folder, ignored).lexically_normal();
    fs::path below; // Base without its leading "..".
    for (const fs::path& part : base)
    {
        below /= part == ".." ? "" : part;
    }
    std::vector<fs::path> bases{(absolute / base).lexically_normal()};
    for (fs::path above = absolute; above.has_relative_path(); above = above.parent_path())
    {
        bases.push_back((above.parent_path() / below).lexically_normal());
    }
    return bases;
}

/// @return the folder where the scenario's paths start: the user's, a recorded one, or the current
/// one. @throws InputError unless the files that the scenario names are there
std::string
FindBase(const JsonValue& made, const JsonValue& files, const RecordedRunOptions& options)
{
    std::vector<fs::path> bases;
    if (const auto recorded = made.Find("base"); recorded && options.baseDirectory.empty())
    {
        bases = ListBases(options.folder, recorded->GetString());
    }
    bases.emplace_back(options.baseDirectory.empty() ? "." : options.baseDirectory);
    const auto found = std::find_if(bases.begin(), bases.end(), [&files](const fs::path& base) {
        return FindMissing(files, base).empty();
    });
    if (found == bases.end())
    {
        files.Fail("--base FOLDER, where the path " + FindMissing(files, bases.back()) +
                       " of the scenario starts",
                   bases.back().string() + ", where there is no such file");
    }
    return found->string();
}

/// @throws InputError if a file that the scenario names has other contents than it had
void
CheckFiles(const JsonValue& recorded, const Scenario& scenario)
{
    const ScenarioDigest digest = MakeDigest(scenario);
    for (const auto& [path, hash] : recorded.Get("files").GetMembers())
    {
        const auto found = digest.files.find(path);
        if (found != digest.files.end() && found->second != hash.GetString())
        {
            hash.Fail("a file " + path + " as it was when the results were made", "another one");
        }
    }
    const auto shipped = recorded.Find("shipped");
    if (!shipped)
    {
        return;
    }
    for (const auto& [name, hash] : shipped->GetMembers())
    {
        const auto found = digest.shipped.find(name);
        if (found == digest.shipped.end() || found->second != hash.GetString())
        {
            hash.Fail("the shipped file " + name + " as it was when the results were made",
                      found == digest.shipped.end() ? "a file of this name in the base folder"
                                                    : "another one");
        }
    }
}

} // namespace

RecordedRun::RecordedRun(const RecordedRunOptions& options)
    : m_folder(options.folder)
{
    if (const std::string fault = FindFolderFault(m_folder); !fault.empty())
    {
        throw InputError(m_folder +
                         ": expected the results of one NIC, a folder with scenario.json and "
                         "flows.csv, got " +
                         fault);
    }
    ReadScenarioFile(options);
    ReadFlows();
}

void
RecordedRun::ReadScenarioFile(const RecordedRunOptions& options)
{
    const std::string file = (fs::path(m_folder) / "scenario.json").string();
    Json document = ReadJsonFile(file);
    const JsonValue root(document, file, "$");
    const Json recorded = root.Get("rocelab").GetJson();
    const JsonValue made(recorded, file, "$.rocelab");
    m_version = made.Get("version").GetString();
    CheckPlugins(made.Get("plugins"), options.plugins);
    const JsonValue identity = made.Get("scenario");
    const std::string base = FindBase(made, identity.Get("files"), options);
    document.erase("rocelab");
    document.erase("series"); // Changes nothing, and is not wanted again.
    ScenarioChanges changes;
    changes.text = document.dump();
    changes.plugins = options.plugins;
    changes.baseDirectory = base;
    m_prepared = PrepareScenario(file, changes);
    m_workloads = GetWorkloadNames(m_prepared->scenario);
    CheckFiles(identity, m_prepared->scenario);
}

void
RecordedRun::ReadFlows()
{
    const std::string file = (fs::path(m_folder) / "flows.csv").string();
    std::istringstream text(ReadInputText(file, "list of flows"));
    std::string line;
    std::getline(text, line);
    std::string header = FlowLog::GetHeader(!m_workloads.empty());
    header.pop_back(); // The end of the line.
    if (line != header)
    {
        throw InputError(file + ":1: expected the columns of this version, " + header + ", got " +
                         DescribeJson(line) + " (made by rocelab " + m_version + ")");
    }
    const auto commas = std::count(header.begin(), header.end(), ',');
    for (uint64_t number = 2; std::getline(text, line); ++number)
    {
        const auto flow = ReadFlowNumber(line, m_workloads);
        if (!flow || std::count(line.begin(), line.end(), ',') != commas)
        {
            throw InputError(file + ":" + std::to_string(number) + ": expected a flow with " +
                             std::to_string(commas + 1) + " columns, got " + DescribeJson(line));
        }
        m_lines[*flow] = line;
    }
}

uint64_t
RecordedRun::FindFlow(uint64_t number, const std::string& workload) const
{
    if (m_workloads.empty())
    {
        if (!workload.empty())
        {
            throw InputError("--workload: expected results of a list of workloads with it, got " +
                             m_folder + ", which has one without a name");
        }
        return number;
    }
    const auto found = std::find(m_workloads.begin(), m_workloads.end(), workload);
    if (found == m_workloads.end())
    {
        throw InputError("--workload: expected the workload of the flow (" +
                         DescribeNearest(workload, m_workloads) + "), got " +
                         (workload.empty() ? "none" : DescribeJson(workload)));
    }
    if (number != flow_number::GetLocal(number))
    {
        throw InputError(m_folder + ": expected the number of a flow, got " +
                         std::to_string(number));
    }
    return flow_number::Make(static_cast<uint32_t>(found - m_workloads.begin()), number);
}

void
RecordedRun::CheckAnyFlow() const
{
    if (m_lines.empty())
    {
        throw InputError(m_folder +
                         ": expected results with flows, got none (requests of workload \"rpc\" "
                         "are no flows and are not explained)");
    }
}

const std::string&
RecordedRun::GetCompleted(uint64_t flow) const
{
    CheckAnyFlow();
    const auto found = m_lines.find(flow);
    if (found == m_lines.end() && !m_workloads.empty())
    {
        throw InputError(m_folder + ": expected the number of one of its flows, got " +
                         flow_number::Describe(flow, m_workloads));
    }
    if (found == m_lines.end())
    {
        throw InputError(m_folder + ": expected the number of one of its " +
                         std::to_string(m_lines.size()) + " flows, " +
                         std::to_string(m_lines.begin()->first) + " to " +
                         std::to_string(m_lines.rbegin()->first) + ", got " + std::to_string(flow));
    }
    if (const std::string status = GetStatus(found->second); status != "completed")
    {
        throw InputError(m_folder + ": expected a flow that completed, got " +
                         flow_number::Describe(flow, m_workloads) + ", which is " + status +
                         ": it has no completion time");
    }
    return found->second;
}

std::vector<uint64_t>
RecordedRun::FindCompleted() const
{
    CheckAnyFlow();
    std::vector<uint64_t> completed;
    for (const auto& [flow, line] : m_lines)
    {
        if (GetStatus(line) == "completed")
        {
            completed.push_back(flow);
        }
    }
    if (completed.empty())
    {
        throw InputError(m_folder + ": expected flows that completed, got none");
    }
    return completed;
}

std::string
RecordedRun::DescribeDifference(uint64_t flow, const std::string& line) const
{
    const std::string own = ROCELAB_VERSION;
    const std::string versions = own == m_version
                                     ? ", although both are of rocelab " + own
                                     : ": made by rocelab " + m_version + ", and this is " + own;
    return m_folder + ": expected the run to repeat " + flow_number::Describe(flow, m_workloads) +
           " as " + m_lines.at(flow) + ", got " + (line.empty() ? "no such flow" : line) + versions;
}

} // namespace ns3::rdma
