// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/buffer-series.h"

namespace ns3::rdma
{

namespace
{
const BufferSeries::Columns BUFFER_TABLE{
    "series/buffer.csv",
    {MakeTimeColumn<BufferRow>(),
     {"node", "", "node id of the switch", &BufferSeries::Point::key},
     {"bytes", "bytes", "what its shared buffer holds", &BufferSeries::Point::bytes}},
    TableScope::RUN};
} // namespace

BufferSeries::BufferSeries(const Fabric& fabric, const std::function<bool(uint32_t node)>& isHere)
    : RowSeries(BUFFER_TABLE,
                fabric.GetGraph().isSwitch.size() - fabric.GetGraph().GetServerCount()),
      m_fabric(fabric)
{
    const std::vector<bool>& isSwitch = fabric.GetGraph().isSwitch;
    for (uint32_t node = 0; node < isSwitch.size(); ++node)
    {
        if (isSwitch[node] && isHere(node))
        {
            m_switches.push_back(node);
        }
    }
}

std::vector<BufferRow>
BufferSeries::MakeRows(Tick, const SeriesInput&) const
{
    std::vector<BufferRow> rows;
    for (const uint32_t node : m_switches)
    {
        rows.push_back({{node}, m_fabric.GetSwitch(node)->GetBuffer().GetTotalUsed()});
    }
    return rows;
}

} // namespace ns3::rdma
