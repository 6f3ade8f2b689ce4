// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NIC_DESIGN_H
#define RDMA_NIC_DESIGN_H

#include "ns3/attribute-values.h"

#include <memory>
#include <string>

namespace ns3::rdma
{

class RdmaNic;

/**
 * @ingroup rdma-nic
 * @brief A NIC design: attribute values of RdmaNic, of its policies and of its hardware.
 *
 * A design is a value: one fabric can have NICs of different designs.  An attribute that is not set
 * has the default of its class.
 */
class NicDesign
{
  public:
    /// Which parts of a NIC of a preset take time.
    enum class Timing
    {
        TRANSPORT_ONLY, ///< Only the wire.
        HARDWARE        ///< PCIe, caches, pipelines and the host's processor, too.
    };

    /// @throws std::invalid_argument if there is no such preset; the message lists the presets
    static NicDesign FromPreset(const std::string& name, Timing timing = Timing::TRANSPORT_ONLY);

    /// Sets an attribute, replacing the preset's value.
    /// @throws std::invalid_argument as AttributeValues::Set()
    void Set(const std::string& attribute, const std::string& value)
    {
        m_values.Set(attribute, value);
    }

    const AttributeValues& GetValues() const
    {
        return m_values;
    }

    /// @return whether the design expects a lossless fabric.
    bool NeedsPfc() const
    {
        return m_needsPfc;
    }

    /// @return attributes of the switches that the preset is made for.
    const AttributeValues& GetFabricValues() const
    {
        return m_fabricValues;
    }

    /// @return an object with the design's attribute values. @param type T or derived from it
    template <typename T>
    Ptr<T> Create(TypeId type = T::GetTypeId()) const
    {
        return m_values.Create<T>(type);
    }

  private:
    AttributeValues m_values;
    AttributeValues m_fabricValues;
    bool m_needsPfc{false};
};

} // namespace ns3::rdma

#endif // RDMA_NIC_DESIGN_H
