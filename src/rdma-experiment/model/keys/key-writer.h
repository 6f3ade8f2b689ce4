// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_WRITER_H
#define RDMA_KEY_WRITER_H

#include "ns3/keys.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Writes the keys of the object that is visited, with all defaults, so that they read the same.
class KeyWriter final : public Keys
{
  public:
    /// @param json gets the keys
    explicit KeyWriter(nlohmann::ordered_json& json)
        : m_json(json)
    {
    }

    void Form(std::string& form, const std::vector<const char*>& names) override;
    void Check(bool holds,
               const char* name,
               const std::string& expected,
               const std::string& got) override;
    bool Has(const char* name) const override;
    void Take(const KeySpec& spec, const KeyAccess& access) override;

  private:
    nlohmann::ordered_json& m_json;
};

/// @param visit (Keys&, T&) @return the object that ReadKeyed() reads back.
template <typename T, typename Visit>
nlohmann::ordered_json
WriteKeyed(T object, Visit visit)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    KeyWriter writer(json);
    visit(writer, object);
    return json;
}

/// @param visit (Keys&, T&) @return the list that ReadKeyedList() reads back.
template <typename T, typename Visit>
nlohmann::ordered_json
WriteKeyedList(const std::vector<T>& objects, Visit visit)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const T& object : objects)
    {
        json.push_back(WriteKeyed(object, visit));
    }
    return json;
}

} // namespace ns3::rdma

#endif // RDMA_KEY_WRITER_H
