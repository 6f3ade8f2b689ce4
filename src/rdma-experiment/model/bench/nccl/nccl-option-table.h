// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_OPTION_TABLE_H
#define RDMA_NCCL_OPTION_TABLE_H

#include "ns3/nccl-test-request.h"
#include "ns3/tool-option.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

using NcclOption = ToolOption<NcclTestRequest>;

/**
 * @return all options of nccl-tests 2.17, but for --help and -x, which ReadNcclVariable() reads.
 *
 * Source: NVIDIA/nccl-tests, src/common.cu, longopts.
 */
const std::vector<NcclOption>& GetNcclOptions();

/**
 * @brief A variable of NCCL's environment; of these, ToolOption::argument is TEXT and
 * ToolOption::letter 0.
 *
 * Source: NVIDIA/nccl 2.30, src/graph/tuning.cc and src/transport/net_ib, and its documentation,
 * "Environment Variables".
 */
const std::vector<NcclOption>& GetNcclVariables();

/**
 * Puts "NAME=VALUE" of mpirun's -x into a request. Other texts, such as the number of nccl-tests'
 * own -x, have no effect.
 *
 * @param unused gets what has no effect @throws InputError for a value of a variable
 */
void ReadNcclVariable(const std::string& text,
                      NcclTestRequest& request,
                      std::vector<UnusedOption>& unused);

/// Sets algorithm, protocol and channels of a test to what the variables select; notes say what has
/// no effect on its operation.
void ApplyNcclVariables(const NcclTest& test, NcclTestRequest& request);

} // namespace ns3::rdma

#endif // RDMA_NCCL_OPTION_TABLE_H
