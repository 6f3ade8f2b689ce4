// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_UNKNOWN_WORD_H
#define RDMA_UNKNOWN_WORD_H

#include <CLI/CLI.hpp>
#include <string>

namespace ns3::rdma
{

/**
 * Looks for the first word of a command line that is neither a command nor an option that the
 * command has.
 *
 * @param app whose commands are defined
 * @return what was expected and what stood there; empty if each word is known
 */
std::string DescribeUnknownWord(const CLI::App& app, int argc, const char* const* argv);

} // namespace ns3::rdma

#endif // RDMA_UNKNOWN_WORD_H
