// SPDX-License-Identifier: GPL-2.0-only

#include "python-command.h"

#include "ns3/input-error.h"

#include <algorithm>
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

struct PythonCommand
{
    const char* name;
    const char* help;
};

constexpr std::array COMMANDS{
    PythonCommand{"init", "Write a scenario to start from"},
    PythonCommand{"sweep", "Run the variants of a scenario on cores or on Slurm"},
    PythonCommand{"plot", "Draw the figures of a paper from results"},
    PythonCommand{"report", "Write one HTML page of results"},
    PythonCommand{"diff", "Compare two runs of the same flows, flow by flow"},
    PythonCommand{"compare", "Set the NICs of one scenario side by side, as table and plots"},
    PythonCommand{"figure", "Run an experiment of examples/ and draw its figure"},
    PythonCommand{"requirements", "Check what a radio telescope asks of its data transport"},
    PythonCommand{"validate", "Set what papers state beside the results of the figures"},
    PythonCommand{"completion", "Print what completes commands and options in bash or zsh"},
    PythonCommand{"man", "Print the manual page, for man -l"},
};

/// @return the folder that holds the package, above the program's. @throws InputError
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
    }
    throw InputError(
        program.string() +
        ": expected utils/rocelab, the Python package, in a folder above it, got none");
}

} // namespace

void
AddPythonCommands(CLI::App& app)
{
    for (const PythonCommand& command : COMMANDS)
    {
        app.add_subcommand(command.name, command.help)->prefix_command();
    }
}

bool
IsPythonCommand(std::string_view name)
{
    return std::any_of(COMMANDS.begin(), COMMANDS.end(), [name](const PythonCommand& command) {
        return name == command.name;
    });
}

void
ExecPythonCommand(int argc, char** argv)
{
    const fs::path program = fs::read_symlink("/proc/self/exe");
    std::string path = FindPackage(program).string();
    if (const char* const before = std::getenv("PYTHONPATH"); before && *before != '\0')
    {
        path += std::string(":") + before;
    }
    setenv("PYTHONPATH", path.c_str(), 1);
    setenv("PYTHONSAFEPATH", "1", 1); // Nothing is imported from the user's folder.
    const std::string build = program.parent_path().string();
    std::vector<const char*> words{PYTHON, "-m", "rocelab", argv[1], "--build", build.c_str()};
    words.insert(words.end(), argv + 2, argv + argc);
    words.push_back(nullptr);
    // execv() takes pointers to what it does not change.
    execv(PYTHON, const_cast<char* const*>(words.data()));
    throw InputError(std::string(PYTHON) +
                     ": expected Python 3 (Debian package python3), got: " + std::strerror(errno));
}

} // namespace ns3::rdma
