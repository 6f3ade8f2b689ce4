// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ideal-fct.h"

#include "ns3/opcode.h"

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
            m_ackHeadTimes.push_back(port->GetNominalHeadTime(ackFrameBytes));
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
            const Tick start = std::max(ready, m_finish[stage]);
            const Tick end = start + GetDuration(stage, frameBytes);
            m_spacing[stage] = end - m_finish[stage];
            m_finish[stage] = end;
            ready = start + GetHeadTime(stage, frameBytes) + m_delays[stage];
        }
        return m_finish.back() + m_delays.back();
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

    /// @return as FabricPort::GetHeadTime().
    Tick GetHeadTime(std::size_t stage, uint32_t frameBytes) const
    {
        return stage < m_forward.size() ? m_forward[stage]->GetNominalHeadTime(frameBytes)
                                        : m_ackHeadTimes[stage - m_forward.size()];
    }

    using Ticks = boost::container::small_vector<Tick, 16>;

    const PortPath& m_forward;
    Ticks m_ackDurations;
    Ticks m_ackHeadTimes;
    Ticks m_delays;
    Ticks m_finish;  ///< When each port has sent the last frame.
    Ticks m_spacing; ///< Between the ends of the last two frames.
};

/// @return how long a frame takes to the other end of a path, with its last bit.
Tick
PassPath(const PortPath& path, uint32_t frameBytes)
{
    Tick time = 0;
    for (const FabricPort* port : path)
    {
        const bool isLast = port == path.back();
        time += port->GetDelay() + (isLast ? port->GetNominalSerialization(frameBytes)
                                           : port->GetNominalHeadTime(frameBytes));
    }
    return time;
}

/// Frames of a message of several packets, in bytes.
struct MessageFrames
{
    uint32_t first;
    uint32_t middle;
    uint32_t last;
};

/// @return when the last frame, or its acknowledgment, has passed the tandem.
Tick
PassMessage(Tandem& tandem, const MessageFrames& frames, uint64_t packets)
{
    tandem.Pass(frames.first);
    for (uint64_t left = packets - 2; left > 0; --left)
    {
        tandem.Pass(frames.middle);
        if (tandem.IsSteady(frames.middle))
        {
            tandem.Skip(left - 1);
            break;
        }
    }
    return tandem.Pass(frames.last);
}

struct PacketCount
{
    PacketCount(uint64_t bytes, uint32_t mtuBytes)
        : packets(std::max<uint64_t>((bytes + mtuBytes - 1) / mtuBytes, 1)),
          lastPayload(static_cast<uint32_t>(bytes - (packets - 1) * mtuBytes))
    {
    }

    uint64_t packets;
    uint32_t lastPayload;
};

} // namespace

Tick
ComputeIdealFct(const PortPath& forward,
                const PortPath& backward,
                const HeaderSizes& headers,
                uint32_t mtuBytes,
                uint64_t bytes,
                WrOpcode operation)
{
    // Formats of a fixed size have room for immediate data.
    const uint32_t immediateBytes =
        HasImmediate(operation)
            ? headers.GetFrame(opcode::WRITE_ONLY_IMM, 0) - headers.GetFrame(opcode::WRITE_ONLY, 0)
            : 0;
    const bool isSend = operation == WrOpcode::SEND;
    const uint8_t first = isSend ? opcode::SEND_FIRST : opcode::WRITE_FIRST;
    const uint8_t middle = isSend ? opcode::SEND_MIDDLE : opcode::WRITE_MIDDLE;
    const PacketCount count(bytes, mtuBytes);
    if (count.packets == 1)
    {
        return PassPath(forward, headers.GetFrame(first, count.lastPayload) + immediateBytes) +
               PassPath(backward, headers.GetAckFrame());
    }
    Tandem tandem(forward, backward, headers.GetAckFrame());
    return PassMessage(tandem,
                       {headers.GetFrame(first, mtuBytes),
                        headers.GetFrame(middle, mtuBytes),
                        headers.GetFrame(middle, count.lastPayload) + immediateBytes},
                       count.packets);
}

Tick
ComputeIdealReadFct(const PortPath& forward,
                    const PortPath& backward,
                    const HeaderSizes& headers,
                    uint32_t mtuBytes,
                    uint64_t bytes,
                    bool isAcknowledged)
{
    const Tick request = PassPath(forward, headers.GetFrame(opcode::READ_REQUEST, 0));
    const PacketCount count(bytes, mtuBytes);
    Tandem tandem(backward, {}, 0);
    if (isAcknowledged)
    {
        tandem.Pass(headers.GetAckFrame());
    }
    if (count.packets == 1)
    {
        return request +
               tandem.Pass(headers.GetFrame(opcode::READ_RESPONSE_ONLY, count.lastPayload));
    }
    return request + PassMessage(tandem,
                                 {headers.GetFrame(opcode::READ_RESPONSE_FIRST, mtuBytes),
                                  headers.GetFrame(opcode::READ_RESPONSE_MIDDLE, mtuBytes),
                                  headers.GetFrame(opcode::READ_RESPONSE_LAST, count.lastPayload)},
                                 count.packets);
}

} // namespace ns3::rdma
