// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-fields.h"

#include "ns3/exact-quantity.h"

namespace ns3::rdma
{

namespace
{

DataRate
ReadRate(const FieldReader& reader, size_t index)
{
    const std::string_view field = reader.GetFields()[index];
    auto rate = ParseExactRate(field);
    if (const auto bits = ParseExactDecimal(field, 1, SmallDecimals::REFUSE); !rate && bits)
    {
        rate = DataRate(static_cast<uint64_t>(*bits)); // "25000000000.0".
    }
    if (!rate || rate->GetBitRate() == 0)
    {
        reader.Fail("a rate above zero such as 100Gbps", FieldReader::Quote(field));
    }
    return *rate;
}

Time
ReadDelay(const FieldReader& reader, size_t index)
{
    const auto picoseconds = ParseExactDelay(reader.GetFields()[index]);
    if (!picoseconds)
    {
        reader.Fail("a delay of zero or more such as 1000ns",
                    FieldReader::Quote(reader.GetFields()[index]));
    }
    return PicoSeconds(static_cast<uint64_t>(*picoseconds));
}

double
ReadLossRate(const FieldReader& reader, size_t index)
{
    constexpr std::string_view MEANING{"a loss probability from 0 to below 1"};
    const double lossRate = reader.GetDouble(index, MEANING);
    if (lossRate < 0 || lossRate >= 1)
    {
        reader.Fail(MEANING, FieldReader::Quote(reader.GetFields()[index]));
    }
    return lossRate;
}

} // namespace

uint32_t
ReadNodeField(const FieldReader& reader, size_t index, uint32_t nodes)
{
    return static_cast<uint32_t>(reader.GetUnsigned(index, "a node id", 0, nodes - 1));
}

GraphLink
ReadLinkFields(const FieldReader& reader, uint32_t nodes)
{
    reader.ExpectFieldCount(5, "node node rate delay loss");
    GraphLink link;
    link.a = ReadNodeField(reader, 0, nodes);
    link.b = ReadNodeField(reader, 1, nodes);
    if (link.a == link.b)
    {
        reader.Fail("a link between two different nodes", std::to_string(link.a) + " twice");
    }
    link.rate = ReadRate(reader, 2);
    link.delay = ReadDelay(reader, 3);
    link.lossRate = ReadLossRate(reader, 4);
    return link;
}

} // namespace ns3::rdma
