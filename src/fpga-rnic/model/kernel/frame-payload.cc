// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-payload.h"

#include "ns3/payload-cargo.h"

namespace ns3::rdma
{

FramePayload::FramePayload(const Frame& frame, const FrameDetail* detail)
{
    const auto* cargo = detail ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
    m_zeros.resize(cargo ? 0 : frame.payloadBytes);
    m_view = ByteView(cargo ? cargo->bytes : m_zeros);
}

} // namespace ns3::rdma
