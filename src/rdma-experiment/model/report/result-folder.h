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
 * Files are written into a hidden folder beside the final one, which Commit() puts in its place in
 * one step. Of an old folder there, files with names of ours go, and all others are kept. A folder
 * that is not committed is removed by the destructor, or, if its process dies, by the next run into
 * the same place. If the final place is a link to a folder, the link stays, and that folder is the
 * final one.
 */
class ResultFolder
{
  public:
    /**
     * Makes the hidden folder, and its parents where they are missing.
     *
     * @param target the final folder; its parent may not be the root
     * @throws InputError if that is not possible
     */
    explicit ResultFolder(std::filesystem::path target);
    ~ResultFolder();
    ResultFolder(const ResultFolder&) = delete;
    ResultFolder& operator=(const ResultFolder&) = delete;

    /// Where a file of that name is to be written.
    std::filesystem::path GetPath(const std::string& fileName) const;

    /// Writes a small file in one go. @throws std::runtime_error if it does not fit.
    void WriteFile(const std::string& fileName, const std::string& text) const;

    /// Writes the rows of a table that are not in its file yet, and closes it.
    /// @throws std::runtime_error if there is such a file, or it cannot be written
    void WriteTable(const ResultTable& table) const;

    /// Puts the folder in its place; what was made from older results beside it goes first.
    /// @throws std::runtime_error
    void Commit();

    /// Removes what processes that died left behind for this target.
    static void RemoveLeftovers(const std::filesystem::path& target);

    /**
     * Checks whether folders can be made there, without making one.
     * @throws InputError if not, naming the obstacle
     */
    static void CheckWritable(const std::filesystem::path& target);

  private:
    std::filesystem::path
        m_scenario;                  ///< The folder of the scenario, with what was made of results.
    std::filesystem::path m_target;  ///< Behind all links.
    std::filesystem::path m_staging; ///< Empty once committed.
};

} // namespace ns3::rdma

#endif // RDMA_RESULT_FOLDER_H
