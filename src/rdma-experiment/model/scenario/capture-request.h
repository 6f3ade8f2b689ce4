// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CAPTURE_REQUEST_H
#define RDMA_CAPTURE_REQUEST_H

#include "ns3/pcap-sniffer.h"
#include "ns3/topology-graph.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What the user requested of captures; lists are separated by commas, unset: all.
struct CaptureWords
{
    bool isWanted{false};
    std::optional<std::string> hosts;      ///< Node ids of servers.
    std::optional<std::string> queuePairs; ///< Numbers.
    std::optional<std::string> opcodes;    ///< Numbers, or names as "rc-send-only".
    bool hasPayload{true};
};

/// Which servers of a run are captured, and which of their frames.
struct CaptureRequest
{
    std::vector<uint32_t> servers; ///< Node ids, rising; empty: none.
    PcapFilter filter;
};

/// Servers that are captured unless some are named.
constexpr uint32_t MAX_CAPTURED_BY_DEFAULT{64};

/// Servers that can be captured, each with a file that is open all the time.
constexpr uint32_t MAX_CAPTURED{512};

/// @throws InputError for what is no server of the network, no queue pair, no opcode, or too many
/// servers.
CaptureRequest ResolveCapture(const CaptureWords& words, const TopologyGraph& graph);

/// @return an opcode's name as one word on a command line: "rc-send-only".
std::string GetOpcodeWord(uint8_t code);

} // namespace ns3::rdma

#endif // RDMA_CAPTURE_REQUEST_H
