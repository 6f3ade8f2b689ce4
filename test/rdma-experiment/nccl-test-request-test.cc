// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-test-request.h"

#include "ns3/input-error.h"
#include "ns3/nccl-option-table.h"
#include "ns3/nccl-test-report.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::rdma;

namespace
{

/// A request after variables of the environment.
NcclTestRequest
Select(const char* test, const std::vector<std::string>& variables)
{
    NcclTestRequest request;
    std::vector<UnusedOption> unused;
    for (const std::string& variable : variables)
    {
        ReadNcclVariable(variable, request, unused);
    }
    ApplyNcclVariables(FindNcclTest(test), request);
    return request;
}

struct SelectionCase
{
    const char* test;
    const char* variable;
    const char* algorithm;
    const char* protocol;
    std::size_t notes;
};

const SelectionCase SELECTION_CASES[] = {
    {"all_reduce", "NCCL_ALGO=Ring", "ring", "", 0},
    {"all_reduce", "NCCL_ALGO=tree", "double-tree", "", 0},
    {"all_reduce", "NCCL_ALGO=Ring,Tree", "auto", "", 0},
    {"all_reduce", "NCCL_ALGO=^Tree", "ring", "", 0},
    {"all_reduce", "NCCL_ALGO=NVLS", "auto", "", 1},
    {"all_gather", "NCCL_ALGO=Ring", "ring", "", 0},
    {"all_gather", "NCCL_ALGO=Tree", "", "", 1},
    {"broadcast", "NCCL_ALGO=Ring", "", "", 0}, // Its ring is the chain, the only one.
    {"alltoall", "NCCL_ALGO=Ring", "", "", 1},
    {"all_reduce", "NCCL_PROTO=Simple", "", "simple", 0},
    {"all_reduce", "NCCL_PROTO=^LL,LL128", "", "simple", 0},
    {"all_reduce", "NCCL_PROTO=LL,LL128,Simple", "", "auto", 0},
    {"all_reduce", "NCCL_PROTO=LL,Simple", "", "auto", 1},
    {"sendrecv", "NCCL_PROTO=LL", "", "", 1},
    {"alltoall", "NCCL_MAX_NCHANNELS=4", "", "", 1},
    {"sendrecv", "NCCL_MAX_NCHANNELS=4", "", "", 1},
    {"sendrecv", "NCCL_NCHANNELS_PER_NET_PEER=4", "", "", 0},
    {"all_reduce", "NCCL_NCHANNELS_PER_NET_PEER=4", "", "", 1},
    {"all_reduce", "NCCL_DEBUG=INFO", "", "", 0},
};

} // namespace

TEST(NcclTestRequest, KnowsProgramsByTheirFiles)
{
    EXPECT_STREQ(FindNcclTest("all_reduce").operation, "all-reduce");
    EXPECT_STREQ(FindNcclTest("./build/alltoall_perf").operation, "all-to-all");
    EXPECT_THROW(FindNcclTest("hypercube_perf"), InputError);
}

TEST(NcclTestRequest, CountsRanksOfProcessesThreadsAndGpus)
{
    NcclTestRequest request;
    EXPECT_EQ(CountRanks(request), 8);
    request.processes = 64; // mpirun -np 64 ... -g 1
    EXPECT_EQ(CountRanks(request), 64);
    request.threads = 2;
    request.gpus = 4;
    EXPECT_EQ(CountRanks(request), 512);
}

TEST(NcclTestRequest, ListsSizesByAFactorOrADifference)
{
    NcclTestRequest request;
    request.begin = "8";
    request.end = "1K";
    request.factor = 4;
    EXPECT_EQ(ListNcclSizes(request).bytes, (std::vector<uint64_t>{8, 32, 128, 512}));
    request.factor.reset();
    request.step = "500";
    EXPECT_EQ(ListNcclSizes(request).bytes, (std::vector<uint64_t>{8, 508, 1008}));
    request.begin = "1G";
    request.end = "8G";
    request.step = "";
    EXPECT_EQ(ListNcclSizes(request).bytes, (std::vector<uint64_t>{1 << 30, 1ULL << 31}));
    EXPECT_TRUE(ListNcclSizes(request).isCut);
    request.begin = "4G";
    EXPECT_THROW(ListNcclSizes(request), InputError);
}

