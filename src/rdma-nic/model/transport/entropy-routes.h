// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ENTROPY_ROUTES_H
#define RDMA_ENTROPY_ROUTES_H

#include "ns3/entropy-selector.h"
#include "ns3/plane-values.h"
#include "ns3/tick.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The routes of a requester's packets: its entropy selector, and the planes and ports by
 * which the selector's values lead.
 *
 * A value is combined with the connection's own entropy by an exclusive or, which can be undone:
 * answers return the combined value.
 */
class EntropyRoutes
{
  public:
    /// @param selector null: each packet has the connection's entropy
    /// @param entropy of the connection @param planes by which packets may leave
    /// @param peerPorts usable ports of the peer's NIC, one bit per port
    EntropyRoutes(Ptr<EntropySelector> selector,
                  uint32_t entropy,
                  uint32_t planes,
                  uint32_t peerPorts = ~0U);

    /// @param plane by which a packet could leave now @param own usable ports of this NIC, one bit
    /// per port @param inFlightBytes of the queue pair
    /// @return whether the selector names a value of that plane. Only with several planes.
    bool HasRoute(uint32_t plane, uint32_t own, uint64_t inFlightBytes, Tick now);

    /// The plane by which the selector would send the next packet.
    /// @param own, inFlightBytes as for HasRoute() @param among planes, one bit per plane
    /// @return that of them whose value waits longest; unset: none is usable. Only with several
    /// planes.
    std::optional<uint32_t> FindPreferred(uint32_t among,
                                          uint32_t own,
                                          uint64_t inFlightBytes,
                                          Tick now);

    /// @param plane by which the packet leaves; with several planes after HasRoute()
    /// @return Frame::entropy of the packet that leaves next.
    uint32_t Choose(uint32_t plane, uint64_t inFlightBytes, Tick now);

    /// @param entropy Frame::entropy @return the plane of its value.
    uint32_t FindPlane(uint32_t entropy) const
    {
        return m_planes ? m_planes->GetPlane(entropy ^ m_entropy) : 0;
    }

    /// Notifies the selector of a sign on the route of a packet. @param entropy Frame::entropy
    void Signal(uint32_t entropy, RouteSignal signal, Tick now);

    /// @return as EntropySelector::GetProbeTime(); TICK_NEVER: never.
    Tick GetProbeTime() const;

    /// @return Frame::entropy of a probe that tests a route now; unset: none.
    std::optional<uint32_t> TakeProbe(Tick now);

    /// The answer to a probe has arrived. @param entropy Frame::entropy
    void OnProbeReply(uint32_t entropy, bool isMarked, Tick now);

    /// @param peer usable ports of the peer's NIC, one bit per port
    void OnPeerPorts(uint32_t peer)
    {
        m_peerPorts = peer;
    }

    /// @return null: each packet has the connection's entropy.
    const EntropySelector* GetSelector() const
    {
        return PeekPointer(m_selector);
    }

  private:
    uint32_t GetNext(uint64_t inFlightBytes, Tick now);
    void UpdatePorts(uint32_t own);

    Ptr<EntropySelector> m_selector;
    std::unique_ptr<PlaneValues> m_planes; ///< Null: there is one plane, or no selector.
    uint32_t m_entropy;                    ///< Of the connection.
    uint32_t m_peerPorts;
};

} // namespace ns3::rdma

#endif // RDMA_ENTROPY_ROUTES_H
