// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/environment-check.h"

#include "ns3/input-error.h"
#include "ns3/json-document.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rdma
{

void
CheckEnvironment()
{
    for (const char* name : {"NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"})
    {
        const char* value = std::getenv(name);
        if (value && *value != '\0')
        {
            throw InputError(std::string("environment variable ") + name +
                             ": expected none (attributes belong in the scenario), got " +
                             DescribeJson(value));
        }
    }
}

} // namespace ns3::rdma
