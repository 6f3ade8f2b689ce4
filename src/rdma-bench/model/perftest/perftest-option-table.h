// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERFTEST_OPTION_TABLE_H
#define RDMA_PERFTEST_OPTION_TABLE_H

#include "ns3/perftest-options.h"
#include "ns3/tool-option.h"

#include <vector>

namespace ns3::rdma
{

using PerftestOption = ToolOption<PerftestRequest>;

/**
 * @return all options of perftest 6.29 (package versions 26.x); not --help.
 *
 * Source: linux-rdma/perftest, src/perftest_parameters.c, parser(), and its manual page
 * perftest(1).
 */
const std::vector<PerftestOption>& GetPerftestOptions();

} // namespace ns3::rdma

#endif // RDMA_PERFTEST_OPTION_TABLE_H
