// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FIXED_HEADER_H
#define RDMA_FIXED_HEADER_H

#include "ns3/header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief What all headers of constant size have in common.
 *
 * @tparam Derived has a public constant SIZE and GetTypeId()
 */
template <typename Derived>
class FixedHeader : public Header
{
  public:
    TypeId GetInstanceTypeId() const final
    {
        return Derived::GetTypeId();
    }

    uint32_t GetSerializedSize() const final
    {
        return Derived::SIZE;
    }

    uint32_t Deserialize(Buffer::Iterator start) final
    {
        static_cast<Derived*>(this)->Read(start);
        return Derived::SIZE;
    }

  protected:
    /// @param name without the namespace
    static TypeId MakeTypeId(const std::string& name)
    {
        return TypeId("ns3::rdma::" + name)
            .SetParent<Header>()
            .SetGroupName("RdmaNic")
            .template AddConstructor<Derived>();
    }
};

} // namespace ns3::rdma

#endif // RDMA_FIXED_HEADER_H
