// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/service-slots.h"

#include "ns3/kernel-tap.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <string>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ServiceSlots);

TypeId
ServiceSlots::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ServiceSlots, Object>("ns3::rdma::ServiceSlots", "FpgaRnic")
            .Add("MaxRegions",
                 Member(&ServiceSlots::m_maxRegions, MAX_REGIONS, 1, MAX_REGIONS),
                 "Kernels and services that the card has room for (15: regions of a Coyote shell "
                 "at most, FindCoyoteHW.cmake; the paper states no number)")
            .Add("ReceiveHidden",
                 Member(&ServiceSlots::m_receiveHidden,
                        NanoSeconds(204),
                        Seconds(0),
                        MilliSeconds(1)),
                 "Time of a parallel service on receive that delays nothing (204 ns: the 51 cycles "
                 "of ip, udp, bth and reth in docs/models/balboa.md)")
            .Add("TransmitHidden",
                 Member(&ServiceSlots::m_transmitHidden,
                        NanoSeconds(140),
                        Seconds(0),
                        MilliSeconds(1)),
                 "Time of a parallel service on transmit that delays nothing (140 ns: the 35 "
                 "cycles of retransmission-mux, reth, bth, udp and ip)");
    return tid;
}

ServiceSlots::~ServiceSlots() = default;

void
ServiceSlots::DoDispose()
{
    m_entries.clear();
    m_host = nullptr;
    Object::DoDispose();
}

void
ServiceSlots::Start(Ptr<KernelHost> host)
{
    m_host = host;
}

void
ServiceSlots::Install(Ptr<OffloadKernel> kernel)
{
    if (m_regions == m_maxRegions)
    {
        throw VerbsError("the card has " + std::to_string(m_maxRegions) +
                         " user regions, all in use: there is none for a " +
                         kernel->GetInstanceTypeId().GetName());
    }
    m_host->Deploy(kernel);
    ++m_regions;
}

Tick
ServiceSlots::GetHidden(const ServiceSlot& slot) const
{
    return ToTick(slot.isSent ? m_transmitHidden : m_receiveHidden);
}

std::shared_ptr<ServiceEntry>
ServiceSlots::GetEntry(uint64_t code, const ServiceSlot& slot)
{
    const uint32_t place =
        (slot.isSent ? 1 : 0) + (slot.placement == ServiceSlot::Placement::PARALLEL ? 2 : 0);
    std::shared_ptr<ServiceEntry>& entry = m_entries[{code, place}];
    if (!entry && DynamicCast<StreamService>(m_host->FindKernel(code)))
    {
        entry = m_host->MakeEntry(code);
    }
    else if (!entry)
    {
        entry = std::make_shared<ServiceEntry>();
        entry->service = CreateObject<KernelTap>(*m_host, code);
    }
    return entry;
}

void
ServiceSlots::Attach(uint32_t queuePair, uint64_t code, const ServiceSlot& slot)
{
    const Ptr<OffloadKernel> kernel = m_host->FindKernel(code);
    if (!kernel)
    {
        throw VerbsError("no kernel has the code " + std::to_string(code));
    }
    const bool isOnPath = slot.placement == ServiceSlot::Placement::ON_PATH;
    if (isOnPath && !DynamicCast<StreamService>(kernel))
    {
        if (slot.isSent)
        {
            throw VerbsError("a " + kernel->GetInstanceTypeId().GetName() +
                             " lets no data through: it cannot be on the transmit path");
        }
        m_host->BindWrites(queuePair, code);
        return;
    }
    QueuePairServices& services = m_host->GetServices();
    ServiceChain& chain =
        slot.isSent ? services.GetSend(queuePair) : services.GetReceive(queuePair);
    const bool isBehind = !slot.isSent && m_hasOnPath[queuePair];
    chain.Add(GetEntry(code, slot), slot.placement, isOnPath || isBehind ? 0 : GetHidden(slot));
    m_hasOnPath[queuePair] |= isOnPath && !slot.isSent;
}

void
ServiceSlots::Detach(uint32_t queuePair)
{
    m_host->GetServices().Detach(queuePair);
    m_hasOnPath.erase(queuePair);
}

} // namespace ns3::rdma
