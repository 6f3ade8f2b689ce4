// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/input-error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

/// The one that Debian's Python packages are for.
constexpr const char* PYTHON{"/usr/bin/python3"};

/// Where Debian's packages have modules of Python, below /usr.
constexpr const char* DEBIAN_PACKAGES{"lib/python3/dist-packages"};

struct CommandLines
{
    const char* name;
    const char* help;
};

constexpr std::array COMMANDS{
    CommandLines{"init", "Write a scenario to start from"},
    CommandLines{"new", "Write a plug-in, its test and its scenario to start from"},
    CommandLines{"plugin", "Compile a C++ file into a plug-in"},
    CommandLines{"import", "Make a scenario of another simulator's workload"},
    CommandLines{"sweep", "Run the variants of a scenario on cores or on Slurm"},
    CommandLines{"plot", "Draw the figures of a paper from results"},
    CommandLines{"report", "Write one HTML page of results"},
    CommandLines{"diff", "Compare two runs of the same flows, flow by flow"},
    CommandLines{"compare", "Run a scenario and compare its NICs, as table and plots"},
    CommandLines{"benchmark", "Score NIC designs in fixed scenarios"},
    CommandLines{"figure", "Run an experiment of examples/ and draw its figure"},
    CommandLines{"validate", "Compare the numbers of papers with the results of the figures"},
    CommandLines{"reproduce", "Run all figures from one commit"},
    CommandLines{"scoreboard", "Print measured adapters, clusters and papers beside ours"},
    CommandLines{"facts", "Print results of papers beside ours, as a Markdown table"},
    CommandLines{"completion", "Print the completion script of bash or zsh"},
    CommandLines{"man", "Print the manual page, for man -l"},
};

/// @return the folder that holds the package: utils of a checkout, or the folder of installed
/// packages.
/// @throws InputError
fs::path
FindPackage(const fs::path& program)
{
    for (fs::path folder = program.parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
    {
        std::error_code ignored;
        if (fs::exists(folder / "utils" / "rocelab" / "__main__.py", ignored))
        {
            return folder / "utils";
        }
        for (const fs::path& packages : {folder, folder / DEBIAN_PACKAGES})
        {
            if (fs::exists(packages / "rocelab" / "__main__.py", ignored))
            {
                return packages;
            }
        }
    }
    throw InputError(
        program.string() +
        ": expected utils/rocelab, the Python package, in a folder above it (Debian package "
        "python3-rocelab), got none");
}

/**
 * Replaces this program by the Python package's, with the same command line and "--build" set to
 * this program's folder. The package is utils/rocelab of the folder in which this program was
 * built, or the installed package that contains this program.
 */
class PythonCommand : public Command
{
  public:
    using Command::Command;

    /// @throws InputError if the package or Python is missing
    int Run(const CommandContext& context) override;
};

int
PythonCommand::Run(const CommandContext& context)
{
    const fs::path program = fs::read_symlink("/proc/self/exe");
    std::string path = FindPackage(program).string();
    if (const char* const before = std::getenv("PYTHONPATH"); before && *before != '\0')
    {
        path += std::string(":") + before;
    }
    setenv("PYTHONPATH", path.c_str(), 1);
    setenv("PYTHONSAFEPATH", "1", 1);             // Nothing is imported from the user's folder.
    setenv("ROCELAB_CALLED", context.argv[0], 1); // For commands that it prints.
    const std::string build = program.parent_path().string();
    std::vector<const char*> words{PYTHON,
                                   "-m",
                                   "rocelab",
                                   context.argv[1],
                                   "--build",
                                   build.c_str()};
    words.insert(words.end(), context.argv + 2, context.argv + context.argc);
    words.push_back(nullptr);
    // execv() takes pointers to what it does not change.
    execv(PYTHON, const_cast<char* const*>(words.data()));
    throw InputError(std::string(PYTHON) +
                     ": expected Python 3 (Debian package python3), got: " + std::strerror(errno));
}

/// Registers all of them, in the order of the table and behind the engine's commands.
struct PythonCommands
{
    PythonCommands()
    {
        constexpr int FIRST_POSITION{1000};
        for (std::size_t i = 0; i < COMMANDS.size(); ++i)
        {
            RegisterCommand([i] {
                return std::make_unique<PythonCommand>(
                    CommandInfo{COMMANDS[i].name,
                                COMMANDS[i].help,
                                "",
                                FIRST_POSITION + static_cast<int>(i),
                                false});
            });
        }
    }
};

const PythonCommands REGISTERED;

} // namespace

} // namespace ns3::rdma
