// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-fault.h"

#include "ns3/register-type.h"

#include <utility>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(LinkFault, LossModel, "RdmaFabric");

LinkFault::LinkFault(const FabricEngine& engine, Ptr<LossModel> former)
    : m_engine(engine),
      m_former(std::move(former))
{
}

void
LinkFault::ChangeLoss(double from, double to, Tick over)
{
    m_from = from;
    m_to = to;
    m_begin = m_engine.Now();
    m_over = over;
}

double
LinkFault::GetLoss() const
{
    const Tick past = m_engine.Now() - m_begin;
    if (past >= m_over)
    {
        return m_to;
    }
    return m_from + (m_to - m_from) * static_cast<double>(past) / static_cast<double>(m_over);
}

bool
LinkFault::IsLost(const Frame&)
{
    if (m_isCut)
    {
        return true;
    }
    const double loss = GetLoss();
    return loss > 0 && m_random.NextDouble() < loss;
}

FrameImpairment
LinkFault::GetImpairment(const Frame& frame)
{
    FrameImpairment lost;
    lost.arrivals = 0;
    if (IsLost(frame))
    {
        return lost;
    }
    return m_former ? m_former->Decide(frame) : FrameImpairment();
}

std::string
LinkFault::FindUnused() const
{
    return m_former ? m_former->FindUnused() : std::string();
}

} // namespace ns3::rdma
