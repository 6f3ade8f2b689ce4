// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_INPUT_TEXT_H
#define RDMA_INPUT_TEXT_H

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/// The longest text that is read into memory: a list of more than 4 million flows.
constexpr uint64_t MAX_INPUT_BYTES{256 * 1024 * 1024};

/**
 * Reads a text file, or a pipe that has a writer, to its end. A pipe without a writer counts as
 * empty, so that the call does not block.
 *
 * @param file its path
 * @param kind expected content, for the message
 * @param maxBytes a longer text is refused as soon as its length is known
 * @throws InputError if it cannot be read, is empty, too long, or contains a NUL byte
 */
std::string ReadInputText(const std::string& file,
                          const std::string& kind,
                          uint64_t maxBytes = MAX_INPUT_BYTES);

} // namespace ns3::rdma

#endif // RDMA_INPUT_TEXT_H
