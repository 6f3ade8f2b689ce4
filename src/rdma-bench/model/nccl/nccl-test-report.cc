// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-test-report.h"

#include <iomanip>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/// @return a number with two decimals, or with fewer if it has more digits than a column.
std::string
FitNumber(double value, std::size_t width)
{
    for (int decimals = 2; decimals >= 0; --decimals)
    {
        std::ostringstream text;
        text << std::fixed << std::setprecision(decimals) << value;
        if (text.str().size() <= width)
        {
            return text.str();
        }
    }
    std::ostringstream text;
    text << std::scientific << std::setprecision(width >= 7 ? 1 : 0) << value;
    return text.str();
}

} // namespace

NcclTestReport::NcclTestReport(const NcclTest& test, const NcclTestRequest& request, bool hasChoice)
    : m_test(test),
      m_request(request),
      m_hasChoice(hasChoice)
{
}

void
NcclTestReport::WriteSetting(std::ostream& output, const NcclSetting& setting) const
{
    constexpr uint32_t DEFAULT_FACTOR{2};
    output << "# Collective test starting: " << m_test.name << "_perf\n# minBytes "
           << setting.minBytes << " maxBytes " << setting.maxBytes << " step: ";
    if (m_request.step.empty())
    {
        output << m_request.factor.value_or(DEFAULT_FACTOR) << "(factor)";
    }
    else
    {
        output << m_request.step << "(bytes)";
    }
    output << " warmup iters: " << m_request.warmup << " iters: " << m_request.iterations
           << "\n#\n# Ranks: " << setting.ranks << ", one per server, NIC " << setting.nic
           << ", hardware " << setting.hardware << "\n# Fabric: " << setting.fabric << "\n#"
           << std::endl;
}

void
NcclTestReport::WriteHead(std::ostream& output) const
{
    output << "#                                                              out-of-place        "
              "               in-place          \n"
              "#       size         count      type   redop    root     time   algbw   busbw  "
              "#wrong     time   algbw   busbw  #wrong "
           << (m_hasChoice ? "   algorithm   proto" : "")
           << "\n#        (B)    (elements)                               (us)  (GB/s)  (GB/s)    "
              "         (us)  (GB/s)  (GB/s)         "
           << std::endl;
}

void
NcclTestReport::WriteLine(std::ostream& output, const NcclResult& result)
{
    constexpr double NS_PER_US{1000};
    constexpr std::size_t TIME_WIDTH{7};
    constexpr std::size_t RATE_WIDTH{6};
    const double algorithm = static_cast<double>(result.bytes) / (result.timeUs * NS_PER_US);
    const double bus = algorithm * result.busFactor;
    const std::string root = m_test.hasRoot ? std::to_string(m_request.root) : "-1";
    output << std::setw(12) << result.bytes << std::setw(14)
           << result.bytes / GetNcclTypeBytes(m_request.datatype) << std::setw(10)
           << m_request.datatype << std::setw(8)
           << (m_test.hasReduction ? m_request.reduction : "none") << std::setw(8) << root;
    for (int half = 0; half < 2; ++half)
    {
        output << "  " << std::setw(TIME_WIDTH) << FitNumber(result.timeUs, TIME_WIDTH) << "  "
               << std::setw(RATE_WIDTH) << FitNumber(algorithm, RATE_WIDTH) << "  "
               << std::setw(RATE_WIDTH) << FitNumber(bus, RATE_WIDTH) << "     N/A";
    }
    if (m_hasChoice)
    {
        output << std::setw(13) << result.algorithm << std::setw(8) << result.protocol;
    }
    output << std::endl;
    m_busSum += bus;
    ++m_lines;
}

void
NcclTestReport::WriteFoot(std::ostream& output) const
{
    output << "# Avg bus bandwidth    : " << m_busSum / m_lines << " \n#" << std::endl;
}

} // namespace ns3::rdma
