// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ideal-fct.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/// The ports of a round trip as a tandem of servers.
class Tandem
{
  public:
    Tandem(const PortPath& forward, const PortPath& backward, uint32_t ackFrameBytes)
        : m_forward(forward)
    {
        for (const FabricPort* port : forward)
        {
            m_delays.push_back(port->GetDelay());
        }
        for (const FabricPort* port : backward)
        {
            m_delays.push_back(port->GetDelay());
            m_ackDurations.push_back(port->GetNominalSerialization(ackFrameBytes));
        }
        m_finish.assign(m_delays.size(), 0);
        m_spacing.assign(m_delays.size(), 0);
    }

    /// Passes a data frame and its acknowledgment. @return when the acknowledgment ends.
    Tick Pass(uint32_t frameBytes)
    {
        Tick ready = 0;
        for (std::size_t stage = 0; stage < m_delays.size(); ++stage)
        {
            const Tick end = std::max(ready, m_finish[stage]) + GetDuration(stage, frameBytes);
            m_spacing[stage] = end - m_finish[stage];
            m_finish[stage] = end;
            ready = end + m_delays[stage];
        }
        return ready;
    }

    /// @return whether frames of this size are spaced by the time of the slowest port at all ports.
    bool IsSteady(uint32_t frameBytes) const
    {
        Tick slowest = 0;
        for (std::size_t stage = 0; stage < m_delays.size(); ++stage)
        {
            slowest = std::max(slowest, GetDuration(stage, frameBytes));
            if (m_spacing[stage] != slowest)
            {
                return false;
            }
        }
        return true;
    }

    /// Passes frames in the steady state in one step.
    void Skip(uint64_t frames)
    {
        for (std::size_t stage = 0; stage < m_delays.size(); ++stage)
        {
            m_finish[stage] += static_cast<Tick>(frames) * m_spacing[stage];
        }
    }

  private:
    Tick GetDuration(std::size_t stage, uint32_t frameBytes) const
    {
        return stage < m_forward.size() ? m_forward[stage]->GetNominalSerialization(frameBytes)
                                        : m_ackDurations[stage - m_forward.size()];
    }

    using Ticks = boost::container::small_vector<Tick, 16>;

    const PortPath& m_forward;
    Ticks m_ackDurations;
    Ticks m_delays;
    Ticks m_finish;  ///< When each port has sent the last frame.
    Ticks m_spacing; ///< Between the ends of the last two frames.
};

/// @return when the acknowledgment of a lone data frame ends: what Tandem::Pass() returns first.
Tick
PassAlone(const PortPath& forward,
          const PortPath& backward,
          uint32_t frameBytes,
          uint32_t ackFrameBytes)
{
    Tick end = 0;
    for (const FabricPort* port : forward)
    {
        end += port->GetNominalSerialization(frameBytes) + port->GetDelay();
    }
    for (const FabricPort* port : backward)
    {
        end += port->GetNominalSerialization(ackFrameBytes) + port->GetDelay();
    }
    return end;
}

} // namespace

Tick
ComputeIdealFct(const PortPath& forward,
                const PortPath& backward,
                const HeaderSizes& headers,
                uint32_t mtuBytes,
                uint64_t bytes,
                bool hasImmediate)
{
    constexpr uint32_t IMMEDIATE{4}; // IBTA Vol. 1, Section 9.2.6.
    const uint32_t immediateBytes = hasImmediate ? IMMEDIATE : 0;
    const uint64_t packets = (bytes + mtuBytes - 1) / mtuBytes;
    const auto lastPayload = static_cast<uint32_t>(bytes - (packets - 1) * mtuBytes);
    if (packets == 1)
    {
        return PassAlone(forward,
                         backward,
                         headers.GetWriteFrame(true, lastPayload) + immediateBytes,
                         headers.GetAckFrame());
    }
    Tandem tandem(forward, backward, headers.GetAckFrame());
    tandem.Pass(headers.GetWriteFrame(true, mtuBytes));
    const uint32_t middle = headers.GetWriteFrame(false, mtuBytes);
    for (uint64_t left = packets - 2; left > 0; --left)
    {
        tandem.Pass(middle);
        if (tandem.IsSteady(middle))
        {
            tandem.Skip(left - 1);
            break;
        }
    }
    return tandem.Pass(headers.GetWriteFrame(false, lastPayload) + immediateBytes);
}

} // namespace ns3::rdma
