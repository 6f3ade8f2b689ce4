// SPDX-License-Identifier: GPL-2.0-only
#include "../expect-error.h"
#include "offload-task-run.h"

#include "ns3/input-error.h"
#include "ns3/kernel-tcp.h"
#include "ns3/software-costs.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick NS{1000};
constexpr double CYCLE{6400}; ///< Of strom10g: blocks of the NICs begin at edges of their clocks.

TaskRequest
MakeRequest(const std::string& task,
            const std::string& method,
            std::vector<std::string> keys = {},
            uint64_t calls = 4)
{
    keys.push_back("calls=" + std::to_string(calls));
    return {task, method, keys};
}

/// @return how long the last call took: the first one misses caches of the NIC.
Tick
RunLast(const std::string& task,
        const std::string& method,
        const std::vector<std::string>& options = {})
{
    return RunTask(MakeRequest(task, method, options)).latencies.back();
}

/// @return how long the search for an absent key takes in a list of so many elements.
Tick
RunAbsent(const std::string& method, uint32_t length)
{
    return RunLast("traversal", method, {"fault=absent", "length=" + std::to_string(length)});
}

Tick
GetOneWay(uint64_t bytes)
{
    KernelTcpLoad load;
    load.messageBytes = bytes;
    load.rate = DataRate("10Gbps");
    load.delay = NanoSeconds(10);
    Tick sum = 0;
    for (const KernelTcpStep& step : CreateObject<KernelTcp>()->MeasureLatency(load))
    {
        sum += step.duration;
    }
    return sum;
}
} // namespace

TEST(OffloadRun, AnElementByReadIsARoundTripAndALoadMore)
{
    const Tick one = RunAbsent("read", 1);
    const Tick two = RunAbsent("read", 2);
    // An unchecked object of 64 bytes is the same READ without the core's load of 80 ns.
    const Tick roundTrip = RunLast("consistency", "read", {"size=64"});
    EXPECT_NEAR(one, roundTrip + 80 * NS, 2 * CYCLE);
    EXPECT_NEAR(two, 2 * one, 2 * CYCLE);
    EXPECT_NEAR(RunAbsent("read", 8), 8 * one, 8 * CYCLE);
}

TEST(OffloadRun, AnElementByKernelIsAPcieReadMore)
{
    // 1500 ns of PCIe, 10 to 11 cycles of the kernel and 2 to 3 of the TLB of 6.4 ns, and about
    // 64 + 26 bytes of completion and 26 of request at 7.88 GB/s: 1500 + 77 to 90 + 15.
    const Tick element = (RunAbsent("kernel", 9) - RunAbsent("kernel", 1)) / 8;
    EXPECT_GT(element, 1585 * NS);
    EXPECT_LT(element, 1610 * NS);
}

TEST(OffloadRun, TheLatencyOfPcieIsWhatTheNicSays)
{
    TaskRequest request = MakeRequest("traversal", "kernel", {"fault=absent", "length=9"});
    const Tick usual = RunTask(request).latencies.back();
    request.settings = {"ns3::rdma::PcieLink::ReadLatency=1000ns"};
    const Tick faster = RunTask(request).latencies.back();
    // 9 reads; the parameters come with the command.  Clock edges move each by less than a cycle.
    EXPECT_NEAR(static_cast<double>(usual - faster), 9 * 500.0 * NS, 10 * 6.4 * NS);
}

TEST(OffloadRun, ACallOverTcpIsTwoMessagesAndTheWorkBetween)
{
    // The call has 44 + 16 bytes, the answer NOT_FOUND 28 + 8; the library takes 1 us, each of 5
    // elements 80 ns.
    EXPECT_EQ(RunAbsent("tcp", 5), GetOneWay(60) + GetOneWay(36) + 1000 * NS + 5 * 80 * NS);
}

TEST(OffloadRun, AnArrayOverTcpTakesFourBytesAndTenNanosecondsPerItem)
{
    const auto getCall = [](const char* item) {
        TaskRequest request = MakeRequest("get", "tcp", {"entries=1", "value-size=100"}, 1);
        request.settings = {std::string("ns3::rdma::SoftwareCosts::XdrItemBytes=") + item};
        return RunTask(request).latencies.back();
    };
    // The reply has 28 + 8 bytes before the value, status and length, which no item grows.
    // Opaque: 100 bytes.  int: 25 items, 100 bytes.  short: 50 items, 200 bytes.  char: 100 items,
    // 400 bytes.
    const Tick opaque = getCall("0");
    const Tick one = GetOneWay(36 + 100);
    EXPECT_EQ(getCall("4") - opaque, 25 * 10 * NS);
    EXPECT_EQ(getCall("2") - opaque, GetOneWay(36 + 200) - one + 50 * 10 * NS);
    EXPECT_EQ(getCall("1") - opaque, GetOneWay(36 + 400) - one + 100 * 10 * NS);
}

