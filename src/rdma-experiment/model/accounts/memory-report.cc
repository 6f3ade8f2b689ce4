// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/memory-report.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double MEGABYTE{1024.0 * 1024.0};    // SRNIC footnote 1.
constexpr uint32_t MAX_QUEUE_PAIRS{1U << 24U}; // Their number has 24 bits.
constexpr const char* BASELINE{"connectx5"};

NicMemoryDesign
FindDesign(const std::string& nic)
{
    std::vector<std::string> names;
    for (const NicMemoryDesign& design : GetMemoryDesigns())
    {
        if (design.name == nic)
        {
            return design;
        }
        names.push_back(design.name);
    }
    throw InputError("list memory: --nic: expected " + JoinNames(names) + ", got " + nic);
}

template <typename Number>
Json
OrNull(const std::optional<Number>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// Of the NIC that SRNIC compares itself with.
double
GetBaselinePerMegabyte()
{
    const NicMemoryDesign design = FindDesign(BASELINE);
    return *design.performantQueuePairs / (static_cast<double>(*design.statedBytes) / MEGABYTE);
}

Json
GetRatio(const std::optional<double>& perMegabyte)
{
    return perMegabyte ? Json(*perMegabyte / GetBaselinePerMegabyte()) : Json(nullptr);
}

std::string
FormatMegabytes(uint64_t bytes)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << static_cast<double>(bytes) / MEGABYTE;
    return text.str();
}

/// The account under each alignment: {"exact": bytes, ...} by line.
std::vector<Json>
MakeAlignedBytes(NicMemoryConfig config)
{
    std::vector<Json> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(MemoryAlignment::COUNT); ++i)
    {
        config.alignment = static_cast<MemoryAlignment>(i);
        const std::vector<MemoryLine> lines = AccountMemory(config);
        all.resize(lines.size(), Json::object());
        for (std::size_t line = 0; line < lines.size(); ++line)
        {
            all[line][GetAlignmentName(config.alignment)] = lines[line].builtBytes;
        }
    }
    return all;
}

} // namespace

MemoryReport::MemoryReport(const std::string& nic, std::optional<uint32_t> queuePairs)
    : m_design(FindDesign(nic))
{
    if (queuePairs && (*queuePairs == 0 || *queuePairs > MAX_QUEUE_PAIRS))
    {
        throw InputError("list memory: --qps: expected 1 to 16777216, got " +
                         std::to_string(*queuePairs));
    }
    SetQueuePairs(m_design, queuePairs.value_or(m_design.defaultQueuePairs));
    m_lines = AccountMemory(m_design.config);
    m_total = SumMemory(m_lines);
}

std::optional<uint64_t>
MemoryReport::GetStatedBytes() const
{
    return m_design.config.queuePairs == m_design.defaultQueuePairs ? m_design.statedBytes
                                                                    : std::nullopt;
}

std::optional<double>
MemoryReport::GetPerMegabyte(std::optional<uint64_t> bytes) const
{
    const bool isPublishedSize = m_design.config.queuePairs == m_design.defaultQueuePairs;
    if (!bytes || !isPublishedSize || !m_design.performantQueuePairs)
    {
        return std::nullopt;
    }
    return *m_design.performantQueuePairs / (static_cast<double>(*bytes) / MEGABYTE);
}

void
MemoryReport::WriteLines(std::ostream& out) const
{
    constexpr int NAME{28};
    constexpr int NUMBER{14};
    const auto write = [&out](const std::string& name,
                              const std::string& conceptual,
                              const std::string& kept,
                              const std::string& built,
                              const std::string& rest) {
        out << std::left << std::setw(NAME) << name << std::right << std::setw(NUMBER) << conceptual
            << std::setw(NUMBER) << kept << std::setw(NUMBER) << built << (rest.empty() ? "" : "  ")
            << rest << '\n';
    };
    write("structure", "conceptual MB", "design MB", "as built MB", "formula");
    for (const MemoryLine& line : m_lines)
    {
        write(line.name,
              FormatMegabytes(line.conceptualBytes),
              FormatMegabytes(line.designBytes),
              FormatMegabytes(line.builtBytes),
              line.replacedBy.empty() ? line.formula
                                      : line.formula + "; instead: " + line.replacedBy);
    }
    write("total",
          FormatMegabytes(m_total.conceptualBytes),
          FormatMegabytes(m_total.designBytes),
          FormatMegabytes(m_total.builtBytes),
          "");
}

