// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_NCCL_TEST_REQUEST_H
#define RDMA_NCCL_TEST_REQUEST_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A program of nccl-tests.
struct NcclTest
{
    const char* name;
    const char* operation; ///< Of workload "collective".
    bool hasReduction;     ///< Otherwise column "redop" is "none".
    bool hasRoot;          ///< Otherwise column "root" is -1.
};

/// @param name as "all_reduce", "all_reduce_perf" or "./build/all_reduce_perf" @throws InputError
const NcclTest& FindNcclTest(const std::string& name);

/// What variables of NCCL's environment select; ApplyNcclVariables() finds what it means for a
/// test.
struct NcclSelection
{
    std::string algorithm; ///< "ring", "tree", or "auto" for both; empty: not set.
    std::string protocol;  ///< "simple", "ll", "ll128" or "auto"; empty: not set.
    std::optional<uint32_t> channels;
};

/// What the user set; unset: the default of rocelab nccl.
struct NcclTestRequest
{
    std::string begin{"32M"};
    std::string end{"32M"};
    std::string step; ///< Difference of two sizes; empty: a factor.
    std::optional<uint32_t> factor;
    std::optional<uint32_t> processes;
    std::optional<uint32_t> threads; ///< Of a process.
    std::optional<uint32_t> gpus;    ///< Of a thread.
    uint32_t iterations{1};
    uint32_t warmup{0};
    std::string datatype{"float"};
    std::string reduction{"sum"};
    uint32_t root{0};
    std::string algorithm; ///< Empty: that of a scenario without the key.
    std::string protocol;  ///< Likewise.
    std::optional<uint32_t> channels;
    std::optional<uint32_t> channelsPerPeer; ///< NCCL_NCHANNELS_PER_NET_PEER.
    std::optional<uint32_t> maxPeers;        ///< NCCL_P2P_MAX_PEERS.
    std::optional<uint32_t> chunk;           ///< NCCL_P2P_NET_CHUNKSIZE, bytes.
    std::optional<uint32_t> timeout;         ///< NCCL_IB_TIMEOUT.
    std::optional<uint32_t> retries;         ///< NCCL_IB_RETRY_CNT.
    std::optional<uint32_t> dscp;            ///< NCCL_IB_TC.
    std::optional<uint32_t> priority;        ///< NCCL_IB_SL.
    bool isAdaptive{false};                  ///< NCCL_IB_ADAPTIVE_ROUTING.
    NcclSelection selection;
    std::vector<std::string> notes; ///< Values without an effect, a line each.
};

/// @return the ranks: processes x threads x GPUs, where one that is not set is 1; 8 if none is set.
uint64_t CountRanks(const NcclTestRequest& request);

/// Sizes that a test measures, and what is left out.
struct NcclSizes
{
    std::vector<uint64_t> bytes; ///< Rising, not empty.
    bool isCut{false};           ///< Sizes beyond 2 GiB are left out.
};

/// @throws InputError naming the option that is at fault
NcclSizes ListNcclSizes(const NcclTestRequest& request);

/// @return bytes of an element of a type of NCCL. @throws InputError
uint32_t GetNcclTypeBytes(const std::string& datatype);

} // namespace ns3::rdma

#endif // RDMA_NCCL_TEST_REQUEST_H
