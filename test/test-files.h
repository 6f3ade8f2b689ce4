// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TEST_FILES_H
#define RDMA_TEST_FILES_H

#include "ns3/input-error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::rdma
{

/// A file of the given text for the time of one test; tests may run side by side.
class TemporaryFile
{
  public:
    explicit TemporaryFile(const std::string& text)
    {
        std::string pattern = std::filesystem::temp_directory_path() / "rocelab-XXXXXX";
        close(mkstemp(pattern.data()));
        m_path = pattern;
        Write(text);
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    ~TemporaryFile()
    {
        std::filesystem::remove(m_path);
    }

    void Write(const std::string& text) const
    {
        std::ofstream(m_path) << text;
    }

    const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
};

/// @return the top folder of this checkout, searched from the working directory upwards.
inline std::filesystem::path
GetCheckout()
{
    std::filesystem::path folder = std::filesystem::current_path();
    while (!std::filesystem::exists(folder / "packages.txt") && folder.has_relative_path())
    {
        folder = folder.parent_path();
    }
    return folder;
}

/// @return a file of the reference data, which may lie beside the project: see ROCELAB_SHARED.
inline std::string
GetSharedFile(const std::string& name)
{
    const char* const shared = std::getenv("ROCELAB_SHARED");
    const auto folder = shared ? std::filesystem::path(shared) : GetCheckout() / "../shared";
    return (folder / name).string();
}

/**
 * @return the cases whose file of the reference data is there: what is tested beyond the project's
 * own data.
 *
 * @param cases of a parameterized test
 * @param getName of a case's file, as GetSharedFile() takes it
 */
template <typename Case, typename GetName>
std::vector<Case>
KeepCasesWithSharedFile(std::vector<Case> cases, const GetName& getName)
{
    const auto isAbsent = [&getName](const Case& one) {
        return !std::filesystem::exists(GetSharedFile(getName(one)));
    };
    cases.erase(std::remove_if(cases.begin(), cases.end(), isAbsent), cases.end());
    return cases;
}

/// @return the message of the InputError that action throws; empty if it throws none.
inline std::string
GetInputError(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace ns3::rdma

#endif // RDMA_TEST_FILES_H
