// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/output-place.h"

#include <system_error>

namespace ns3::rdma
{

namespace fs = std::filesystem;

fs::path
FollowLinks(const fs::path& path)
{
    constexpr int MOST_LINKS{40}; // As Linux follows.
    fs::path end = path;
    std::error_code error;
    for (int i = 0; i < MOST_LINKS; ++i)
    {
        if (!fs::is_symlink(fs::symlink_status(end, error)))
        {
            return end;
        }
        // A relative link starts at its own folder; operator/ takes an absolute one as it is.
        end = end.parent_path() / fs::read_symlink(end, error);
    }
    return path;
}

bool
IsReplaceable(const fs::path& path)
{
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    return !fs::exists(status) || fs::is_regular_file(status);
}

} // namespace ns3::rdma
