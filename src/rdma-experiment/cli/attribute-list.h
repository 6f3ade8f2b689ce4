// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATTRIBUTE_LIST_H
#define RDMA_ATTRIBUTE_LIST_H

#include "ns3/type-id.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return the types of this project and of plug-ins, by name: all but those of ns-3 itself.
std::vector<TypeId> FindOurTypes();

/// Lists attributes of our types, as ns-3 has registered them.
class AttributeList
{
  public:
    /// All attributes, by the name of their class.
    AttributeList();

    /**
     * Some attributes.
     *
     * @param names classes ("Dcqcn") or attributes ("RdmaNic::PathMtu"), with or without
     * "ns3::rdma::"; the list has their order
     * @throws InputError if a name is unknown, with the nearest known name
     */
    explicit AttributeList(const std::vector<std::string>& names);

    /// A line per attribute: full name, default, type, bounds and help.
    void WriteText(std::ostream& out) const;

    /// An array with an object per attribute: "type" (full name of the class), "name", "value"
    /// (type of its values), "default" as a scenario writes it, "bounds" ("1 to 64", "from 1ns", or
    /// empty: whatever the type of values holds) and "help".
    void WriteJson(std::ostream& out) const;

  private:
    struct Row
    {
        std::string type;
        std::string name;
        std::string valueType;
        std::string initial;
        std::string bounds;
        std::string help;
    };

    void AddType(const TypeId& type);

    /// Appends the attributes of all that a name stands for. @throws InputError
    void AddSelected(const std::vector<Row>& all, const std::string& name);

    std::vector<Row> m_rows;
};

} // namespace ns3::rdma

#endif // RDMA_ATTRIBUTE_LIST_H
