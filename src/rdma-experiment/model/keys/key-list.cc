// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// By KeyType.
constexpr const char* TYPE_NAMES[]{"whole number",
                                   "number",
                                   "numbers",
                                   "rate",
                                   "time",
                                   "size",
                                   "bytes",
                                   "true or false",
                                   "text",
                                   "file",
                                   "choice",
                                   "group",
                                   "class",
                                   "object",
                                   "list",
                                   "object by name",
                                   "other"};

/// Lists the keys of the object that is visited.
class KeyLister final : public Keys
{
  public:
    explicit KeyLister(std::vector<KeyInfo>& infos)
        : m_infos(infos)
    {
    }

    void Form(std::string&, const std::vector<const char*>& names) override
    {
        m_forms.insert(m_forms.end(), names.begin(), names.end());
    }

    void Check(bool, const char*, const std::string&, const std::string&) override
    {
    }

    bool Has(const char*) const override
    {
        return true;
    }

    void Take(const KeySpec& spec, const KeyAccess& access) override
    {
        KeyInfo info;
        info.name = spec.name;
        info.spec = spec;
        info.spec.isForm = std::find(m_forms.begin(), m_forms.end(), info.name) != m_forms.end();
        info.otherwise = spec.otherwise;
        if (const auto* value = std::get_if<KeyValueAccess>(&access))
        {
            const bool hasDefault = info.otherwise.empty() && !spec.isRequired && !info.spec.isForm;
            const Json json = hasDefault ? value->write(spec) : Json();
            info.otherwise = json.is_null() ? info.otherwise : json.dump();
        }
        else if (const auto* object = std::get_if<KeyObjectAccess>(&access))
        {
            info.members = ListKeys(object->sample);
        }
        else if (const auto* list = std::get_if<KeyListAccess>(&access))
        {
            info.members = ListKeys(list->sample);
        }
        else
        {
            info.members = ListKeys(std::get<KeyMapAccess>(access).sample);
        }
        m_infos.push_back(std::move(info));
    }

  private:
    std::vector<KeyInfo>& m_infos;
    std::vector<std::string> m_forms;
};

Json
DescribeKey(const KeyInfo& info)
{
    const KeySpec& spec = info.spec;
    Json json{{"name", info.name}, {"type", TYPE_NAMES[static_cast<std::size_t>(spec.type)]}};
    if (spec.isRequired || spec.isForm)
    {
        json["required"] = spec.isForm ? "one of several" : "yes";
    }
    if (!info.otherwise.empty())
    {
        json["default"] = info.otherwise;
    }
    json["meaning"] = spec.meaning;
    if (!spec.unused.empty())
    {
        json["condition"] = spec.unused;
    }
    const bool isNumber = spec.type == KeyType::NUMBER || spec.type == KeyType::NUMBERS;
    if (isNumber && (spec.lower || spec.upper))
    {
        json["bounds"] = spec.DescribeBounds();
    }
    if (spec.type == KeyType::COUNT)
    {
        json["least"] = spec.least;
        if (spec.upper)
        {
            json["most"] = spec.most;
        }
    }
    if (!spec.choices.empty())
    {
        json["choices"] = spec.choices;
    }
    if (spec.type == KeyType::TYPE)
    {
        json["base"] = spec.base;
    }
    if (*spec.shortKey != '\0')
    {
        json["short"] = spec.shortKey;
    }
    if (!info.members.empty())
    {
        json["keys"] = DescribeKeys(info.members);
    }
    return json;
}

} // namespace

std::vector<KeyInfo>
ListKeys(const KeyVisit& visit)
{
    std::vector<KeyInfo> infos;
    KeyLister lister(infos);
    visit(lister);
    return infos;
}

nlohmann::ordered_json
DescribeKeys(const std::vector<KeyInfo>& keys)
{
    Json json = Json::array();
    for (const KeyInfo& info : keys)
    {
        json.push_back(DescribeKey(info));
    }
    return json;
}

} // namespace ns3::rdma
