// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/recorded-run.h"

#include "ns3/input-error.h"
#include "ns3/input-text.h"
#include "ns3/json-document.h"
#include "ns3/json-value.h"
#include "ns3/scenario-digest.h"
#include "ns3/scenario-reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* HEADER{
    "flow,src,dst,bytes,start_ns,fct_ns,ideal_ns,slowdown,packets,retransmitted,timeouts,status"};

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

/// @return the number that begins a line of flows.csv; unset if there is none.
std::optional<uint64_t>
ReadFlowNumber(const std::string& line)
{
    uint64_t flow = 0;
    const char* const end = line.data() + line.size();
    const auto result = std::from_chars(line.data(), end, flow);
    const bool isNumber = result.ec == std::errc() && result.ptr != end && *result.ptr == ',';
    return isNumber ? std::optional(flow) : std::nullopt;
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

/// @throws InputError unless the files that the scenario names are below a folder
void
FindFiles(const JsonValue& recorded, const fs::path& base)
{
    std::error_code ignored;
    for (const auto& [path, hash] : recorded.GetMembers())
    {
        if (!fs::exists(base / path, ignored))
        {
            recorded.Fail("--base FOLDER, where the path " + path + " of the scenario starts",
                          base.string() + ", where there is no such file");
        }
    }
}

/// @throws InputError if a file that the scenario names has other contents than it had
void
CheckFiles(const JsonValue& recorded, const Scenario& scenario)
{
    const auto files = MakeDigest(scenario).files;
    for (const auto& [path, hash] : recorded.GetMembers())
    {
        const auto found = files.find(path);
        if (found != files.end() && found->second != hash.GetString())
        {
            hash.Fail("a file " + path + " as it was when the results were made", "another one");
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
    const JsonValue files = made.Get("scenario").Get("files");
    const std::string base = options.baseDirectory.empty() ? "." : options.baseDirectory;
    FindFiles(files, base);
    document.erase("rocelab");
    document.erase("series"); // Changes nothing, and is not wanted again.
    ScenarioChanges changes;
    changes.text = document.dump();
    changes.plugins = options.plugins;
    changes.baseDirectory = base;
    m_prepared = PrepareScenario(file, changes);
    CheckFiles(files, m_prepared->scenario);
}

void
RecordedRun::ReadFlows()
{
    const std::string file = (fs::path(m_folder) / "flows.csv").string();
    std::istringstream text(ReadInputText(file, "list of flows"));
    std::string line;
    std::getline(text, line);
    if (line != HEADER)
    {
        throw InputError(file + ":1: expected the columns of this version, " + HEADER + ", got " +
                         DescribeJson(line) + " (made by rocelab " + m_version + ")");
    }
    for (uint64_t number = 2; std::getline(text, line); ++number)
    {
        const auto flow = ReadFlowNumber(line);
        if (!flow || std::count(line.begin(), line.end(), ',') != 11)
        {
            throw InputError(file + ":" + std::to_string(number) +
                             ": expected a flow with 12 columns, got " + DescribeJson(line));
        }
        m_lines[*flow] = line;
    }
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
    if (found == m_lines.end())
    {
        throw InputError(m_folder + ": expected the number of one of its " +
                         std::to_string(m_lines.size()) + " flows, " +
                         std::to_string(m_lines.begin()->first) + " to " +
                         std::to_string(m_lines.rbegin()->first) + ", got " + std::to_string(flow));
    }
    if (const std::string status = GetStatus(found->second); status != "completed")
    {
        throw InputError(m_folder + ": expected a flow that completed, got flow " +
                         std::to_string(flow) + ", which is " + status +
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
    return m_folder + ": expected the run to repeat flow " + std::to_string(flow) + " as " +
           m_lines.at(flow) + ", got " + (line.empty() ? "no such flow" : line) + versions;
}

} // namespace ns3::rdma
