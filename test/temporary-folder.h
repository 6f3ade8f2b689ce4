// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEMPORARY_FOLDER_H
#define RDMA_TEMPORARY_FOLDER_H

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace ns3::rdma
{

/// An empty folder that is removed with all in it when this object goes.
class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string pattern = std::filesystem::temp_directory_path() / "rocelab-XXXXXX";
        if (!mkdtemp(pattern.data()))
        {
            throw std::runtime_error("no temporary folder can be made: " + pattern);
        }
        m_path = pattern;
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    ~TemporaryFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path;
};

} // namespace ns3::rdma

#endif // RDMA_TEMPORARY_FOLDER_H
