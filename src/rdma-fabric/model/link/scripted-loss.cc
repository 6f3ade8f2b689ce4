// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scripted-loss.h"

#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(ScriptedLoss);

TypeId
ScriptedLoss::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::ScriptedLoss")
                            .SetParent<LossModel>()
                            .SetGroupName("RdmaFabric")
                            .AddConstructor<ScriptedLoss>();
    return tid;
}

void
ScriptedLoss::SetScript(std::function<bool(const Frame&, uint64_t)> script)
{
    m_script = std::move(script);
}

bool
ScriptedLoss::IsLost(const Frame& frame)
{
    return m_script && m_script(frame, m_count++);
}

} // namespace ns3::rdma