void
MemoryReport::WriteTable(std::ostream& out) const
{
    out << m_design.name << ", " << m_design.config.queuePairs
        << " queue pairs: " << m_design.description
        << "\n1 MB is 2^20 bytes; tables as built: " << GetAlignmentName(m_design.config.alignment)
        << "\n\n";
    WriteLines(out);
    const auto writeRatio = [&out](const char* which, const std::optional<double>& perMegabyte) {
        if (perMegabyte)
        {
            out << "performant queue pairs per MB" << which << ": " << std::fixed
                << std::setprecision(0) << *perMegabyte << ", " << std::setprecision(1)
                << *perMegabyte / GetBaselinePerMegabyte() << "x of " << BASELINE << '\n';
        }
    };
    out << '\n';
    if (const auto stated = GetStatedBytes())
    {
        out << "published: " << FormatMegabytes(*stated) << " MB";
        if (m_design.config.contextBytes > 0)
        {
            out << ", room for " << *stated / m_design.config.contextBytes << " contexts alone";
        }
        out << '\n';
    }
    writeRatio(", published memory", GetPerMegabyte(GetStatedBytes()));
    if (!m_design.isPartial)
    {
        writeRatio(", as built", GetPerMegabyte(m_total.builtBytes));
    }
}

std::string
MemoryReport::WriteJson() const
{
    const std::optional<uint64_t> stated = GetStatedBytes();
    const std::optional<double> perStated = GetPerMegabyte(stated);
    const std::optional<double> perBuilt =
        m_design.isPartial ? std::nullopt : GetPerMegabyte(m_total.builtBytes);
    const bool hasRoom = stated && m_design.config.contextBytes > 0;
    Json json{
        {"nic", m_design.name},
        {"description", m_design.description},
        {"queue_pairs", m_design.config.queuePairs},
        {"alignment", GetAlignmentName(m_design.config.alignment)},
        {"structures", Json::array()},
        {"total",
         {{"conceptual_bytes", m_total.conceptualBytes},
          {"design_bytes", m_total.designBytes},
          {"built_bytes", m_total.builtBytes}}},
        {"is_partial", m_design.isPartial},
        {"published_bytes", OrNull(stated)},
        {"contexts_that_fit",
         hasRoom ? Json(*stated / m_design.config.contextBytes) : Json(nullptr)},
        {"performant_queue_pairs", OrNull(m_design.performantQueuePairs)},
        {"performant_per_mb", {{"published", OrNull(perStated)}, {"built", OrNull(perBuilt)}}},
        {"ratio_to_connectx5",
         {{"published", GetRatio(perStated)}, {"built", GetRatio(perBuilt)}}}};
    const std::vector<Json> aligned = MakeAlignedBytes(m_design.config);
    for (std::size_t i = 0; i < m_lines.size(); ++i)
    {
        const MemoryLine& line = m_lines[i];
        json["structures"].push_back({{"name", line.name},
                                      {"formula", line.formula},
                                      {"replaced_by", line.replacedBy},
                                      {"conceptual_bytes", line.conceptualBytes},
                                      {"design_bytes", line.designBytes},
                                      {"built_bytes", line.builtBytes},
                                      {"aligned_bytes", aligned[i]}});
    }
    return json.dump(2) + "\n";
}

} // namespace ns3::rdma
