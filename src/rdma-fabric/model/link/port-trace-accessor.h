// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_TRACE_ACCESSOR_H
#define RDMA_PORT_TRACE_ACCESSOR_H

#include "ns3/fabric-device.h"
#include "ns3/trace-source-accessor.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Reaches a trace of a device's port by a trace source of the device.
 *
 * ns-3's accessors know members of objects; a port is part of one, and looks at its traces only
 * from the time on that somebody has asked for them.
 */
template <typename Trace>
class PortTraceAccessor : public TraceSourceAccessor
{
  public:
    using Getter = Trace& (FabricPort::*)();

    explicit PortTraceAccessor(Getter get)
        : m_get(get)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](Trace& trace) { trace.ConnectWithoutContext(callback); });
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        return With(object, [&](Trace& trace) { trace.Connect(callback, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return With(object, [&](Trace& trace) { trace.DisconnectWithoutContext(callback); });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        return With(object, [&](Trace& trace) { trace.Disconnect(callback, context); });
    }

  private:
    template <typename Action>
    bool With(ObjectBase* object, const Action& action) const
    {
        auto* device = dynamic_cast<FabricDevice*>(object);
        if (device)
        {
            action((device->GetPort().*m_get)());
        }
        return device != nullptr;
    }

    Getter m_get;
};

template <typename Trace>
Ptr<const TraceSourceAccessor>
MakePortTraceAccessor(Trace& (FabricPort::*get)())
{
    return Create<PortTraceAccessor<Trace>>(get);
}

} // namespace ns3::rdma

#endif // RDMA_PORT_TRACE_ACCESSOR_H
