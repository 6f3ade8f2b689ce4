// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ECMP_BALANCER_H
#define RDMA_ECMP_BALANCER_H

#include "ns3/ecmp-hash.h"
#include "ns3/load-balancer.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Equal-cost multi-path: a hash of the flow, seeded per switch (RFC 2992).
 *
 * Frame::entropy stands for the 5-tuple that a switch hashes.  Seeds differ between switches:
 * otherwise a second tier would repeat the first one's choice (polarisation).  The hash is reduced
 * by multiplication instead of RFC 2992's regions: equally even, one instruction.
 */
class EcmpBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    bool IsStateless() const override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;
    std::optional<uint32_t> ChooseForFlow(uint32_t entropy, uint32_t count) const override;

    /// @return the hash of this switch. Only after Start().
    const EcmpHash& GetHash() const
    {
        return m_hash;
    }

  private:
    EcmpHash m_hash;
};

} // namespace ns3::rdma

#endif // RDMA_ECMP_BALANCER_H
