// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/balboa-resource-account.h"

#include <array>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t BLOCK_ENTRIES{512}; ///< Of a block RAM of 36 Kb, 72 bits wide.

/// A row of Table 2.
struct Module
{
    const char* name;
    double luts;
    double blocks;
    double flipFlops;
    bool isTable; ///< Its memory has entries per queue pair.
};

/// Of the stack, but for the rest of the packet processing.
constexpr std::array<Module, 7> STACK{{{"ICRC", 12462, 0, 23942, false},
                                       {"retransmission logic", 587, 34, 1157, false},
                                       {"flow control", 787, 1, 2836, true},
                                       {"connection table", 64, 4, 230, true},
                                       {"state table", 202, 6, 265, true},
                                       {"transport timer", 209, 2, 248, true},
                                       {"MSN table", 92, 5, 373, true}}};
constexpr Module WHOLE{"RoCE BALBOA", 43732, 101, 102988, false};
constexpr Module AES{"aes", 65662, 0, 11669, false};
constexpr Module DPI{"dpi", 54404, 0, 40508, false};

ResourceLine
MakeLine(const Module& module, uint32_t queuePairs)
{
    const uint32_t steps = (queuePairs - 1) / BLOCK_ENTRIES + 1;
    ResourceLine line;
    line.name = module.name;
    line.luts = module.luts;
    line.blocks = module.isTable ? module.blocks * steps : module.blocks;
    line.flipFlops = module.flipFlops;
    const bool isStated = !module.isTable || steps == 1;
    line.basis = isStated ? ResourceBasis::STATED : ResourceBasis::COMPUTED;
    line.formula = isStated
                       ? "Table 2"
                       : std::to_string(static_cast<uint32_t>(module.blocks)) + " x 72 bit x " +
                             std::to_string(steps * BLOCK_ENTRIES) + " entries";
    return line;
}

void
Add(const ResourceLine& line, ResourceLine& sum)
{
    sum.luts = *sum.luts + *line.luts;
    sum.blocks += line.blocks;
    sum.flipFlops = *sum.flipFlops + *line.flipFlops;
}

/// @return what Table 2 has of the whole stack beyond its named modules.
ResourceLine
MakeRest()
{
    ResourceLine rest{"packet processing, rest",
                      "Table 2 without the modules above",
                      WHOLE.luts,
                      WHOLE.blocks,
                      WHOLE.flipFlops,
                      ResourceBasis::REMAINDER};
    for (const Module& module : STACK)
    {
        rest.luts = *rest.luts - module.luts;
        rest.blocks -= module.blocks;
        rest.flipFlops = *rest.flipFlops - module.flipFlops;
    }
    return rest;
}
} // namespace

const FpgaPart&
GetU55c()
{
    static const FpgaPart part{"XCU55C", 1'303'680, 2016, 2'607'360};
    return part;
}

std::vector<std::string>
GetBalboaServiceNames()
{
    return {AES.name, DPI.name};
}

std::vector<ResourceLine>
AccountBalboaResources(const BalboaResourceConfig& config)
{
    std::vector<ResourceLine> lines;
    for (const Module& module : STACK)
    {
        lines.push_back(MakeLine(module, config.queuePairs));
    }
    lines.push_back(MakeRest());
    for (const std::string& service : config.services)
    {
        lines.push_back(MakeLine(service == AES.name ? AES : DPI, config.queuePairs));
    }
    ResourceLine sum{"NIC", "the lines above", 0, 0, 0, ResourceBasis::SUM};
    for (const ResourceLine& line : lines)
    {
        Add(line, sum);
    }
    lines.push_back(sum);
    return lines;
}

} // namespace ns3::rdma
