// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-meter.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>

namespace ns3::rdma
{

namespace
{

// Warm-up and end are left out: a fifth each.
constexpr uint64_t FIFTHS{5};
constexpr uint64_t FIRST{1};
constexpr uint64_t LAST{4};

constexpr uint32_t FCS_BYTES{4};
constexpr uint32_t SHORTEST_FRAME{60}; ///< Without FCS (IEEE 802.3).

} // namespace

PerftestMeter::PerftestMeter(Fabric& fabric,
                             const PerftestHost& client,
                             const PerftestHost& server,
                             uint64_t messages,
                             uint64_t bytes)
    : m_hosts{&client, &server},
      m_messages(messages),
      m_bytes(bytes)
{
    m_now.queuePairs.resize(client.GetQueuePairs().size());
    Watch(fabric, CLIENT);
    Watch(fabric, SERVER);
    m_start = Read();
}

void
PerftestMeter::Watch(Fabric& fabric, End end)
{
    const std::function<void(const Frame&)> tap = [this, end](const Frame& frame) {
        if (frame.payloadBytes > 0 && (frame.flags & frame_flag::MAC_CONTROL) == 0)
        {
            OnFrame(end, frame);
        }
    };
    FabricPort& port = fabric.GetServerDevice(m_hosts[end]->GetNode()).GetPort();
    port.GetTraces().transmit.ConnectWithoutContext(Callback<void, const Frame&>(tap));
}

void
PerftestMeter::OnFrame(End end, const Frame& frame)
{
    EndCounters& counters = m_now.ends[end];
    ++counters.dataFrames;
    counters.dataBytes += std::max<uint32_t>(frame.wireBytes, SHORTEST_FRAME) + FCS_BYTES;
    if ((frame.flags & frame_flag::RETRANSMISSION) != 0)
    {
        ++counters.retransmitted;
        return;
    }
    m_now.goodBytes += frame.payloadBytes;
    // A host numbers its queue pairs in the order of their making.
    m_now.queuePairs[frame.srcQp - m_hosts[end]->GetQueuePairs().front()] += frame.payloadBytes;
    if (m_isTimed)
    {
        return;
    }
    const uint64_t fifths = m_now.goodBytes * FIFTHS;
    if (!m_first && fifths >= FIRST * m_bytes)
    {
        m_first = Read();
    }
    if (!m_last && fifths >= LAST * m_bytes)
    {
        m_last = Read();
    }
}

PerftestMeter::Reading
PerftestMeter::Read() const
{
    Reading reading = m_now;
    reading.time = Simulator::Now().GetPicoSeconds();
    for (std::size_t end = 0; end < ENDS; ++end)
    {
        const NicHardware* hardware = m_hosts[end]->GetNic().GetHardware();
        if (hardware)
        {
            EndCounters& counters = reading.ends[end];
            counters.cpu = hardware->GetCpu().GetStats();
            counters.pcie = hardware->GetPcie().GetStats();
            counters.contexts = hardware->GetContextCache().GetStats();
            counters.translations = hardware->GetTranslationCache().GetStats();
            counters.receiveWqes = hardware->GetReceiveWqeCache().GetStats();
            counters.ingress = hardware->GetIngressMeter().GetStats();
        }
    }
    return reading;
}

void
PerftestMeter::MeasureBetween(Tick begin, Tick end)
{
    m_isTimed = true;
    Simulator::Schedule(PicoSeconds(begin), [this] { m_first = Read(); });
    Simulator::Schedule(PicoSeconds(end), [this] {
        m_last = Read();
        m_end = m_last;
    });
}

void
PerftestMeter::OnCompleted(uint32_t messages)
{
    m_completed += messages;
    if (!m_isTimed && m_completed == m_messages)
    {
        m_end = Read();
    }
}

PerftestMeasurement
PerftestMeter::GetMeasurement() const
{
    NS_ASSERT_MSG(m_end, "a test is measured to its end");
    const bool isSteady = m_first && m_last && m_first->time < m_last->time;
    const Reading& from = isSteady ? *m_first : m_start;
    const Reading& to = isSteady ? *m_last : *m_end;
    PerftestMeasurement measurement;
    measurement.begin = from.time;
    measurement.end = to.time;
    measurement.goodBytes = isSteady ? to.goodBytes - from.goodBytes : m_bytes;
    for (std::size_t i = 0; isSteady && i < to.queuePairs.size(); ++i)
    {
        measurement.queuePairs.push_back(to.queuePairs[i] - from.queuePairs[i]);
    }
    measurement.isHardwareTimed = m_hosts[CLIENT]->GetNic().GetHardware() != nullptr;
    measurement.hasIngressMeters =
        measurement.isHardwareTimed &&
        m_hosts[SERVER]->GetNic().GetHardware()->GetIngressMeter().IsUsed();
    measurement.client = to.ends[CLIENT] - from.ends[CLIENT];
    measurement.server = to.ends[SERVER] - from.ends[SERVER];
    return measurement;
}

} // namespace ns3::rdma
