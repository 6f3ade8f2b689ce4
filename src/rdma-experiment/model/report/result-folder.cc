// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/result-folder.h"

#include "ns3/input-error.h"
#include "ns3/output-place.h"
#include "ns3/result-names.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/// The hidden folder is ".NIC.PID.part".
const std::string SUFFIX{".part"};

/// In it, while the run goes on: a folder of rows for each workload of a list.
constexpr const char* ROWS_FOLDER{".rows"};

std::string
GetPrefix(const fs::path& target)
{
    return "." + target.filename().string() + ".";
}

/// Exchanges two paths in one step if the file system supports it, else in three.
void
SwapFolders(const fs::path& staging, const fs::path& target)
{
    if (renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0)
    {
        return;
    }
    const fs::path aside = staging.string() + SUFFIX;
    fs::rename(target, aside);
    fs::rename(staging, target);
    fs::rename(aside, staging);
}

/// The process id in the name of a hidden folder; empty if the name has another form.
std::string
ExtractProcessId(const std::string& name, const std::string& prefix)
{
    if (name.compare(0, prefix.size(), prefix) != 0)
    {
        return {};
    }
    const size_t end = name.find_first_not_of("0123456789", prefix.size());
    const bool isWhole =
        end != std::string::npos && name.compare(end, std::string::npos, SUFFIX) == 0;
    return isWhole ? name.substr(prefix.size(), end - prefix.size()) : std::string();
}

bool
IsAlive(const std::string& processId)
{
    const long id = std::strtol(processId.c_str(), nullptr, 10);
    return id > 0 && (kill(static_cast<pid_t>(id), 0) == 0 || errno == EPERM);
}

/// Removes the files of time series, and their folder if it is then empty. Targets of links are
/// kept.
void
RemoveSeries(const fs::path& folder)
{
    std::error_code ignored;
    for (const fs::path name : GetSeriesFiles())
    {
        if (fs::is_symlink((folder / name).parent_path(), ignored))
        {
            continue;
        }
        if (!fs::is_directory(folder / name, ignored))
        {
            fs::remove(folder / name, ignored);
        }
        fs::remove((folder / name).parent_path(), ignored); // Fails unless it is empty.
    }
}

/// Removes the files of a run, and their folder if it is then empty.
void
RemoveRun(const fs::path& folder)
{
    RemoveSeries(folder);
    std::error_code ignored;
    fs::remove_all(folder / ROWS_FOLDER, ignored);
    std::vector<fs::path> own;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
    {
        if (IsRunFile(entry.path().filename().string()) && !entry.is_directory(ignored))
        {
            own.push_back(entry.path());
        }
    }
    for (const fs::path& path : own)
    {
        fs::remove(path, ignored);
    }
    fs::remove(folder, ignored); // Fails unless it is empty.
}

/// Moves entries that are not files of a run and do not exist in the destination.
/// @return false if a move has failed
bool
MoveForeign(const fs::path& from, const fs::path& to)
{
    std::error_code ignored;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(from, ignored))
    {
        const std::string name = entry.path().filename().string();
        if (!IsRunFile(name) || entry.is_directory(ignored))
        {
            names.push_back(name);
        }
    }
    bool isAllMoved = true;
    for (const std::string& name : names)
    {
        if (!fs::exists(fs::symlink_status(to / name, ignored)))
        {
            std::error_code error;
            fs::rename(from / name, to / name, error);
            isAllMoved = isAllMoved && !error;
        }
    }
    return isAllMoved;
}

/// @param folder of the scenario
void
RemoveDerived(const fs::path& folder)
{
    std::error_code ignored;
    for (const std::string& name : GetDerivedFiles())
    {
        if (!fs::is_directory(folder / name, ignored))
        {
            fs::remove(folder / name, ignored);
        }
    }
    fs::remove(folder / "plots", ignored); // Fails unless it is empty.
}

[[noreturn]] void
FailToWrite(const fs::path& path, const std::string& reason)
{
    throw InputError(path.string() + ": expected a folder that can be written, got: " + reason);
}

/// Appends the lines of a table but for its header, and removes its file.
void
MoveRows(const fs::path& from, std::ofstream& to)
{
    std::ifstream in(from, std::ios::binary);
    std::string header;
    std::getline(in, header);
    if (in.peek() != std::ifstream::traits_type::eof())
    {
        to << in.rdbuf();
    }
    to.close();
    fs::remove(from);
}

} // namespace