TEST(OffloadRun, ASettingOfKernelTcpChangesNothingElse)
{
    TaskRequest request = MakeRequest("traversal", "tcp", {"fault=absent", "length=1"});
    const Tick usual = RunTask(request).latencies.back();
    request.settings = {"ns3::rdma::KernelTcp::Moderation=7us"};
    // One of the two messages' 8 us less, each.
    EXPECT_EQ(RunTask(request).latencies.back(), usual - 2 * 1000 * NS);
}

TEST(OffloadRun, AGetByKernelSavesARoundTrip)
{
    const auto getLast = [](const std::string& method) {
        TaskRequest request = MakeRequest("get", method, {"value-size=64"});
        // No translation that misses: values of different calls lie in different pages.
        request.settings = {"ns3::rdma::TranslationCache::CacheEntries=0"};
        return RunTask(request).latencies.back();
    };
    const Tick read = getLast("read");
    EXPECT_NEAR(read, 2 * RunAbsent("read", 1), 2 * CYCLE);
    // Both read twice over PCIe; a READ of 64 bytes without its PCIe read is what is saved, but
    // for what the kernel itself takes, and for its longer packets: 32 bytes of parameters and a
    // word of 8, five words of 8 bytes, pass wire, two FIFOs and two ICRC units of two cycles in
    // 5 * 7 cycles, 224 ns.
    const Tick network = RunLast("consistency", "read", {"size=64"}) - 1500 * NS;
    EXPECT_GT(read - getLast("kernel"), network - (224 + 200) * NS);
    EXPECT_LT(read - getLast("kernel"), network + 200 * NS);
}

TEST(OffloadRun, BothKernelsGetTheSameValues)
{
    for (const std::string kernel : {"traversal", "get"})
    {
        const OffloadResult result =
            RunTask(MakeRequest("get", "kernel", {"kernel=" + kernel, "value-size=700"}, 20));
        EXPECT_EQ(result.statuses, (std::map<std::string, uint64_t>{{"OK", 20}}));
        EXPECT_EQ(result.bytes, 20 * 700);
        EXPECT_EQ(result.kernels.commands[0], 40); // Entry and value of each.
    }
}

TEST(OffloadRun, ShuffledValuesAreInMemoryWhenTheAnswerComes)
{
    // Partitions of some ten values: the last buffers leave all at once and queue on PCIe.
    const OffloadResult result = RunTask(MakeRequest("shuffle", "kernel", {"size=80000"}, 3));
    EXPECT_EQ(result.statuses, (std::map<std::string, uint64_t>{{"OK", 3}}));
}

TEST(OffloadRun, TheChecksumInSoftwareTakesItsBytes)
{
    const Tick plain = RunLast("consistency", "read", {"size=4096"});
    const Tick checked = RunLast("consistency", "cpu", {"size=4096"});
    // 80 ns for the first load, (4096 - 8) bytes at 4.784 Gb/s: 6836.1 ns.
    EXPECT_NEAR(checked - plain, (80 + 4088 * 8 / 4.784) * NS, CYCLE);
    EXPECT_NEAR(CreateObject<SoftwareCosts>()->GetCrc(4088), (80 + 4088 * 8 / 4.784) * NS, 2);
}

TEST(OffloadRun, ATornObjectCostsTheClientAnotherReadAndCheck)
{
    const std::vector<std::string> torn{"size=512", "failure-rate=1"};
    EXPECT_EQ(RunLast("consistency", "cpu", torn), 2 * RunLast("consistency", "cpu", {"size=512"}));
}

TEST(OffloadRun, ATornObjectCostsTheKernelAPcieRead)
{
    const Tick whole = RunLast("consistency", "kernel", {"size=64"});
    const Tick torn = RunLast("consistency", "kernel", {"size=64", "failure-rate=1"});
    // As an element of a list: 10 cycles of the kernel, the TLB and PCIe.
    EXPECT_GT(torn - whole, 1585 * NS);
    EXPECT_LT(torn - whole, 1610 * NS);
}

TEST(OffloadRun, FailuresComeAtTheirRate)
{
    const OffloadResult result =
        RunTask(MakeRequest("consistency", "kernel", {"failure-rate=0.25"}, 400));
    const double repeated = result.rows.GetNumber("repeated_reads");
    EXPECT_NEAR(repeated, 100, 35); // 4 standard deviations of 400 draws at 0.25.
    EXPECT_EQ(result.statuses.at("OK"), 400);
}

