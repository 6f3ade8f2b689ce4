// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_CHANNEL_H
#define RDMA_FABRIC_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3::rdma
{

class FabricDevice;

/**
 * @ingroup rdma-link
 * @brief The link between two FabricDevices, for programs that traverse the topology.
 *
 * Rate, delay and state are kept in the ports at its ends, where the packet path needs them.
 */
class FabricChannel : public Channel
{
  public:
    static TypeId GetTypeId();

    /// Connects two devices.
    /// @param delay of propagation, one way
    static Ptr<FabricChannel> Connect(Ptr<FabricDevice> a,
                                      Ptr<FabricDevice> b,
                                      DataRate rate,
                                      Time delay);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// Sets both directions down or up; frames that are sent or in flight while the link is down
    /// are lost.
    void SetUp(bool isUp);

  private:
    void DoDispose() override;

    std::array<Ptr<FabricDevice>, 2> m_devices;
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_CHANNEL_H
