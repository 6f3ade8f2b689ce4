// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-tap.h"

#include "ns3/opcode.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(KernelTap, StreamService, "FpgaRnic");

KernelTap::KernelTap(KernelHost& host, uint64_t code)
    : m_host(host),
      m_code(code)
{
}

uint64_t
KernelTap::GetRpcCode() const
{
    return m_code;
}

StreamService::Placement
KernelTap::GetPlacement() const
{
    return Placement::PARALLEL;
}

KernelStep
KernelTap::OnPacket(const KernelInput&)
{
    return {}; // Requests reach the kernel itself.
}

StreamStep
KernelTap::OnStream(const StreamInput& input)
{
    KernelInput copy;
    copy.queuePair = input.queuePair;
    copy.opcode = opcode::GetByPlace(opcode::WRITE_FIRST, input.isFirst, input.isLast);
    copy.isStream = true;
    copy.isFirst = input.isFirst;
    copy.isLast = input.isLast;
    copy.isLocal = input.isSent;
    copy.bytes = input.bytes;
    m_host.Accept(m_code, copy);
    return {};
}

} // namespace ns3::rdma
