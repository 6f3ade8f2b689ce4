// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_OWN_JSON_H
#define RDMA_PERFTEST_OWN_JSON_H

#include "ns3/perftest-report.h"

#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @return the report that perftest writes with --out_json, with its names and units.
 *
 * Source: linux-rdma/perftest 6.29, write_test_info_to_file(), write_bw_report_to_file() and
 * write_report_lat_to_file().
 *
 * Left out: entries of a real machine ("PCIe_relax_order", "ibv_wr_API", "rdma_cm_QPs", ...).
 *
 * @param iterations of all queue pairs
 */
std::string WriteOwnJson(const PerftestRequest& request,
                         const PerftestOptions& options,
                         const PerftestResult& result,
                         uint64_t iterations);

/// @return MiB/s in the unit that is printed.
double ConvertBandwidth(const PerftestRequest& request, double mebibytes);

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_OWN_JSON_H
