// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RESULT_FOLDER_H
#define RDMA_RESULT_FOLDER_H

#include "ns3/result-part.h"

#include <filesystem>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief A folder of result files that appears as a whole or not at all.
 *
 * Files are written into a hidden folder beside the final one, which Commit() renames to the final
 * one in one step. Of an old folder, files with names that a run writes are removed, and all others
 * are kept. A folder that is not committed is removed by the destructor, or, if its process dies,
 * by the next run into the same place. If the final place is a link to a folder, the link stays,
 * and that folder is the final one.
 */
class ResultFolder
{
  public:
    /**
     * Makes the hidden folder, and missing parents.
     *
     * @param target the final folder; its parent may not be the root
     * @throws InputError if that is not possible
     */
    explicit ResultFolder(std::filesystem::path target);
    ~ResultFolder();
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;

    /// The path at which a file is to be written.
    std::filesystem::path GetPath(const std::string& fileName) const;

    /// Writes a small file. @throws std::runtime_error if it does not fit on the disk.
    void WriteFile(const std::string& fileName, const std::string& text) const;

    /// @return the folder of the rows that a workload writes during the run. @param folder of the
    /// run's files @param workload its name; empty: the only one
    static std::filesystem::path GetRowsFolder(const std::filesystem::path& folder,
                                               const std::string& workload);

    /// Writes the remaining rows of a table, and closes its file.
    /// @param workload name in a list of workloads, which begins each row; tables of the same
    /// file are appended. Empty: the only one
    /// @throws std::runtime_error if the file exists, or cannot be written
    void WriteTable(const ResultTable& table, const std::string& workload = "") const;

    /// Renames the folder to its final name. Files derived from older results are removed first.
    /// @throws std::runtime_error
    void Commit();

    /// Removes hidden folders of this target whose processes have died.
    static void RemoveLeftovers(const std::filesystem::path& target);

    /**
     * Checks whether the target can be created, without creating it.
     * @throws InputError if not, naming the obstacle
     */
    static void CheckWritable(const std::filesystem::path& target);

  private:
    std::filesystem::path
        /// The folder of the scenario, with files derived from results.
        m_scenario;
    std::filesystem::path m_target;  ///< After resolving all links.
    std::filesystem::path m_staging; ///< Empty once committed.
};

} // namespace ns3::rdma

#endif // RDMA_RESULT_FOLDER_H
