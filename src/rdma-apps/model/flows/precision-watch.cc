// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/precision-watch.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
/// Of slowdowns as whole numbers.
constexpr double UNIT{65536};

/// The next look comes when a tenth has been added to what is measured.
constexpr Tick GROWTH{10};
} // namespace

PrecisionWatch::PrecisionWatch(double target, Tick from, uint32_t nodes, uint32_t servers)
    : m_target(target),
      m_from(from),
      m_next(target > 0 ? from + FIRST_LOOK : TICK_NEVER),
      m_servers(servers),
      m_fct(nodes, servers),
      m_slowdown(nodes, servers)
{
}

void
PrecisionWatch::Add(const FlowRecord& record)
{
    const bool hasSlowdown = record.idealPs > 0; // Not if no way led there at its start and end.
    if (!IsOn() || !hasSlowdown || record.startPs + record.fctPs < m_from)
    {
        return;
    }
    const double slowdown = static_cast<double>(record.fctPs) / static_cast<double>(record.idealPs);
    m_news.push_back({record.src, record.dst, record.fctPs, std::llround(slowdown * UNIT)});
    Count(m_news.back());
}

void
PrecisionWatch::Count(const Ended& ended)
{
    m_fct.Add(ended.src, ended.dst, ended.fctPs);
    m_slowdown.Add(ended.src, ended.dst, ended.slowdown);
}

void
PrecisionWatch::Pack(ByteBuffer& buffer) const
{
    buffer.Put(m_news);
}

void
PrecisionWatch::Unpack(ByteReader& reader)
{
    for (const Ended& ended : reader.Get<std::vector<Ended>>())
    {
        Count(ended);
    }
}

void
PrecisionWatch::Forget()
{
    m_news.clear();
}

bool
PrecisionWatch::Look()
{
    m_next += std::max(FIRST_LOOK, (m_next - m_from) / GROWTH);
    const MeanEstimate slowdown = m_slowdown.GetEstimate();
    m_isReached =
        m_slowdown.GetCount() >= MIN_FLOWS && slowdown.halfWidth <= m_target * slowdown.mean;
    return m_isReached;
}

PrecisionReport
PrecisionWatch::GetReport(Tick until) const
{
    PrecisionReport report;
    report.target = m_target;
    report.isReached = m_isReached;
    report.fromPs = m_from;
    report.measuredPs = std::max<Tick>(until - m_from, 0);
    report.flows = m_slowdown.GetCount();
    report.servers = m_servers;
    report.fctPs = m_fct.GetEstimate();
    report.slowdown = m_slowdown.GetEstimate();
    report.slowdown.mean /= UNIT;
    report.slowdown.halfWidth /= UNIT;
    return report;
}

} // namespace ns3::rdma
