// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOOL_OPTION_H
#define RDMA_TOOL_OPTION_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What follows an option on the command line.
enum class ToolArgument : uint8_t
{
    NONE,
    NUMBER, ///< A whole number.
    TEXT,
};

/// What an option of another tool changes in a simulation.
enum class ToolOptionUse : uint8_t
{
    EFFECTIVE,
    REAL_MACHINE, ///< It selects or sets up a real machine: nothing to simulate.
    NOT_MODELLED, ///< The test runs without it.
};

/**
 * @brief An option of a tool whose command line RoceLab takes.
 * @tparam Request what the command line asks for
 */
template <typename Request>
struct ToolOption
{
    const char* name; ///< Long, without dashes.
    char letter;      ///< 0: none.
    ToolArgument argument;
    ToolOptionUse use;
    /// Help; of an option that is not modelled, how the test runs without it.
    const char* text;
    /// Puts the option into a request. Null: it is not effective. @throws InputError
    void (*apply)(Request& request, const std::string& value){nullptr};
    const char* alias{nullptr}; ///< A second long name.

    /// @return as it is usually written: "-d", "--cpu_util".
    std::string GetShortName() const
    {
        return letter != 0 ? std::string{'-', letter} : std::string("--") + name;
    }

    /// @return "-l,--post_list,--post-list".
    std::string ListNames() const
    {
        const std::string names =
            (letter != 0 ? GetShortName() + "," : "") + std::string("--") + name;
        return alias ? names + ",--" + alias : names;
    }
};

/// What a command line has, without an effect.
struct UnusedOption
{
    std::string name; ///< As it is usually written.
    ToolOptionUse use{ToolOptionUse::REAL_MACHINE};
    std::string text{}; ///< How the test runs without it.
};

/// @return one line for all those of a real machine, if there are any, and one for each other.
std::vector<std::string> DescribeUnused(const std::vector<UnusedOption>& given);

} // namespace ns3::rdma

#endif // RDMA_TOOL_OPTION_H
