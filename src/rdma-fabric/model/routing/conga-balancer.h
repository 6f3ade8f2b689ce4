// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CONGA_BALANCER_H
#define RDMA_CONGA_BALANCER_H

#include "ns3/ecmp-hash.h"
#include "ns3/flowlet-table.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"
#include "ns3/rate-estimator.h"
#include "ns3/switch-view.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief CONGA: a leaf sends each flowlet by the uplink with the least utilized path to the
 * destination's leaf (Alizadeh et al. 2014, section 3).
 *
 * Each switch estimates the utilization of its ports (RateEstimator) in steps of 2^-Bits.  A frame
 * carries the number of its uplink and the largest step on its path.  The leaf of its destination
 * stores that step by leaf and uplink.  Frames in the other direction carry it back, one uplink per
 * frame, changed values first.  The source's leaf computes, per uplink, the maximum of the local
 * step and the step that was fed back, and takes the uplink with the least maximum.  Of equal
 * uplinks it takes the one of the flow's last flowlet, or a random one.
 *
 * The paper has two tiers.  With more tiers, switches without servers choose by ECMP, and the
 * feedback for an uplink is that of the path that the hash selected (section 7 of the paper leaves
 * this open).
 *
 * Not modelled: the VXLAN header that carries the tag (frames keep their length); gradual aging of
 * a metric: it counts as zero once it is older than Aging.  The tag has a byte for the uplink, so
 * that a leaf's uplinks from the 255th on share one number.
 */
class CongaBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    void OnRoutes(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;
    bool NeedsOnForward() const override;
    void OnForward(Frame& frame, const FabricPort& egress, Tick now) override;

  private:
    /// Largest step of the paths by one uplink.
    struct Metric
    {
        Tick updatedAt{0};
        uint8_t step{0};
        bool isKnown{false};
        bool hasChanged{false}; ///< Since it was last fed back.
    };

    /// State of one port of this switch.
    struct Port
    {
        RateEstimator used;
        double fullBytes; ///< Bytes in the register at the port's full rate.
        uint8_t uplink;   ///< Number among the ports that lead to switches, from 1.
    };

    /// Metrics of the paths to and from one other leaf.
    struct Leaf
    {
        std::vector<Metric> to;   ///< By own uplink: steps that were fed back. Empty: no frame yet.
        std::vector<Metric> from; ///< By that leaf's uplink: steps that its frames carried.
        uint32_t nextFeedback{0}; ///< Position at which the next search in from begins.
    };

    Leaf& GetLeaf(uint32_t endpoint);
    uint8_t GetStep(const FabricPort& port, Tick now);
    uint8_t GetPathStep(const Leaf& leaf, const FabricPort& uplink, Tick now);
    uint32_t FindBest(const Leaf& leaf, const PortChoice& choice, uint32_t last, Tick now);
    bool IsFresh(const Metric& metric, Tick now) const;
    /// @return the uplink to feed back, as an index into Leaf::from.
    std::optional<uint32_t> FindFeedback(const Leaf& leaf, Tick now) const;
    void Tag(Frame& frame, const FabricPort& uplink, Tick now);
    void Learn(Frame& frame, Tick now);

    Time m_interval;
    double m_gain{0};
    uint32_t m_bits{0};
    Time m_timeout;
    uint32_t m_entries{0};
    Time m_aging;

    SwitchView m_view;
    bool m_isLeaf{false};
    EcmpHash m_hash; ///< Used by switches without servers.
    RandomStream m_random;
    FlowletTable m_flowlets;
    RateFilter m_filter{0, 0};
    std::vector<Port> m_ports;
    std::vector<Leaf> m_leaves; ///< By switch number.
};

} // namespace ns3::rdma

#endif // RDMA_CONGA_BALANCER_H
