// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SERVICE_SLOTS_H
#define FPGA_SERVICE_SLOTS_H

#include "ns3/kernel-host.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace ns3::rdma
{

/// A position in BALBOA's stack where payload passes a service (BALBOA section 5.1).
struct ServiceSlot
{
    using Placement = StreamService::Placement;

    bool isSent{false};                      ///< On transmit; else on receive.
    Placement placement{Placement::ON_PATH}; ///< In the stream, or on a copy of it.
};

/**
 * @ingroup fpga-balboa
 * @brief The user regions of a BALBOA NIC and the slots that its queue pairs pass.
 *
 * Install() loads a kernel or a service into a region.  Attach() adds it to a slot of a queue pair.
 * A StreamService can be in any slot.  Another kernel receives the stream instead of memory in an
 * on-path slot on receive, and a copy in a parallel slot.  Each slot has separate hardware.
 *
 * In a parallel slot the time until the verdict is hidden, up to ReceiveHidden or TransmitHidden.
 * On receive, the copy is taken after the network arbiter, and the verdict joins the command at the
 * end of the stack's pipeline.  On transmit, the verdict is needed at the pipeline's end.  After an
 * on-path service on receive nothing is hidden, since the copy is then taken of that service's
 * output.
 */
class ServiceSlots : public Object
{
  public:
    static constexpr uint32_t MAX_REGIONS{15}; ///< Of a Coyote shell.

    static TypeId GetTypeId();
    ~ServiceSlots() override;

    /// Called once, before all other functions.
    /// @param host of the NIC
    void Start(Ptr<KernelHost> host);

    /// Deploys a kernel in a separate region.
    /// @throws VerbsError if no region is free, or another kernel has its code
    void Install(Ptr<OffloadKernel> kernel);

    /// Appends a kernel to the chain that the payload of a queue pair passes.
    /// @param queuePair created with KernelHost::GetHandlers()
    /// @param code of an installed kernel
    /// @throws VerbsError if there is none or it cannot be in the slot
    void Attach(uint32_t queuePair, uint64_t code, const ServiceSlot& slot);

    /// Removes a queue pair from all slots. Its number may be reused afterwards.
    void Detach(uint32_t queuePair);

    /// @return regions in use.
    uint32_t GetRegions() const
    {
        return m_regions;
    }

  private:
    void DoDispose() override;
    std::shared_ptr<ServiceEntry> GetEntry(uint64_t code, const ServiceSlot& slot);
    Tick GetHidden(const ServiceSlot& slot) const;

    uint32_t m_maxRegions{0};
    Time m_receiveHidden;
    Time m_transmitHidden;
    Ptr<KernelHost> m_host;
    uint32_t m_regions{0};
    /// By code and slot: transmit 1, parallel 2.
    std::map<std::pair<uint64_t, uint32_t>, std::shared_ptr<ServiceEntry>> m_entries;
    std::map<uint32_t, bool> m_hasOnPath; ///< By queue pair: an on-path service on receive.
};

} // namespace ns3::rdma

#endif // FPGA_SERVICE_SLOTS_H
