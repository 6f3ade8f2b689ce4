// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_IMPAIRMENT_H
#define RDMA_LINK_IMPAIRMENT_H

#include "ns3/loss-model.h"
#include "ns3/nstime.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief A link that loses, duplicates and delays frames at random, independently of each other.
 *
 * For tests of protocols that must survive a network which the InfiniBand specification calls
 * unreliable: no link of a data center does all of this.  A delayed frame is overtaken by those
 * sent up to MaxExtraDelay after it.  Either arrival of a duplicated frame may be delayed.
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
