// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SCENARIO_KIND_H
#define RDMA_SCENARIO_KIND_H

#include "ns3/json-value.h"
#include "ns3/key-list.h"
#include "ns3/object.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// How scenarios name a kind of topology or workload.
struct KindInfo
{
    std::string name;
    std::string description;
};

/**
 * @ingroup rdma-scenario
 * @brief A topology or a workload as a scenario describes it: declares its keys, and is what they
 * say.
 *
 * A kind is a class with a TypeId and nothing else: it is found by the name of its KindInfo, in the
 * program and in plug-ins alike.
 */
class ScenarioKind : public Object
{
  public:
    static TypeId GetTypeId();

    virtual KindInfo GetInfo() const = 0;

    /// @return where it stands in the scenario, "$.workload".
    const std::string& GetPath() const
    {
        return m_path;
    }

    void SetPath(const std::string& path)
    {
        m_path = path;
    }

    /// Declares the keys of this kind, beside those that all kinds have.
    virtual void Visit(Keys& keys) = 0;

    /// Adds the keys of this kind, with all defaults, so that they read the same.
    void Write(nlohmann::ordered_json& json) const;

    /// @return the keys of this kind; their defaults are right before it is read.
    std::vector<KeyInfo> ListKeys() const;

  private:
    std::string m_path;
};

/// @return one object of each class below a type, by name. @throws InputError if two have a name
std::vector<Ptr<ScenarioKind>> MakeKinds(TypeId base);

/**
 * Makes a kind that an object names, and checks that the object has no keys but the kind's and
 * those of all.
 * @param key that names the kind; @param common keys beside it
 * @return a new object of that kind, nothing read yet @throws InputError
 */
Ptr<ScenarioKind> MakeKind(const JsonValue& value,
                           const std::string& key,
                           const std::vector<std::string>& common,
                           TypeId base);

} // namespace ns3::rdma

#endif // RDMA_SCENARIO_KIND_H
