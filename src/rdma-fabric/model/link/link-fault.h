// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LINK_FAULT_H
#define RDMA_LINK_FAULT_H

#include "ns3/fabric-engine.h"
#include "ns3/loss-model.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief One direction of a link that is damaged while a run goes on, and that neither end detects.
 *
 * The direction loses all frames (one side of a half-open link: the receiver gets no signal that
 * the other end takes for a failure, as with one broken fibre of a pair and no remote fault of IEEE
 * 802.3, Clause 46), or a share of them that grows linearly with time (a connector that gets
 * dirty).  Frames that pass meet the direction's former model.
 *
 * Not modelled: forward error correction, which turns bit errors into lost frames or none.
 */
class LinkFault : public LossModel
{
  public:
    static TypeId GetTypeId();

    /// @param engine whose time counts; outlives this @param former model of the direction; null:
    /// none
    explicit LinkFault(const FabricEngine& engine, Ptr<LossModel> former = nullptr);

    /// @param isCut whether all frames are lost from now on
    void SetCut(bool isCut)
    {
        m_isCut = isCut;
    }

    /// The share of lost frames changes linearly, from now on.
    /// @param from, to probabilities, in [0, 1] @param over duration of the change, from 0
    void ChangeLoss(double from, double to, Tick over);

    /// @return the present probability that a frame is lost, unless all are.
    double GetLoss() const;

    bool IsLost(const Frame& frame) override;
    FrameImpairment GetImpairment(const Frame& frame) override;
    std::string FindUnused() const override;

  private:
    const FabricEngine& m_engine;
    Ptr<LossModel> m_former;
    bool m_isCut{false};
    double m_from{0};
    double m_to{0};
    Tick m_begin{0}; ///< Of the change.
    Tick m_over{0};
};

} // namespace ns3::rdma

#endif // RDMA_LINK_FAULT_H
