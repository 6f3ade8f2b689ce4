// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CAPTURE_FOLDER_H
#define RDMA_CAPTURE_FOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ns3::rdma
{

/// Where a test writes captures: kept where the environment names a folder, for Python tests that
/// show them to other tools, else gone with this object.
class CaptureFolder
{
  public:
    CaptureFolder()
    {
        if (const char* const named = std::getenv("ROCELAB_CAPTURE_DIR"))
        {
            m_path = named;
            return;
        }
        std::string pattern = std::filesystem::temp_directory_path() / "rocelab-XXXXXX";
        m_path = mkdtemp(pattern.data());
        m_isTemporary = true;
    }

    CaptureFolder(const CaptureFolder&) = delete;
    CaptureFolder& operator=(const CaptureFolder&) = delete;

    ~CaptureFolder()
    {
        if (m_isTemporary)
        {
            std::filesystem::remove_all(m_path);
        }
    }

    const std::filesystem::path& GetPath() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path;
    bool m_isTemporary{false};
};

} // namespace ns3::rdma

#endif // RDMA_CAPTURE_FOLDER_H
