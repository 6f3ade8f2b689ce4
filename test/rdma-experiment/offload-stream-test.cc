// SPDX-License-Identifier: GPL-2.0-only
#include "offload-task-run.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
OffloadResult
RunStream(const std::string& task,
          const std::string& method,
          std::vector<std::string> keys,
          const std::vector<std::string>& settings = {},
          double lossRate = 0,
          const std::string& nic = "")
{
    keys.push_back("loss=" + std::to_string(lossRate));
    keys.push_back("nic=" + (!nic.empty() ? nic : task == "shuffle" ? "strom10g" : "strom100g"));
    return RunTask({task, method, keys, settings});
}

double
GetGbps(const OffloadResult& result, const char* name)
{
    return result.rows.GetNumber(name);
}

using Statuses = std::map<std::string, uint64_t>;
} // namespace

// Each run compares all values at the server with those of plain C++, and throws if one differs.

TEST(OffloadShuffle, TheKernelTakesLittleMoreThanAPlainWriteAndSoftwareMore)
{
    const std::vector<std::string> size{"size=1048576"};
    const Tick kernel = RunStream("shuffle", "kernel", size).duration;
    const Tick write = RunStream("shuffle", "write", size).duration;
    const Tick cpu = RunStream("shuffle", "cpu", size).duration;
    // Parameters, the buffers at the end and the answer: a fixed time beside 0.9 ms.
    EXPECT_LT(kernel, write + 50'000'000);
    // A WRITE of 128 bytes takes 128 + 98 on the wire, and so 1.6 times as long as one of a
    // full packet's 1408 + 82.
    EXPECT_GT(static_cast<double>(cpu), 1.3 * static_cast<double>(write));
}

TEST(OffloadShuffle, WritesABufferOf128BytesFor16Values)
{
    // 2^16 values in 4 partitions, the last of which are cut: at most 3 more than 4096.
    const OffloadResult kernel = RunStream("shuffle", "kernel", {"size=524288", "bits=2"});
    const uint64_t writes = kernel.kernels.commands[1];
    EXPECT_GE(writes, 4096);
    EXPECT_LE(writes, 4096 + 3);
    const OffloadResult cpu = RunStream("shuffle", "cpu", {"size=524288", "bits=2"});
    EXPECT_EQ(cpu.rows.Get("writes"), writes);
    // 524288 bytes at 1 GB/s.
    EXPECT_NEAR(GetGbps(cpu, "partition_us"), 524.288, 0.001);
}

TEST(OffloadShuffle, At100GThePartitionsTakeMoreOfPcieThanThereIs)
{
    constexpr double BITS{8 * (4 << 20)};
    const auto measure = [](const char* method, const std::vector<std::string>& settings) {
        const Tick duration =
            RunStream("shuffle", method, {"size=4194304"}, settings, 0, "strom100g").duration;
        return BITS * 1e3 / static_cast<double>(duration); // Gb/s.
    };
    // Eight values per cycle of 322 MHz are 165 Gb/s.  A write of 128 bytes takes 3 beats of 4 ns
    // on the way to PCIe, 85.3 Gb/s; one of 256 bytes takes 5, 102 Gb/s, more than the link's 94.5.
    const std::string fast = "ns3::rdma::ShuffleKernel::ValuesPerCycle=8";
    EXPECT_LT(measure("kernel", {fast}), 85.3);
    EXPECT_GT(measure("kernel", {fast}), 75);
    EXPECT_GT(measure("write", {}), 90);
    // Without the bus the partitions keep up.
    EXPECT_GT(measure("kernel", {fast, "ns3::rdma::PcieLink::BeatBytes=0"}), 87);
}

