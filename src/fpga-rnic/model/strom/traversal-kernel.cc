// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/traversal-kernel.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TraversalKernel);

TypeId
TraversalKernel::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<TraversalKernel, CallKernel>("ns3::rdma::TraversalKernel", "FpgaRnic")
            .Add("MaxElements",
                 Member(&TraversalKernel::m_maxElements, 4096, 1),
                 "Elements that one call reads at most; a call that needs more ends with "
                 "TOO_MANY_STEPS (4096: our bound; the paper has none)")
            .Add("Latency",
                 Member(&TraversalKernel::m_latency, 10, 1, 10000),
                 "Cycles from parameters or an element to the next command (10: five functions "
                 "with a FIFO between them as in StRoM Listing 2, of 2 cycles each; our estimate)");
    return tid;
}

uint64_t
TraversalKernel::GetRpcCode() const
{
    return RPC_CODE;
}

KernelStep
TraversalKernel::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    const auto reply = FindReply(input);
    if (!reply)
    {
        return step;
    }
    const auto parameters = TraversalParameters::Decode(input.bytes);
    if (!parameters)
    {
        Refuse(*reply, input.at, step);
        return step;
    }
    const uint32_t place = Begin(*reply, input.at, step);
    m_walks.resize(std::max<std::size_t>(m_walks.size(), place + 1));
    m_walks[place] = {*parameters, 1, false};
    Read(place, parameters->remoteAddress, TraversalParameters::ELEMENT_BYTES, input.at, step);
    return step;
}

KernelStep
TraversalKernel::OnData(uint64_t tag, ByteView bytes, Tick now)
{
    KernelStep step;
    const uint32_t place = GetPlace("OnData()", tag);
    Walk& walk = m_walks[place];
    if (walk.isAtValue)
    {
        OnValue(tag, bytes, now, step);
        return step;
    }
    const TraversalParameters::Look look = walk.parameters.LookAt(bytes);
    if (look.isMatch)
    {
        walk.isAtValue = true;
        ReadValue(place, look.pointer, walk.parameters.valueSize, now, step);
    }
    else if (look.pointer == 0)
    {
        EndAt(place, {KernelStatus::NOT_FOUND, {}}, now, step);
    }
    else if (walk.elements >= m_maxElements)
    {
        EndAt(place, {KernelStatus::TOO_MANY_STEPS, {}}, now, step);
    }
    else
    {
        ++walk.elements;
        Read(place, look.pointer, TraversalParameters::ELEMENT_BYTES, now, step);
    }
    return step;
}

KernelStep
TraversalKernel::OnFault(uint64_t tag, Tick now)
{
    KernelStep step;
    const uint32_t place = GetPlace("OnFault()", tag);
    if (m_walks[place].isAtValue)
    {
        OnValueFault(tag, now, step);
    }
    else
    {
        EndAt(place, {KernelStatus::FAULT, {}}, now, step);
    }
    return step;
}

void
TraversalKernel::EndAt(uint32_t place, const KernelReply& reply, Tick now, KernelStep& step)
{
    End(place, reply, After(now, m_latency), now, step);
}

} // namespace ns3::rdma
