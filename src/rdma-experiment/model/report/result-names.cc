// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/result-names.h"

#include "ns3/table-schema.h"

#include <algorithm>
#include <string_view>

namespace ns3::rdma
{

namespace
{

/// Files of a run besides tables. The report of an older run is removed with them.
constexpr std::string_view RUN_FILES[] = {"report.html",
                                          "scenario.json",
                                          "summary.json",
                                          "timeline.json"};

/// Files of a comparison, of a report, and of the figures in examples/.
constexpr std::string_view OTHER_NAMES[] = {"compare.csv", "figure.json", "plots", "runs"};

/// Folder of time series in the folder of a run.
constexpr std::string_view SERIES_FOLDER{"series"};

/// Removes a word and the number after it from the front.
/// @return false: the text begins differently
bool
TakeNumbered(std::string_view& name, std::string_view word)
{
    const bool isWord = name.substr(0, word.size()) == word;
    const std::size_t end = isWord ? name.find_first_not_of("0123456789", word.size()) : 0;
    const bool isNumbered = isWord && end != std::string_view::npos && end > word.size();
    name.remove_prefix(isNumbered ? end : 0);
    return isNumbered;
}

/// @return whether the name has the form "host-12.pcap" or "host-12-nic-1-port-0.pcap".
bool
IsCapture(std::string_view name)
{
    if (!TakeNumbered(name, "host-"))
    {
        return false;
    }
    const bool isFirst = !TakeNumbered(name, "-nic-");
    return (isFirst || TakeNumbered(name, "-port-")) && name == ".pcap";
}

bool
IsTable(const std::string& name)
{
    const auto tables = TableSchema::GetAll();
    return std::any_of(tables.begin(), tables.end(), [&name](const TableSchema* table) {
        return table->GetFile() == name;
    });
}

} // namespace

bool
IsRunFile(const std::string& name)
{
    return IsCapture(name) || IsTable(name) ||
           std::find(std::begin(RUN_FILES), std::end(RUN_FILES), name) != std::end(RUN_FILES);
}

std::vector<std::string>
GetSeriesFiles()
{
    std::vector<std::string> files;
    for (const TableSchema* table : TableSchema::GetAll())
    {
        if (table->GetFile().rfind(std::string(SERIES_FOLDER) + "/", 0) == 0)
        {
            files.push_back(table->GetFile());
        }
    }
    return files;
}

const std::vector<std::string>&
GetDerivedFiles()
{
    static const std::vector<std::string> files = [] {
        std::vector<std::string> all{"compare.csv", "report.html"};
        for (const std::string plot : {"fct",
                                       "slowdown",
                                       "fct-cdf",
                                       "fct-ccdf",
                                       "slowdown-by-size",
                                       "slowdown-cdf",
                                       "slowdown-ccdf",
                                       "latency-cdf",
                                       "latency-ccdf",
                                       "iteration-cdf",
                                       "iteration-ccdf",
                                       "fct-by-size",
                                       "queue-heat-map",
                                       "link-utilisation",
                                       "queue-depth",
                                       "port-throughput",
                                       "sending-rate"})
        {
            for (const std::string format : {".pdf", ".png", ".svg"})
            {
                all.push_back("plots/" + plot + format);
            }
        }
        return all;
    }();
    return files;
}

bool
IsReservedName(const std::string& name)
{
    return IsRunFile(name) || name == SERIES_FOLDER ||
           std::find(std::begin(OTHER_NAMES), std::end(OTHER_NAMES), name) != std::end(OTHER_NAMES);
}

} // namespace ns3::rdma
