// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/result-names.h"

#include <algorithm>
#include <string_view>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view RUN_FILES[] = {"flows.csv",
                                          "hosts.csv",
                                          "scenario.json",
                                          "summary.json"};

/// Of a comparison, and of the figures in examples/.
constexpr std::string_view OTHER_NAMES[] = {"compare.csv", "figure.json", "plots", "runs"};

/// As "host-12.pcap".
bool
IsCapture(std::string_view name)
{
    constexpr std::string_view BEGIN{"host-"};
    constexpr std::string_view END{".pcap"};
    if (name.size() <= BEGIN.size() + END.size() || name.substr(0, BEGIN.size()) != BEGIN ||
        name.substr(name.size() - END.size()) != END)
    {
        return false;
    }
    name.remove_prefix(BEGIN.size());
    name.remove_suffix(END.size());
    return name.find_first_not_of("0123456789") == std::string_view::npos;
}

} // namespace

bool
IsRunFile(const std::string& name)
{
    return IsCapture(name) ||
           std::find(std::begin(RUN_FILES), std::end(RUN_FILES), name) != std::end(RUN_FILES);
}

const std::vector<std::string>&
GetDerivedFiles()
{
    static const std::vector<std::string> files = [] {
        std::vector<std::string> all{"compare.csv"};
        for (const std::string plot : {"fct", "slowdown", "fct-cdf", "slowdown-by-size"})
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
    return IsRunFile(name) ||
           std::find(std::begin(OTHER_NAMES), std::end(OTHER_NAMES), name) != std::end(OTHER_NAMES);
}

} // namespace ns3::rdma