TEST(NcclTestRequest, TakesWhatVariablesSelect)
{
    for (const SelectionCase& test : SELECTION_CASES)
    {
        SCOPED_TRACE(std::string(test.test) + " " + test.variable);
        const NcclTestRequest request = Select(test.test, {test.variable});
        EXPECT_EQ(request.algorithm, test.algorithm);
        EXPECT_EQ(request.protocol, test.protocol);
        EXPECT_EQ(request.notes.size(), test.notes);
    }
}

TEST(NcclTestRequest, TakesTheSmallerBoundOfChannels)
{
    const NcclTestRequest request =
        Select("all_gather",
               {"NCCL_MIN_NCHANNELS=8", "NCCL_MAX_NCHANNELS=4", "NCCL_IB_TIMEOUT=22"});
    EXPECT_EQ(request.channels, 4);
    EXPECT_EQ(request.timeout, 22);
    EXPECT_FALSE(request.retries);
    EXPECT_THROW(Select("all_gather", {"NCCL_IB_TIMEOUT=32"}), InputError);
    EXPECT_THROW(Select("all_gather", {"NCCL_IB_RETRY_CNT=8"}), InputError);
    EXPECT_THROW(Select("all_gather", {"NCCL_ALGO"}), InputError);
}

TEST(NcclTestReport, WritesWhatIsMeasuredBeforeTheTable)
{
    NcclTestRequest request;
    request.warmup = 5;
    request.iterations = 20;
    std::ostringstream text;
    NcclTestReport report(FindNcclTest("all_reduce_perf"), request, false);
    report.WriteSetting(text, {8, 1024, 16, "srnic", "off", "star of 16 servers"});
    request.step = "1M";
    report.WriteSetting(text, {8, 1024, 16, "srnic", "off", "star of 16 servers"});
    EXPECT_EQ(text.str(),
              "# Collective test starting: all_reduce_perf\n"
              "# minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20\n"
              "#\n"
              "# Ranks: 16, one per server, NIC srnic, hardware off\n"
              "# Fabric: star of 16 servers\n"
              "#\n"
              "# Collective test starting: all_reduce_perf\n"
              "# minBytes 8 maxBytes 1024 step: 1M(bytes) warmup iters: 5 iters: 20\n"
              "#\n"
              "# Ranks: 16, one per server, NIC srnic, hardware off\n"
              "# Fabric: star of 16 servers\n"
              "#\n");
}

TEST(NcclTestReport, WritesTheColumnsOfNcclTests)
{
    NcclTestRequest request;
    request.datatype = "half";
    std::ostringstream text;
    NcclTestReport report(FindNcclTest("reduce"), request, false);
    report.WriteHead(text);
    report.WriteLine(text, {1 << 20, 100, 1, "", ""});
    report.WriteLine(text, {1 << 30, 123456.78, 1, "", ""});
    report.WriteFoot(text);
    // 2^20 bytes in 100 us and 2^30 in 123,457 us; the mean of 10.48576 and 8.69731 GB/s.
    EXPECT_EQ(text.str(),
              "#                                                              out-of-place        "
              "               in-place          \n"
              "#       size         count      type   redop    root     time   algbw   busbw  "
              "#wrong     time   algbw   busbw  #wrong \n"
              "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)  "
              "           (us)  (GB/s)  (GB/s)         \n"
              "     1048576        524288      half     sum       0   100.00   10.49   10.49     "
              "N/A   100.00   10.49   10.49     N/A\n"
              "  1073741824     536870912      half     sum       0   123457    8.70    8.70     "
              "N/A   123457    8.70    8.70     N/A\n"
              "# Avg bus bandwidth    : 9.59153 \n#\n");
}
