// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CAPTURE_FOLDER_H
#define RDMA_CAPTURE_FOLDER_H

#include "../temporary-folder.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

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
            m_named = named;
            return;
        }
        m_temporary.emplace();
    }

    const std::filesystem::path& GetPath() const
    {
        return m_temporary ? m_temporary->GetPath() : m_named;
    }

  private:
    std::filesystem::path m_named; ///< Empty: it is temporary.
    std::optional<TemporaryFolder> m_temporary;
};

} // namespace ns3::rdma

#endif // RDMA_CAPTURE_FOLDER_H
