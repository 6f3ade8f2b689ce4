// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/machine-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/json-document.h"
#include "ns3/name-suggestion.h"
#include "ns3/shipped-file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace fs = std::filesystem;

namespace
{

/// Classes of a server, whatever NIC is in it.
constexpr std::array<const char*, 3> CLASSES{"ns3::rdma::PcieLink::",
                                             "ns3::rdma::HostCpu::",
                                             "ns3::rdma::GpuPath::"};

fs::path
FindMachine(const JsonValue& value)
{
    const std::string name = value.GetString();
    const fs::path path = fs::path(value.GetFile()).parent_path() / name;
    std::error_code ignored;
    if (fs::exists(path, ignored))
    {
        return path;
    }
    const std::vector<std::string> names = ListShippedFiles(MACHINE_EXTENSION);
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        value.Fail("a file or a machine (" + DescribeNearest(name, names) + ")");
    }
    return GetShippedPath(name, MACHINE_EXTENSION);
}

} // namespace

std::map<std::string, std::string>
ReadMachine(const JsonValue& value)
{
    const std::string file = FindMachine(value).string();
    const nlohmann::json json = ReadJsonFile(file);
    const JsonValue root(json, file, "$");
    root.ExpectKeys({"source", "attributes"});
    root.Get("source").GetString();
    const JsonValue listed = root.Get("attributes");
    auto attributes = ReadAttributes(listed);
    for (const auto& [name, text] : attributes)
    {
        const bool isOfServer =
            std::any_of(CLASSES.begin(), CLASSES.end(), [&name = name](auto of) {
                return name.rfind(of, 0) == 0;
            });
        if (!isOfServer)
        {
            listed.Get(name).Fail("an attribute of PcieLink, HostCpu or GpuPath", name);
        }
    }
    return attributes;
}

} // namespace ns3::rdma
