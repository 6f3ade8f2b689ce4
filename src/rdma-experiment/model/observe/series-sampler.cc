// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/series-sampler.h"

#include "ns3/buffer-series.h"
#include "ns3/flow-series.h"
#include "ns3/goodput-series.h"
#include "ns3/port-series.h"
#include "ns3/spray-series.h"

#include <algorithm>

namespace ns3::rdma
{

SeriesSampler::SeriesSampler(const SeriesRequest& request,
                             Fabric& fabric,
                             const std::function<bool(uint32_t node)>& isHere,
                             Tick begin)
    : m_interval(request.interval),
      m_next((begin / request.interval + 1) * request.interval),
      m_hasFlows(request.hasRate || request.hasSpray)
{
    std::vector<SampledPort> ports;
    if (request.hasQueue || request.hasPort || request.hasClass)
    {
        ports = FindSampledPorts(request, fabric, isHere, m_next - m_interval);
    }
    if (request.hasQueue)
    {
        m_series.push_back(std::make_unique<QueueSeries>(ports, request.ports.size()));
    }
    if (request.hasPort)
    {
        m_series.push_back(std::make_unique<PortSeries>(ports, request.ports.size()));
    }
    if (request.hasClass)
    {
        m_series.push_back(std::make_unique<ClassSeries>(ports, request.ports.size()));
    }
    if (request.hasBuffer)
    {
        m_series.push_back(std::make_unique<BufferSeries>(fabric, isHere));
    }
    if (request.hasRate)
    {
        m_series.push_back(std::make_unique<FlowSeries>(request));
    }
    if (request.hasGoodput)
    {
        m_goodputWorkloads = std::max<std::size_t>(request.workloads.size(), 1);
        m_series.push_back(std::make_unique<GoodputSeries>(request.workloads, m_next - m_interval));
    }
    if (request.hasSpray)
    {
        m_series.push_back(std::make_unique<SpraySeries>(request));
    }
}

void
SeriesSampler::Sample(const SeriesInput& input)
{
    for (const auto& series : m_series)
    {
        series->Sample(m_next, input);
    }
    m_next += m_interval;
}

void
SeriesSampler::EndSample(bool wasIdle)
{
    m_idle = wasIdle ? m_idle + 1 : 0;
    if (m_idle > IDLE_KEPT)
    {
        for (const auto& series : m_series)
        {
            series->MergeNewest();
        }
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
SeriesSampler::SkipTo(Tick at)
{
    m_next = std::max(m_next, (at / m_interval + 1) * m_interval);
}

void
SeriesSampler::Pack(ByteBuffer& buffer) const
{
    for (const auto& series : m_series)
    {
        series->Pack(buffer);
    }
}

void
SeriesSampler::Unpack(ByteReader& reader)
{
    for (const auto& series : m_series)
    {
        series->Unpack(reader);
    }
}

void
SeriesSampler::Write(const std::filesystem::path& folder) const
{
    std::filesystem::create_directories(folder);
    for (const auto& series : m_series)
    {
        series->Write(folder);
    }
}

} // namespace ns3::rdma
