// SPDX-License-Identifier: GPL-2.0-only

#include "plugin-loader.h"

#include "ns3/input-error.h"

#include <dlfcn.h>
#include <filesystem>

namespace ns3::rdma
{

void
LoadPlugins(const std::vector<std::string>& paths)
{
    for (const std::string& path : paths)
    {
        // A name without a folder would be searched for among the system's libraries.
        const std::string file = std::filesystem::absolute(path).string();
        if (!dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL))
        {
            throw InputError("--plugin " + path + ": expected a plug-in, got: " + dlerror());
        }
    }
}

} // namespace ns3::rdma
