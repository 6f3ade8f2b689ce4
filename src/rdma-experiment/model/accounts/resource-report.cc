// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/resource-report.h"

#include "ns3/balboa-resource-account.h"
#include "ns3/input-error.h"
#include "ns3/nic-hardware.h"
#include "ns3/rdma-nic.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr uint32_t MAX_QUEUE_PAIRS{16'000}; // StRoM section 6.1.
constexpr uint32_t MAX_TLB_ENTRIES{1U << 20U};

[[noreturn]] void
Fail(const std::string& option, const std::string& expected, const std::string& got)
{
    throw InputError("list resources: " + option + ": expected " + expected + ", got " + got);
}

void
Check(const std::string& option, uint32_t value, uint32_t most)
{
    if (value == 0 || value > most)
    {
        Fail(option, "1 to " + std::to_string(most), std::to_string(value));
    }
}

/// @return what the preset says.
ResourceConfig
ReadPreset(const std::string& nic)
{
    if (nic != "strom10g" && nic != "strom100g")
    {
        Fail("--nic", "balboa, strom10g or strom100g", nic);
    }
    const NicDesign design = NicDesign::FromPreset(nic, NicDesign::Timing::HARDWARE);
    ResourceConfig config;
    UintegerValue bytes;
    design.Create<NicHardware>()->GetAttribute("BusBytes", bytes);
    config.busBytes = static_cast<uint32_t>(bytes.Get());
    config.queuePairs = RdmaNic::GetQueuePairLimit(design).most;
    return config;
}

std::vector<std::string>
SplitServices(const std::string& text)
{
    std::vector<std::string> services;
    std::istringstream stream(text);
    const std::vector<std::string> known = GetBalboaServiceNames();
    for (std::string name; std::getline(stream, name, ',');)
    {
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            Fail("--services", "a list of " + known.front() + " and " + known.back(), text);
        }
        services.push_back(name);
    }
    return services;
}

Json
OrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

std::string
FormatShare(double part, double whole)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * part / whole << " %";
    return text.str();
}

std::string
FormatCount(const std::optional<double>& value)
{
    std::ostringstream text;
    if (value)
    {
        text << std::fixed << std::setprecision(0) << *value;
    }
    return text.str();
}

std::string
FormatBlocks(double blocks)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << blocks;
    return text.str();
}

} // namespace

ResourceReport::ResourceReport(const std::string& nic, const Changes& changes)
    : m_nic(nic)
{
    if (nic == "balboa")
    {
        MakeBalboa(changes);
    }
    else
    {
        MakeStrom(changes);
    }
}

void
ResourceReport::MakeBalboa(const Changes& changes)
{
    if (changes.tlbEntries || changes.busBytes)
    {
        Fail(changes.tlbEntries ? "--tlb-entries" : "--bus-bytes", "strom10g or strom100g", m_nic);
    }
    BalboaResourceConfig config;
    config.queuePairs = changes.queuePairs.value_or(config.queuePairs);
    Check("--qps", config.queuePairs, MAX_QUEUE_PAIRS);
    config.services = SplitServices(changes.services);
    m_config.queuePairs = config.queuePairs;
    m_config.tlbEntries = 0;
    m_config.busBytes = 64;
    m_head = std::to_string(config.queuePairs) + " queue pairs, " +
             std::to_string(config.services.size()) + " services";
    m_table = "Alveo U55C, as in Table 2";
    m_part = &GetU55c();
    m_lines = AccountBalboaResources(config);
}

void
ResourceReport::MakeStrom(const Changes& changes)
{
    m_config = ReadPreset(m_nic);
    if (!changes.services.empty())
    {
        Fail("--services", "balboa", m_nic);
    }
    m_config.queuePairs = changes.queuePairs.value_or(m_config.queuePairs);
    m_config.tlbEntries = changes.tlbEntries.value_or(m_config.tlbEntries);
    m_config.busBytes = changes.busBytes.value_or(m_config.busBytes);
    Check("--qps", m_config.queuePairs, MAX_QUEUE_PAIRS);
    Check("--tlb-entries", m_config.tlbEntries, MAX_TLB_ENTRIES);
    const uint32_t width = m_config.busBytes;
    if (width != 8 && width != 16 && width != 32 && width != 64)
    {
        Fail("--bus-bytes", "8, 16, 32 or 64", std::to_string(width));
    }
    m_head = std::to_string(m_config.queuePairs) + " queue pairs, " +
             std::to_string(m_config.tlbEntries) + " TLB entries, bus of " +
             std::to_string(m_config.busBytes) + " bytes";
    m_table = "VCU118, as in Table 3";
    m_part = &GetVcu118();
    m_lines = AccountResources(m_config);
}

void
ResourceReport::WriteTable(std::ostream& out) const
{
    constexpr int NAME_WIDTH{24};
    constexpr int NUMBER_WIDTH{10};
    const auto writeLine = [&out](const std::string& name,
                                  const std::string& luts,
                                  const std::string& blocks,
                                  const std::string& flipFlops,
                                  const std::string& source) {
        out << std::left << std::setw(NAME_WIDTH) << name << std::right << std::setw(NUMBER_WIDTH)
            << luts << std::setw(NUMBER_WIDTH) << blocks << std::setw(NUMBER_WIDTH) << flipFlops
            << (source.empty() ? "" : "  ") << source << '\n';
    };
    out << m_nic << ", " << m_head << "\n\n";
    writeLine("", "LUT", "BRAM 36Kb", "FF", "");
    for (const ResourceLine& line : m_lines)
    {
        writeLine(line.name,
                  FormatCount(line.luts),
                  FormatBlocks(line.blocks),
                  FormatCount(line.flipFlops),
                  std::string(GetBasisName(line.basis)) + ": " + line.formula);
    }
    const ResourceLine& total = m_lines.back();
    const FpgaPart& part = *m_part;
    writeLine("of an " + part.name,
              FormatShare(*total.luts, part.luts),
              FormatShare(total.blocks, part.blocks),
              FormatShare(*total.flipFlops, part.flipFlops),
              m_table);
}

std::string
ResourceReport::WriteJson() const
{
    const ResourceLine& total = m_lines.back();
    const FpgaPart& part = *m_part;
    Json json{{"nic", m_nic},
              {"queue_pairs", m_config.queuePairs},
              {"tlb_entries", m_config.tlbEntries},
              {"bus_bytes", m_config.busBytes}};
    Json modules = Json::array();
    for (const ResourceLine& line : m_lines)
    {
        modules.push_back({{"name", line.name},
                           {"luts", OrNull(line.luts)},
                           {"bram36", line.blocks},
                           {"flip_flops", OrNull(line.flipFlops)},
                           {"basis", GetBasisName(line.basis)},
                           {"formula", line.formula}});
    }
    json["modules"] = std::move(modules);
    json["share"] = {{"part", part.name},
                     {"luts", *total.luts / part.luts},
                     {"bram36", total.blocks / part.blocks},
                     {"flip_flops", *total.flipFlops / part.flipFlops}};
    return json.dump(2) + "\n";
}

} // namespace ns3::rdma
