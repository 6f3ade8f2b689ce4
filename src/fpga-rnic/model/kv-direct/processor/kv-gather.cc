// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-gather.h"

#include "ns3/kv-memory-engine.h"

#include <algorithm>

namespace ns3::rdma
{

KvGather::KvGather(const KvGatherSettings& settings, PcieLink& pcie)
    : m_settings(settings),
      m_pcie(pcie),
      m_free(settings.cores, 0)
{
}

Tick
KvGather::Read(Tick now, uint32_t bytes)
{
    constexpr uint32_t LINE{KvMemoryEngine::LINE_BYTES};
    constexpr uint32_t DOORBELL_BYTES{8};
    constexpr double PS_PER_NS{1e3};
    const Tick asked =
        m_pcie.Write(now, now, DmaKind::KERNEL, 0, m_settings.batch * m_settings.addressBytes);
    const uint32_t more = bytes > LINE ? bytes - LINE : 0;
    const Tick copy = static_cast<Tick>(more / m_settings.gigabytesPerSecond * PS_PER_NS);
    Tick& core = m_free[m_next];
    m_next = (m_next + 1) % m_free.size();
    core = std::max(core, asked) + m_settings.batch * (m_settings.accessCost + copy);
    const Tick doorbell = m_pcie.Store(now, DOORBELL_BYTES) - now;
    return m_pcie.Read(now, core + doorbell, DmaKind::KERNEL, 0, m_settings.batch * bytes);
}

} // namespace ns3::rdma
