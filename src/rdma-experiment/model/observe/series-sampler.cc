// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-sampler.h"

namespace ns3::rdma
{

namespace
{
/// Calls visit(series) for each requested series.
template <typename Visit, typename... Optional>
void
VisitEach(const Visit& visit, Optional&... series)
{
    ((series ? visit(*series) : void()), ...);
}
} // namespace

SeriesSampler::SeriesSampler(const SeriesRequest& request,
                             Fabric& fabric,
                             const std::function<bool(uint32_t node)>& isHere,
                             Tick begin)
    : m_interval(request.interval),
      m_next((begin / request.interval + 1) * request.interval)
{
    if (request.hasQueue || request.hasPort)
    {
        m_ports.emplace(request, fabric, isHere, m_next - m_interval);
    }
    if (request.hasBuffer)
    {
        m_buffers.emplace(fabric, isHere);
    }
    if (request.hasRate)
    {
        m_flows.emplace(request);
    }
    if (request.hasSpray)
    {
        m_sprays.emplace(request);
    }
}

void
SeriesSampler::Sample(const std::vector<FlowUnderWay>& flows)
{
    const Tick at = m_next;
    m_next += m_interval;
    if (m_ports)
    {
        m_ports->Sample(at);
    }
    if (m_buffers)
    {
        m_buffers->Sample(at);
    }
    if (m_flows)
    {
        m_flows->Sample(at, flows);
    }
    if (m_sprays)
    {
        m_sprays->Sample(at, flows);
    }
}

void
SeriesSampler::EndSample(bool wasIdle)
{
    m_idle = wasIdle ? m_idle + 1 : 0;
    if (m_idle > IDLE_KEPT)
    {
        VisitEach([](auto& series) { series.MergeNewest(); },
                  m_ports,
                  m_buffers,
                  m_flows,
                  m_sprays);
    }
}

void
SeriesSampler::SkipIdle(Tick until)
{
    if (m_idle >= IDLE_KEPT && m_next < until)
    {
        m_next += (until - m_next) / m_interval * m_interval;
    }
}

void
SeriesSampler::Pack(ByteBuffer& buffer) const
{
    VisitEach([&](const auto& series) { series.Pack(buffer); },
              m_ports,
              m_buffers,
              m_flows,
              m_sprays);
}

void
SeriesSampler::Unpack(ByteReader& reader)
{
    VisitEach([&](auto& series) { series.Unpack(reader); }, m_ports, m_buffers, m_flows, m_sprays);
}

void
SeriesSampler::Write(const std::filesystem::path& folder) const
{
    std::filesystem::create_directories(folder);
    VisitEach([&](const auto& series) { series.Write(folder); },
              m_ports,
              m_buffers,
              m_flows,
              m_sprays);
}

} // namespace ns3::rdma
