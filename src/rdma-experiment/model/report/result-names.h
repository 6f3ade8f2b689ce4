// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RESULT_NAMES_H
#define RDMA_RESULT_NAMES_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/// @return whether a run writes a file of that name into the folder of its NIC.
bool IsRunFile(const std::string& name);

/// @return the files of time series, relative to the folder of a run.
std::vector<std::string> GetSeriesFiles();

/// @return files derived from the results of all NICs of a scenario, relative to its folder. The
/// names are those of utils/rocelab/report/compare.py.
const std::vector<std::string>& GetDerivedFiles();

/// @return whether the program uses that name, so that no folder of results may have it.
bool IsReservedName(const std::string& name);

} // namespace ns3::rdma

#endif // RDMA_RESULT_NAMES_H
