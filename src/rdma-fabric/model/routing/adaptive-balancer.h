// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADAPTIVE_BALANCER_H
#define RDMA_ADAPTIVE_BALANCER_H

#include "ns3/flowlet-table.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Each frame or flowlet takes one of the ports whose queues are of the lowest grade, drawn
 * at random.
 *
 * NVIDIA's Spectrum switches have four grades of queue length (Cumulus Linux, adaptive routing).
 * With the attribute Grade queue lengths are rounded down to its multiples instead; with a grade of
 * one byte the shortest queue is taken.
 *
 * Not modelled: the use of a link as a second criterion.
 */
class AdaptiveBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    uint32_t GetGrade(uint32_t queueBytes) const;
    uint32_t FindBest(const PortChoice& choice);

    uint32_t m_lowBytes{0};
    uint32_t m_mediumBytes{0};
    uint32_t m_highBytes{0};
    uint32_t m_gradeBytes{0};
    Time m_timeout;
    uint32_t m_entries{0};
    RandomStream m_random;
    FlowletTable m_flowlets;
};

} // namespace ns3::rdma

#endif // RDMA_ADAPTIVE_BALANCER_H