ResultFolder::ResultFolder(fs::path target)
    : m_scenario(target.parent_path()),
      m_target(FollowLinks(target)),
      m_staging(m_target.parent_path() / (GetPrefix(m_target) + std::to_string(getpid()) + SUFFIX))
{
    std::error_code error;
    fs::create_directories(m_staging, error);
    if (error)
    {
        FailToWrite(m_target, error.message());
    }
}

ResultFolder::~ResultFolder()
{
    if (!m_staging.empty())
    {
        std::error_code ignored;
        fs::remove_all(m_staging, ignored);
    }
}

fs::path
ResultFolder::GetPath(const std::string& fileName) const
{
    return m_staging / fileName;
}

void
ResultFolder::WriteFile(const std::string& fileName, const std::string& text) const
{
    std::ofstream file(GetPath(fileName), std::ios::binary);
    file << text;
    file.close();
    if (!file)
    {
        throw std::runtime_error((m_target / fileName).string() + ": cannot be written");
    }
}

fs::path
ResultFolder::GetRowsFolder(const fs::path& folder, const std::string& workload)
{
    return workload.empty() ? folder : folder / ROWS_FOLDER / workload;
}

void
ResultFolder::WriteTable(const ResultTable& table, const std::string& workload) const
{
    const std::string& name = table.schema->GetFile();
    const bool isNew = !fs::exists(GetPath(name));
    if (workload.empty() && !table.begun && !isNew)
    {
        throw std::runtime_error((m_target / name).string() + ": expected one such table, got two");
    }
    std::ofstream own; // Of a list of workloads, and of a table without rows.
    if (!workload.empty() || !table.begun)
    {
        own.open(GetPath(name), std::ios::binary | std::ios::app);
        own << (isNew ? table.schema->GetHeader(!workload.empty()) : "");
    }
    std::ofstream& out = table.begun ? table.begun->out : own;
    table.writeRows(out, workload);
    out.close();
    if (table.begun && !workload.empty())
    {
        MoveRows(GetRowsFolder(m_staging, workload) / name, own);
    }
    if (!out || !own)
    {
        throw std::runtime_error((m_target / name).string() + ": cannot be written");
    }
}

void
ResultFolder::Commit()
{
    fs::remove_all(m_staging / ROWS_FOLDER);
    RemoveDerived(m_scenario);
    if (fs::exists(m_target))
    {
        SwapFolders(m_staging, m_target);
        RemoveSeries(m_staging);
        const fs::path series = fs::path(GetSeriesFiles().front()).parent_path();
        // A link counts as a file of that name: its target is not changed.
        if (fs::exists(m_target / series) && !fs::is_symlink(m_staging / series))
        {
            MoveForeign(m_staging / series, m_target / series);
        }
        if (MoveForeign(m_staging, m_target))
        {
            std::error_code ignored;
            fs::remove_all(m_staging, ignored);
        }
        else
        {
            RemoveRun(m_staging);
        }
    }
    else
    {
        fs::rename(m_staging, m_target);
    }
    m_staging.clear();
}

void
ResultFolder::RemoveLeftovers(const fs::path& path)
{
    std::error_code error;
    const fs::path target = FollowLinks(path);
    const std::string prefix = GetPrefix(target);
    for (const auto& entry : fs::directory_iterator(target.parent_path(), error))
    {
        const std::string name = entry.path().filename().string();
        const std::string id = ExtractProcessId(name, prefix);
        if (!id.empty() && !IsAlive(id))
        {
            RemoveRun(entry.path());
        }
    }
}

void
ResultFolder::CheckWritable(const fs::path& target)
{
    const fs::path end = fs::absolute(FollowLinks(target)).lexically_normal();
    fs::path place = end;
    std::error_code error;
    while (!fs::exists(place, error) && place.has_relative_path())
    {
        place = place.parent_path();
    }
    if (!fs::is_directory(place, error))
    {
        FailToWrite(target, place.string() + " is not a folder");
    }
    // The hidden folder is made beside an existing target, so the parent must be writable too.
    const bool isTarget = place == end;
    for (const fs::path& folder : {place, isTarget ? place.parent_path() : place})
    {
        if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        {
            FailToWrite(target, folder.string() + ": " + std::strerror(errno));
        }
    }
}

} // namespace ns3::rdma
