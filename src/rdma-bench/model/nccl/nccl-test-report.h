// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_TEST_REPORT_H
#define RDMA_NCCL_TEST_REPORT_H

#include "ns3/nccl-test-request.h"

#include <ostream>
#include <string>

namespace ns3::rdma
{

/// What a test measures, for the lines before its table.
struct NcclSetting
{
    uint64_t minBytes{0};
    uint64_t maxBytes{0};
    uint64_t ranks{0};
    std::string nic;      ///< Preset.
    std::string hardware; ///< "off" or "on".
    std::string fabric;   ///< In words.
};

/// One line of a table.
struct NcclResult
{
    uint64_t bytes{0};
    double timeUs{0}; ///< Of an iteration.
    double busFactor{1};
    std::string algorithm; ///< In the table if NCCL's model chooses.
    std::string protocol;  ///< Likewise.
};

/**
 * @brief Writes results in the columns of nccl-tests 2.17 (src/util.cu, writeResultHeader()).
 *
 * A simulated operation is the same in place and out of place: both halves of a line have the same
 * numbers. Data has no bytes: "#wrong" is N/A, as with nccl-tests' -c 0.
 */
class NcclTestReport
{
  public:
    /// @param hasChoice whether lines end with the algorithm and the protocol
    NcclTestReport(const NcclTest& test, const NcclTestRequest& request, bool hasChoice);

    void WriteSetting(std::ostream& output, const NcclSetting& setting) const;
    void WriteHead(std::ostream& output) const;
    void WriteLine(std::ostream& output, const NcclResult& result);
    /// The mean of all lines.
    void WriteFoot(std::ostream& output) const;

  private:
    const NcclTest& m_test;
    const NcclTestRequest& m_request;
    bool m_hasChoice;
    double m_busSum{0}; ///< GB/s.
    uint32_t m_lines{0};
};

} // namespace ns3::rdma

#endif // RDMA_NCCL_TEST_REPORT_H
