// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESULT_PART_H
#define RDMA_RESULT_PART_H

#include "ns3/table-schema.h"

#include <any>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// The file of a table, open for rows; the header line is written.
struct TableFile
{
    /// @param folder of the run's files
    TableFile(const TableSchema& schema, const std::filesystem::path& folder)
        : out(folder / schema.GetFile(), std::ios::binary)
    {
        out << schema.GetHeader();
    }

    std::ofstream out;
};

/// A result file of a part.
struct ResultTable
{
    const TableSchema* schema{nullptr};
    /// Writes the remaining rows. Each begins with the name of the workload, unless that is empty.
    /// The function owns the rows, since the traffic is destroyed before.
    std::function<void(std::ostream& out, const std::string& workload)> writeRows;
    std::shared_ptr<TableFile> begun; ///< Has rows that were written during the run; null: none.
};

/**
 * @ingroup rdma-metrics
 * @brief The results of a workload, or of NIC hardware, in a run.
 *
 * The engine writes all parts in the same way: tables as files, the summary under its name in
 * summary.json.
 */
struct ResultPart
{
    std::string name;                  ///< Key in summary.json.
    std::string workload;              ///< Name of its workload; empty: the only one, or hardware.
    std::string line;                  ///< One line for the user; empty: none.
    std::vector<ResultTable> tables;   ///< Files beside summary.json.
    nlohmann::ordered_json summary;    ///< Value of the key.
    std::vector<std::string> troubles; ///< Failures, one line each; they set the exit status.
    std::vector<std::string> violations; ///< Broken invariants, one line each.
    /// The records behind the part, for callers in C++ that have their type: a shared_ptr<const T>.
    std::any details;
};

/// @return the details of the first part that has details of this type; null: there is none.
template <typename Details>
const Details*
FindDetails(const std::vector<ResultPart>& parts)
{
    for (const ResultPart& part : parts)
    {
        if (const auto* found = std::any_cast<std::shared_ptr<const Details>>(&part.details))
        {
            return found->get();
        }
    }
    return nullptr;
}

} // namespace ns3::rdma

#endif // RDMA_RESULT_PART_H
