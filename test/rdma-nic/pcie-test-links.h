// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PCIE_TEST_LINKS_H
#define RDMA_PCIE_TEST_LINKS_H

#include "ns3/pcie-link.h"
#include "ns3/string.h"

#include <map>
#include <string>

namespace ns3::rdma
{

using Settings = std::map<std::string, std::string>;

inline Ptr<PcieLink>
Make(const Settings& settings, uint64_t stream = 1)
{
    auto link = CreateObject<PcieLink>();
    for (const auto& [name, value] : settings)
    {
        link->SetAttribute(name, StringValue(value));
    }
    link->Start(RandomStream(1, stream));
    return link;
}

/// Generation 2, 16 lanes: 5 GT/s x 8/10 x 16 = 64 Gb/s, so that a byte takes 125 ps exactly. Reads
/// take 500 ns and writes 250 ns beside serialization, TLPs have 26 bytes of overhead.
inline Ptr<PcieLink>
MakeRound(Settings settings = {})
{
    settings.insert({{"Generation", "2"}, {"Lanes", "16"}});
    return Make(settings);
}

constexpr Tick BYTE{125};
constexpr Tick REQUEST{26 * BYTE};
constexpr Tick READ{500'000};
constexpr Tick WRITE{250'000};

} // namespace ns3::rdma

#endif // RDMA_PCIE_TEST_LINKS_H
