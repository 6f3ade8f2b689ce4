// SPDX-License-Identifier: GPL-2.0-only
#ifndef ROCELAB_CLI_FIXTURE_H
#define ROCELAB_CLI_FIXTURE_H

#include "scenario-fixture.h"

#include "ns3/exit-status.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::rdma
{

/// The program: named by ROCELAB_BINARY, else beside the test program.
inline std::filesystem::path
FindProgram()
{
    const char* named = std::getenv("ROCELAB_BINARY");
    return named ? std::filesystem::path(named)
                 : std::filesystem::read_symlink("/proc/self/exe").parent_path() / "rocelab";
}

/// How a run of the program ended.
struct Ending
{
    int status;
    std::string output;
    std::string error;
};

/// Runs the program in a folder of its own.
class RocelabCli : public FolderTest
{
  protected:
    void SetUp() override
    {
        FolderTest::SetUp();
        if (!std::filesystem::exists(FindProgram()))
        {
            GTEST_SKIP() << "no program at " << FindProgram() << " (set ROCELAB_BINARY)";
        }
    }

    /// Starts the program in the folder of the test. @return its process id
    /// @param output where its lines go: a file, "stdout" of the folder if empty
    /// @param descriptor its lines go here instead, if it is one
    pid_t Start(std::vector<std::string> arguments,
                std::string output = "",
                int descriptor = -1) const
    {
        const std::string program = FindProgram().string();
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (std::string& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        argv.push_back(nullptr);
        output = output.empty() ? (m_folder / "stdout").string() : output;
        const std::string error = (m_folder / "stderr").string();
        const pid_t id = fork();
        if (id == 0)
        {
            std::signal(SIGINT, SIG_DFL); // A shell's background jobs ignore it.
            const int opened = open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
            dup2(descriptor >= 0 ? descriptor : opened, STDOUT_FILENO);
            dup2(open(error.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600), STDERR_FILENO);
            if (chdir(m_folder.c_str()) == 0)
            {
                execv(argv[0], argv.data());
            }
            _exit(127);
        }
        return id;
    }

    Ending Wait(pid_t id) const
    {
        int status = 0;
        waitpid(id, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                ReadText(m_folder / "stdout"),
                ReadText(m_folder / "stderr")};
    }

    /// Until records of flows are on the disk; how long that takes depends on the machine.
    void WaitForFlows() const
    {
        constexpr int MAX_POLLS{30'000};
        const auto hasFlows = [this] {
            std::error_code ignored; // Files are renamed meanwhile.
            std::filesystem::recursive_directory_iterator files(m_folder / "results", ignored);
            return std::any_of(begin(files), end(files), [](const auto& file) {
                std::error_code gone;
                return file.path().filename() == "flows.csv" && file.file_size(gone) > 0;
            });
        };
        for (int poll = 0; poll < MAX_POLLS && !hasFlows(); ++poll)
        {
            usleep(20'000);
        }
    }

    /// Until a process has worked for longer than its start takes, however busy the machine is.
    static void WaitForProcessorTime(pid_t id)
    {
        constexpr timespec ENOUGH{0, 300'000'000};
        clockid_t clock{};
        timespec used{};
        while (clock_getcpuclockid(id, &clock) == 0 && clock_gettime(clock, &used) == 0 &&
               used.tv_sec == 0 && used.tv_nsec < ENOUGH.tv_nsec)
        {
            usleep(20'000);
        }
    }

    Ending Run(const std::vector<std::string>& arguments) const
    {
        return Wait(Start(arguments));
    }

    /// One line on stderr, nothing on stdout, status 2, no results.
    void ExpectBadInput(const std::vector<std::string>& arguments, const std::string& message) const
    {
        const Ending ending = Run(arguments);
        EXPECT_EQ(ending.status, EXIT_BAD_INPUT) << message;
        EXPECT_EQ(ending.output, "");
        EXPECT_EQ(std::count(ending.error.begin(), ending.error.end(), '\n'), 1) << ending.error;
        EXPECT_EQ(ending.error.rfind("rocelab: " + message, 0), 0U) << ending.error;
        EXPECT_FALSE(std::filesystem::exists(m_folder / "results"));
    }
};

} // namespace ns3::rdma

#endif // ROCELAB_CLI_FIXTURE_H
