// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REGISTER_TYPE_H
#define RDMA_REGISTER_TYPE_H

#include "ns3/object-base.h"
#include "ns3/type-id.h"

// Registration of classes without attributes and trace sources, in a source file of ns3::rdma.
// TypeAttributes registers a class that has attributes.

/// Defines GetTypeId() of an abstract class, and registers the class when the program starts.
#define RDMA_REGISTER_BASE(Class, Parent, group)                                                   \
    RDMA_REGISTER_TYPE(Class, TypeId("ns3::rdma::" #Class).SetParent<Parent>().SetGroupName(group))

/// As RDMA_REGISTER_BASE(), for a class that can be selected by name.
#define RDMA_REGISTER_CLASS(Class, Parent, group)                                                  \
    RDMA_REGISTER_TYPE(Class,                                                                      \
                       TypeId("ns3::rdma::" #Class)                                                \
                           .SetParent<Parent>()                                                    \
                           .SetGroupName(group)                                                    \
                           .AddConstructor<Class>())

#define RDMA_REGISTER_TYPE(Class, type)                                                            \
    NS_OBJECT_ENSURE_REGISTERED(Class);                                                            \
    TypeId Class::GetTypeId()                                                                      \
    {                                                                                              \
        static TypeId tid = type;                                                                  \
        return tid;                                                                                \
    }                                                                                              \
    static_assert(true, "a semicolon follows")

#endif // RDMA_REGISTER_TYPE_H
