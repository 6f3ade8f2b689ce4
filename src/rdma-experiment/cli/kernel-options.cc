// SPDX-License-Identifier: GPL-2.0-only

#include "kernel-options.h"

#include "whole-number.h"

#include "ns3/attribute-check.h"
#include "ns3/exact-quantity.h"
#include "ns3/input-error.h"
#include "ns3/quantity.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::rdma
{

uint64_t
ReadMessageBytes(const std::string& command,
                 const std::string& text,
                 uint64_t usual,
                 uint64_t most,
                 const std::string& limit)
{
    if (text.empty())
    {
        return usual;
    }
    const auto plain = ParseWholeNumber(text);
    const auto size = plain ? plain : ParseBytes(text);
    if (!size || *size == 0 || *size > most)
    {
        throw InputError(command + ": --size: expected 1 to " + limit +
                         " bytes such as 512 or 64KiB, got " + text);
    }
    return *size;
}

DataRate
ReadLinkRate(const std::string& command, const std::string& text)
{
    const auto rate = ParseRate(text);
    if (!rate || rate->GetBitRate() == 0)
    {
        throw InputError(command + ": --rate: expected a rate such as 100Gbps, got " + text);
    }
    return *rate;
}

void
ApplySettings(const std::string& command,
              const std::vector<std::string>& settings,
              const std::vector<Ptr<Object>>& objects)
{
    for (const std::string& setting : settings)
    {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
        {
            throw InputError(command + ": --set: expected NAME=VALUE, got " + setting);
        }
        const auto getPrefix = [](const Ptr<Object>& object) {
            return object->GetInstanceTypeId().GetName() + "::";
        };
        std::string name = setting.substr(0, equals);
        const std::string value = setting.substr(equals + 1);
        name = name.rfind("ns3::", 0) == 0 ? name : getPrefix(objects.front()) + name;
        const auto fault = FindSettingFault(name, value);
        const auto owner = std::find_if(objects.begin(), objects.end(), [&](const auto& object) {
            return name.rfind(getPrefix(object), 0) == 0;
        });
        if (fault || owner == objects.end())
        {
            throw InputError(
                command + ": --set: " + name + ": expected " +
                (fault ? fault->expected + ", got " + fault->got
                       : "an attribute of " + objects.front()->GetInstanceTypeId().GetName()));
        }
        (*owner)->SetAttribute(name.substr(getPrefix(*owner).size()), StringValue(value));
    }
}

} // namespace ns3::rdma
