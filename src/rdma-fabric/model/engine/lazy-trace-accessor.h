// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LAZY_TRACE_ACCESSOR_H
#define RDMA_LAZY_TRACE_ACCESSOR_H

#include "ns3/object-base.h"
#include "ns3/trace-source-accessor.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief Accessor of a trace source that is created by its first connection.
 *
 * ns-3's own accessors need a member of the object, which exists whether or not it is connected.
 * Objects on the packet path check their traces only after the first connection.
 */
template <typename Owner, typename Trace>
class LazyTraceAccessor : public TraceSourceAccessor
{
  public:
    using Getter = Trace& (*)(Owner& owner);

    explicit LazyTraceAccessor(Getter get)
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
        auto* owner = dynamic_cast<Owner*>(object);
        if (owner)
        {
            action(m_get(*owner));
        }
        return owner != nullptr;
    }

    Getter m_get;
};

/// @param get returns the trace source, and creates it on the first call
template <typename Owner, typename Trace>
Ptr<const TraceSourceAccessor>
MakeLazyTraceAccessor(Trace& (*get)(Owner&))
{
    return Create<LazyTraceAccessor<Owner, Trace>>(get);
}

} // namespace ns3::rdma

#endif // RDMA_LAZY_TRACE_ACCESSOR_H
