// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/buffer-series.h"

#include "ns3/series-text.h"

namespace ns3::rdma
{

namespace
{
const TableSchema BUFFER_TABLE{"series/buffer.csv",
                               {{"time_ns", "ns", "time of the sample", ColumnType::REAL},
                                {"node", "", "node id of the switch"},
                                {"bytes", "bytes", "what its shared buffer holds"}},
                               TableScope::RUN};
} // namespace

BufferSeries::BufferSeries(const Fabric& fabric, const std::function<bool(uint32_t node)>& isHere)
    : m_fabric(fabric),
      m_table(fabric.GetGraph().isSwitch.size() - fabric.GetGraph().GetServerCount())
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

void
BufferSeries::Sample(Tick at)
{
    std::vector<Row> rows;
    for (const uint32_t node : m_switches)
    {
        rows.push_back({node, m_fabric.GetSwitch(node)->GetBuffer().GetTotalUsed()});
    }
    m_table.Add(at, std::move(rows));
}

void
BufferSeries::MergeNewest()
{
    m_table.MergeNewest();
}

void
BufferSeries::Pack(ByteBuffer& buffer) const
{
    m_table.Pack(buffer);
}

void
BufferSeries::Unpack(ByteReader& reader)
{
    m_table.Unpack(reader, m_fabric.GetGraph().isSwitch.size());
}

void
BufferSeries::Write(const std::filesystem::path& folder) const
{
    SeriesText text(BUFFER_TABLE);
    for (const auto& block : m_table.GetBlocks())
    {
        for (const Row& row : block.rows)
        {
            text.AddTime(block.at).Add(row.node).Add(row.bytes).EndLine();
        }
    }
    text.Write(folder / "buffer.csv");
}

} // namespace ns3::rdma