TEST(OffloadShuffle, SkewAndOverflowAndLossEndRight)
{
    EXPECT_EQ(RunStream("shuffle", "kernel", {"size=80000", "hot-share=0.9"}).statuses,
              (Statuses{{"OK", 1}}));
    EXPECT_EQ(RunStream("shuffle", "cpu", {"size=80000", "hot-share=0.9"}).statuses,
              (Statuses{{"OK", 1}}));
    EXPECT_EQ(RunStream("shuffle", "kernel", {"size=80000", "bits=3", "short=true"}).statuses,
              (Statuses{{"NO_ROOM", 1}}));
    for (const std::string method : {"kernel", "write", "cpu"})
    {
        EXPECT_EQ(RunStream("shuffle", method, {"size=400000"}, {}, 0.01).statuses,
                  (Statuses{{"OK", 1}}));
    }
}

TEST(OffloadShuffle, TheSendersNicPartitionsAmongQueuePairs)
{
    const std::vector<std::string> size{"size=1048576"};
    const Tick write = RunStream("shuffle", "write", size).duration;
    for (const char* count : {"queue-pairs=1", "queue-pairs=7"})
    {
        const OffloadResult sent = RunStream("shuffle", "send", {"size=1048576", "bits=3", count});
        EXPECT_EQ(sent.statuses, (Statuses{{"OK", 1}}));
        // A value per cycle is the rate of the link: as long as a plain WRITE, with the reads of
        // the table and of the first values, and with a RETH in each packet: 98 bytes for 82.
        EXPECT_GT(sent.duration, write);
        EXPECT_LT(static_cast<double>(sent.duration),
                  static_cast<double>(write) * (1408 + 98) / (1408 + 82) + 50e6);
    }
    // 1024 partitions of 128 values: a WRITE of 1 KiB each.
    EXPECT_EQ(RunStream("shuffle", "send", size).statuses, (Statuses{{"OK", 1}}));
    EXPECT_EQ(RunStream("shuffle", "send", {"size=80000", "bits=3", "short=true"}).statuses,
              (Statuses{{"NO_ROOM", 1}}));
    EXPECT_EQ(RunStream("shuffle", "send", {"size=400000", "bits=4"}, {}, 0.01).statuses,
              (Statuses{{"OK", 1}}));
}

TEST(OffloadHyperLogLog, TheKernelCostsAWriteNothing)
{
    for (const std::string size : {"size=64", "size=4096"})
    {
        const OffloadResult kernel = RunStream("hyperloglog", "kernel", {size, "messages=100"});
        const OffloadResult write = RunStream("hyperloglog", "write", {size, "messages=100"});
        EXPECT_EQ(GetGbps(kernel, "write_gbps"), GetGbps(write, "write_gbps"));
        EXPECT_EQ(kernel.statuses, (Statuses{{"OK", 1}}));
    }
}

TEST(OffloadHyperLogLog, AKernelThatIsSlowerThanTheLineHoldsItUp)
{
    // 8 bytes per cycle of 322 MHz are 20.6 Gb/s; what finds the queue full is sent again.
    const OffloadResult slow =
        RunStream("hyperloglog", "kernel", {"size=65536"}, {"ns3::rdma::KernelHost::BusBytes=8"});
    EXPECT_LT(GetGbps(slow, "write_gbps"), 40);
    EXPECT_EQ(slow.statuses, (Statuses{{"OK", 1}}));
}

TEST(OffloadHyperLogLog, ThreadsShareTheWork)
{
    // 32 messages of 64 KiB: 8 for each of 4 threads at 3.125 Gb/s, which begin when the first are
    // there.
    const OffloadResult four =
        RunStream("hyperloglog", "cpu", {"size=65536", "messages=32", "threads=4"});
    EXPECT_NEAR(GetGbps(four, "sketch_gbps"), 4 * 3.125, 0.5);
    EXPECT_LT(GetGbps(four, "sketch_gbps"), 4 * 3.125);
    const OffloadResult fast = RunStream("hyperloglog",
                                         "cpu",
                                         {"size=65536", "messages=32", "threads=4"},
                                         {"ns3::rdma::SoftwareCosts::SketchRate=6250Mbps"});
    EXPECT_NEAR(GetGbps(fast, "sketch_gbps"), 4 * 6.25, 1.5);
}