TEST(OffloadRun, AnObjectThatStaysTornEndsWithAStatus)
{
    for (const std::string method : {"kernel", "cpu"})
    {
        TaskRequest request = MakeRequest("consistency", method, {"failure-rate=1", "tears=5"}, 3);
        EXPECT_EQ(RunTask(request).statuses.at("OK"), 3);
        request.settings = {"ns3::rdma::ConsistencyKernel::MaxReads=5"};
        EXPECT_EQ(RunTask(request).statuses.at("TOO_MANY_STEPS"), 3);
    }
}

TEST(OffloadRun, FaultsEndWithAStatus)
{
    const struct
    {
        const char* task;
        const char* fault;
        const char* kernel;
        const char* read;
        const char* tcp;
    } CASES[]{
        {"traversal", "absent", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"},
        {"traversal", "null-value", "FAULT", "FAULT", "FAULT"},
        {"traversal", "wild", "FAULT", "REM_ACCESS_ERR", "FAULT"},
        {"traversal", "circle", "TOO_MANY_STEPS", "TOO_MANY_STEPS", "TOO_MANY_STEPS"},
        {"get", "absent", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"},
        {"get", "null-value", "FAULT", "FAULT", "FAULT"},
        {"get", "wild-value", "FAULT", "REM_ACCESS_ERR", "FAULT"},
    };

    for (const auto& one : CASES)
    {
        for (const auto& [method, status] :
             std::map<std::string, std::string>{{"kernel", one.kernel},
                                                {"read", one.read},
                                                {"tcp", one.tcp}})
        {
            TaskRequest request =
                MakeRequest(one.task, method, {std::string("fault=") + one.fault}, 3);
            if (one.task == std::string("traversal"))
            {
                request.settings = {"ns3::rdma::TraversalKernel::MaxElements=50"};
            }
            const OffloadResult result = RunTask(request);
            EXPECT_EQ(result.statuses, (std::map<std::string, uint64_t>{{status, 3}}))
                << one.task << ' ' << one.fault << ' ' << method;
            // A READ that is refused stops the queue pair; the next call needs another one.
            EXPECT_EQ(result.reconnections, status == "REM_ACCESS_ERR" ? 2U : 0U);
        }
    }
}

TEST(OffloadRun, LostPacketsChangeNoAnswer)
{
    for (const auto& [task, method] :
         std::vector<std::pair<std::string, std::string>>{{"traversal", "kernel"},
                                                          {"traversal", "read"},
                                                          {"get", "kernel"},
                                                          {"consistency", "kernel"},
                                                          {"consistency", "cpu"}})
    {
        TaskRequest request = MakeRequest(task, method, {}, 200);
        request.keys.emplace_back("loss=0.02");
        const OffloadResult result = RunTask(request);
        EXPECT_EQ(result.statuses.at("OK"), 200) << task << ' ' << method;
        EXPECT_GT(result.latency.max, 500) << "no retransmission in 400 packets at 2 %";
    }
}

TEST(OffloadRun, TheSeedDecidesWhatIsAsked)
{
    TaskRequest request = MakeRequest("traversal", "kernel", {}, 20);
    const std::vector<Tick> first = RunTask(request).latencies;
    EXPECT_EQ(RunTask(request).latencies, first);
    request.keys.emplace_back("seed=2");
    EXPECT_NE(RunTask(request).latencies, first);
}

TEST(OffloadRun, RefusesWhatATaskDoesNotKnow)
{
    const struct
    {
        TaskRequest request;
        const char* text;
    } CASES[]{
        {MakeRequest("traverse", ""), "expected a measurement (nearest: offload-traversal)"},
        {MakeRequest("traversal", "cpu"), "method: expected one of kernel, read or tcp"},
        {MakeRequest("traversal", "", {"lengths=3"}),
         "measure: offload-traversal.lengths: expected a known key (nearest: length)"},
        {MakeRequest("traversal", "", {"nic=strom10"}), "expected a NIC preset (nearest: strom10g"},
        {MakeRequest("traversal", "", {"length=0"}), "offload-traversal.length: expected"},
        {MakeRequest("traversal", "", {"fault=broken"}), "offload-traversal.fault: expected"},
        {MakeRequest("traversal", "", {"value-size=128KiB"}), "value-size: expected at most 64KiB"},
        {MakeRequest("get", "", {"entries=65536", "value-size=65536"}), "1 GiB at most"},
        {MakeRequest("get", "read", {"kernel=get"}), "kernel: expected method=kernel beside it"},
        {MakeRequest("consistency", "", {"size=8"}), "offload-consistency.size: expected"},
        {MakeRequest("consistency", "", {"failure-rate=1.5"}), "a number from 0 to 1"},
        {MakeRequest("consistency", "read", {"failure-rate=0.5"}), "which checks nothing"},
        {MakeRequest("hyperloglog", "", {"threads=2"}), "threads: expected method=cpu beside it"},
        {MakeRequest("inspection", "write", {"verdicts=a.csv"}),
         "verdicts: expected method=kernel beside it"},
        {MakeRequest("preprocessing", "", {"fault=unregistered"}),
         "fault: expected method=gpu beside it"},
    };

    for (const auto& one : CASES)
    {
        ExpectError<InputError>([&] { ReadTask(one.request); }, one.text);
    }
    TaskRequest request = MakeRequest("traversal", "kernel");
    const std::pair<const char*, const char*> SETTINGS[]{
        {"Tlb::Entries=1", "expected data that the TLB can pin"},
        {"SoftwareCosts::CrcRate=0bps", "(DataRate 10Mbps:1000000Gbps)"},
        {"TraversalKernel::MaxElements=0", "MaxElements"},
        {"SelectiveRepeat::CumulativeLags=true", "measure: "},
    };

    for (const auto& [setting, text] : SETTINGS)
    {
        request.settings = {std::string("ns3::rdma::") + setting};
        ExpectError<InputError>([&] { RunTask(request); }, text);
    }
}

TEST(OffloadRun, AMeasurementHasTheNumbersOfItsRunAndOfTheMethod)
{
    const Ptr<OffloadTask> task = ReadTask(MakeRequest("get", "read", {"value-size=700"}, 3));
    const MeasuredRows rows = task->Measure();
    EXPECT_EQ(rows.Get("calls_ok"), 3);
    EXPECT_EQ(rows.Get("bytes"), 3 * 700);
    EXPECT_EQ(rows.Get("reads"), 2 * 3); // Entry and value of each.
    EXPECT_DOUBLE_EQ(rows.GetNumber("goodput_gbps"),
                     3 * 700 * 8 / 1e3 / rows.GetNumber("duration_us"));
}

TEST(OffloadRun, RefusesSettingsWithoutEffect)
{
    const struct
    {
        const char* task;
        const char* method;
        const char* setting;
        bool hasEffect;
    } CASES[]{
        {"get", "kernel", "TraversalKernel::Latency=9", true},
        {"get", "kernel", "CallKernel::MaxCalls=1", true}, // Its parent's.
        {"get", "kernel", "GetKernel::Latency=9", false},
        {"get", "kernel", "SoftwareCosts::MemoryLatency=90ns", false},
        {"get", "kernel", "KernelTcp::Moderation=7us", false},
        {"get", "read", "SoftwareCosts::MemoryLatency=90ns", true},
        {"get", "read", "TraversalKernel::MaxElements=9", false}, // A table has no list.
        {"get", "read", "KernelHost::QueuePackets=9", false},
        {"get", "read", "Tlb::Latency=9", false},
        {"get", "read", "Tlb::Entries=900", true}, // Its memory is pinned.
        {"get", "tcp", "KernelTcp::Moderation=7us", true},
        {"get", "tcp", "SoftwareCosts::XdrItemBytes=1", true},
        {"traversal", "read", "TraversalKernel::MaxElements=900", true}, // Software's bound, too.
        {"traversal", "read", "TraversalKernel::Latency=9", false},
        {"consistency", "read", "SoftwareCosts::CrcRate=1Gbps", false},
        {"consistency", "cpu", "SoftwareCosts::CrcRate=1Gbps", true},
        {"hyperloglog", "write", "HyperLogLogKernel::Precision=10", false},
        {"hyperloglog", "cpu", "HyperLogLogKernel::Precision=10", true},
    };

    for (const auto& one : CASES)
    {
        TaskRequest request = MakeRequest(one.task, one.method, {}, 1);
        request.settings = {std::string("ns3::rdma::") + one.setting};
        if (one.hasEffect)
        {
            EXPECT_EQ(RunTask(request).latencies.size(), 1U) << one.setting;
        }
        else
        {
            ExpectError<InputError>([&] { RunTask(request); }, "an attribute with an effect on");
        }
    }
}

TEST(OffloadRun, EndsBeforeSimulatedTimeOverflows)
{
    // A value of 64 KiB takes 524,288 s at 1 b/s: the second call would pass 10^6 s.
    const std::vector<std::string> keys{"entries=1", "value-size=65536", "rate=1bps"};
    ExpectError<InputError>([&] { RunTask(MakeRequest("get", "tcp", keys, 30)); },
                            "a run takes at most 1000000 s");
    EXPECT_GT(RunTask(MakeRequest("get", "tcp", keys, 1)).duration, 0);
}
