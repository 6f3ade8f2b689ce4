// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/shipped-file.h"

#include "ns3/name-suggestion.h"
#include "ns3/scenario-file.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/// Where a checkout, a Debian package and a wheel have the folder, below one above the libraries.
constexpr const char* SHIPPED_FOLDERS[]{"traces", "share/rocelab/traces", "data/traces"};

/// @return the folder; empty: there is none.
fs::path
FindShippedFolder()
{
    Dl_info library{};
    if (dladdr(reinterpret_cast<const void*>(&ListShippedFiles), &library) == 0)
    {
        return {};
    }
    std::error_code error;
    for (fs::path above = fs::canonical(library.dli_fname, error).parent_path();
         above.has_relative_path();
         above = above.parent_path())
    {
        for (const char* folder : SHIPPED_FOLDERS)
        {
            if (fs::is_directory(above / folder, error))
            {
                return above / folder;
            }
        }
    }
    return {};
}

} // namespace

std::vector<std::string>
ListShippedFiles(const std::string& extension)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(FindShippedFolder(), error))
    {
        if (entry.path().extension() == extension)
        {
            names.push_back(entry.path().stem());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string
GetShippedPath(const std::string& name, const std::string& extension)
{
    return FindShippedFolder() / (name + extension);
}

bool
IsShippedName(const Scenario& scenario, const std::string& value)
{
    std::error_code ignored;
    return !fs::exists(ResolvePath(scenario, value), ignored) && !fs::path(value).has_extension() &&
           value.find('/') == std::string::npos;
}

std::string
FindFileOrShipped(const Scenario& scenario,
                  const std::string& value,
                  const std::string& extension,
                  const std::string& jsonPath)
{
    if (!IsShippedName(scenario, value))
    {
        return FindFile(scenario, value, jsonPath);
    }
    const std::vector<std::string> names = ListShippedFiles(extension);
    if (std::find(names.begin(), names.end(), value) == names.end())
    {
        throw InputError(scenario.file + ": " + jsonPath +
                         ": expected a file beside the scenario file, an absolute path or a name "
                         "of rocelab list sizes (" +
                         DescribeNearest(value, names) + "), got \"" + value + '"');
    }
    return GetShippedPath(value, extension);
}

} // namespace ns3::rdma
