// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_IMPAIRMENT_H
#define RDMA_LINK_IMPAIRMENT_H

#include "ns3/loss-model.h"
#include "ns3/nstime.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief A link that loses, duplicates and delays frames at random, each frame independently.
 *
 * For tests of protocols over a network that the InfiniBand specification calls unreliable. No link
 * of a data center has all of these faults.  Frames that are sent up to MaxExtraDelay after a
 * delayed frame may overtake it.  Either arrival of a duplicated frame may be delayed.
 *
 * MAC control frames may be lost but are neither duplicated nor delayed: they never leave the link.
 */
class LinkImpairment : public LossModel
{
  public:
    static TypeId GetTypeId();
    bool IsLost(const Frame& frame) override;
    FrameImpairment GetImpairment(const Frame& frame) override;

  private:
    Tick DrawDelay();

    double m_lossRate{0};
    double m_duplicateRate{0};
    double m_reorderRate{0};
    Time m_maxExtraDelay;
};

} // namespace ns3::rdma

#endif // RDMA_LINK_IMPAIRMENT_H
