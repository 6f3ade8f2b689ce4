// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-options.h"

#include "ns3/input-error.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

PerftestRequest
Ask(const std::string& test)
{
    PerftestRequest request;
    request.kind = ParsePerftestKind(test);
    return request;
}

/// @return the message of the fault; empty: there is none
std::string
FindFault(const PerftestRequest& request)
{
    try
    {
        ResolvePerftest(request);
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

struct DefaultCase
{
    const char* test;
    uint64_t size;
    uint64_t iterations;
    uint32_t txDepth;
};

// perftest: DEF_SIZE_BW, DEF_SIZE_LAT and so on.
const DefaultCase DEFAULT_CASES[] = {
    {"write_bw", 65536, 5000, 128},
    {"send_bw", 65536, 1000, 128},
    {"read_bw", 65536, 1000, 128},
    {"atomic_bw", 8, 1000, 128},
    {"write_lat", 2, 1000, 1},
    {"send_lat", 2, 1000, 1},
    {"read_lat", 2, 1000, 1},
    {"atomic_lat", 8, 1000, 1},
};

struct ServiceCase
{
    const char* test;
    const char* connection;
    bool isAllowed;
};

const ServiceCase SERVICE_CASES[] = {
    {"write_bw", "RC", true},
    {"write_lat", "UC", true},
    {"write_bw", "UD", false},
    {"send_lat", "RC", true},
    {"send_bw", "UC", true},
    {"send_lat", "UD", true},
    {"read_bw", "RC", true},
    {"read_bw", "UC", false},
    {"read_lat", "UD", false},
    {"atomic_bw", "RC", true},
    {"atomic_lat", "UC", false},
    {"atomic_bw", "UD", false},
    {"send_bw", "XRC", false},
    {"send_bw", "rc", false},
};

struct BoundCase
{
    const char* name;
    std::function<void(PerftestRequest&)> change;
    const char* fault; ///< Part of the message; empty: none.
};

const BoundCase BOUND_CASES[] = {
    {"SizeZero", [](auto& r) { r.size = 0; }, ""},
    {"SizeOne", [](auto& r) { r.size = 1; }, ""},
    {"Size2GiB", [](auto& r) { r.size = 1ULL << 31; }, ""},
    {"SizeBeyond", [](auto& r) { r.size = (1ULL << 31) + 1; }, "2147483648, got 2147483649"},
    {"IterationsFew", [](auto& r) { r.iterations = 4; }, "--iters: expected"},
    {"IterationsLeast", [](auto& r) { r.iterations = 5; }, ""},
    {"IterationsMany", [](auto& r) { r.iterations = 100'000'001; }, "--iters: expected"},
    {"DepthZero", [](auto& r) { r.txDepth = 0; }, "--tx-depth: expected"},
    {"DepthMost", [](auto& r) { r.txDepth = 15000; }, ""},
    {"DepthBeyond", [](auto& r) { r.txDepth = 15001; }, "--tx-depth: expected"},
    {"NoQueuePair", [](auto& r) { r.queuePairs = 0; }, "--qp: expected"},
    {"QueuePairsMost", [](auto& r) { r.queuePairs = 16384; }, ""},
    {"QueuePairsBeyond", [](auto& r) { r.queuePairs = 16385; }, "--qp: expected"},
    {"MtuOdd", [](auto& r) { r.mtu = 1500; }, "--mtu: expected 256, 512, 1024, 1408, 2048 or 4096"},
    {"MtuLeast", [](auto& r) { r.mtu = 256; }, ""},
    {"ReceivesZero", [](auto& r) { r.rxDepth = 0; }, "--rx-depth: expected a whole number from 1"},
    {"ReceivesMost", [](auto& r) { r.rxDepth = 16384; }, ""},
    {"ReceivesBeyond", [](auto& r) { r.rxDepth = 16385; }, "to 16384, got 16385"},
    {"InlineMost", [](auto& r) { r.inlineBytes = 912; }, ""},
    {"InlineBeyond", [](auto& r) { r.inlineBytes = 913; }, "--inline: expected a whole number"},
    {"IntervalZero", [](auto& r) { r.completionInterval = 0; }, "--cq-mod: expected"},
    {"IntervalMost", [](auto& r) { r.completionInterval = 1024; }, ""},
    {"IntervalBeyond", [](auto& r) { r.completionInterval = 1025; }, "--cq-mod: expected"},
    {"ListZero", [](auto& r) { r.postList = 0; }, "--post_list: expected"},
    {"BurstZero", [](auto& r) { r.burst = 0; }, "--burst: expected a whole number from 1 to 128"},
    {"BurstBeyondDepth", [](auto& r) { r.burst = 129; }, "from 1 to 128, got 129"},
    {"BurstThatDoesNotDivide",
     [](auto& r) { r.burst = 128; }, // 5000 is no multiple.
     "--iters: expected a multiple of --burst, which is 128, got 5000"},
    {"BurstOfPartsOfLists",
     [](auto& r) {
         r.burst = 10;
         r.postList = 4;
     },
     "--burst: expected a multiple of --post_list, which is 4, got 10"},
    {"BurstWithoutItsCompletion",
     [](auto& r) {
         r.burst = 10;
         r.completionInterval = 4;
     },
     "--cq-mod: expected a divisor of --burst, which is 10, got 4"},
    {"GapWithoutBurst", [](auto& r) { r.gap = "4us"; }, "--gap: expected --burst N as well"},
    {"GapBelowZero",
     [](auto& r) {
         r.burst = 10;
         r.gap = "-4us";
     },
     "--gap: expected a time such as 4us, not below zero, got -4us"},
    {"GapWithoutUnit",
     [](auto& r) {
         r.burst = 10;
         r.gap = "4";
     },
     "--gap: expected a time such as 4us"},
    {"ListBeyondDepth", [](auto& r) { r.postList = 129; }, "from 1 to 128, got 129"},
    {"ListThatLeavesARest",
     [](auto& r) { r.postList = 64; }, // 5000 is no multiple.
     "--iters: expected a multiple of --post_list, which is 64, got 5000"},
    {"IntervalAcrossLists",
     [](auto& r) {
         r.postList = 8;
         r.completionInterval = 3;
     },
     "--cq-mod: expected a divisor of --post_list, which is 8, got 3"},
    {"ThreadsWithoutHardware",
     [](auto& r) { r.threads = 4; },
     "--threads: expected --hardware on as well, got off"},
    {"ThreadsZero",
     [](auto& r) {
         r.isHardwareTimed = true;
         r.threads = 0;
     },
     "--threads: expected a whole number from 1 to 1024, got 0"},
    {"MtuJumbo", [](auto& r) { r.mtu = 8192; }, "--mtu: expected"},
};

} // namespace

TEST(PerftestOptions, TakePerftestsDefaults)
{
    for (const DefaultCase& test : DEFAULT_CASES)
    {
        SCOPED_TRACE(test.test);
        const PerftestOptions options = ResolvePerftest(Ask(test.test));
        EXPECT_EQ(options.sizes, std::vector<uint64_t>{test.size});
        EXPECT_EQ(options.iterations, test.iterations);
        EXPECT_EQ(options.txDepth, test.txDepth);
        EXPECT_EQ(options.queuePairs, 1);
        EXPECT_EQ(options.mtu, 4096);
        EXPECT_EQ(options.service, Service::RC);
        EXPECT_EQ(GetPerftestName(options.kind), test.test);
    }
}

TEST(PerftestOptions, KnowTheServicesOfEachTest)
{
    for (const ServiceCase& test : SERVICE_CASES)
    {
        PerftestRequest request = Ask(test.test);
        request.connection = test.connection;
        EXPECT_EQ(FindFault(request).empty(), test.isAllowed)
            << test.test << ' ' << test.connection;
    }
}

TEST(PerftestOptions, ResolveTheService)
{
    PerftestRequest request = Ask("send_bw");
    request.connection = "UD";
    EXPECT_EQ(ResolvePerftest(request).service, Service::UD);
    request.connection = "UC";
    EXPECT_EQ(ResolvePerftest(request).service, Service::UC);
}

TEST(PerftestOptions, CheckBounds)
{
    for (const BoundCase& test : BOUND_CASES)
    {
        PerftestRequest request = Ask("write_bw");
        test.change(request);
        const std::string fault = FindFault(request);
        if (*test.fault == '\0')
        {
            EXPECT_EQ(fault, "") << test.name;
        }
        else
        {
            EXPECT_NE(fault.find(test.fault), std::string::npos) << test.name << ": " << fault;
        }
    }
}

TEST(PerftestOptions, RunAllSizesFrom2BytesTo8MiB)
{
    PerftestRequest request = Ask("read_lat");
    request.hasAllSizes = true;
    const auto sizes = ResolvePerftest(request).sizes;
    ASSERT_EQ(sizes.size(), 23); // 2^1 to 2^23.
    EXPECT_EQ(sizes.front(), 2);
    EXPECT_EQ(sizes[10], 2048);
    EXPECT_EQ(sizes.back(), 8388608);
}

TEST(PerftestOptions, KeepDatagramsWithinTheMtu)
{
    PerftestRequest request = Ask("send_bw");
    request.connection = "UD";
    request.mtu = 1024;
    EXPECT_EQ(ResolvePerftest(request).sizes, std::vector<uint64_t>{1024}); // Not 65536.
    request.size = 1025;
    EXPECT_NE(FindFault(request).find("from 0 to 1024, got 1025"), std::string::npos);
    request.size.reset();
    request.hasAllSizes = true;
    const auto sizes = ResolvePerftest(request).sizes;
    EXPECT_EQ(sizes.size(), 10); // 2^1 to 2^10.
    EXPECT_EQ(sizes.back(), 1024);
}

TEST(PerftestOptions, RefuseOtherSizesOfAtomics)
{
    PerftestRequest request = Ask("atomic_bw");
    request.size = 8;
    EXPECT_EQ(FindFault(request), "");
    request.size = 16;
    EXPECT_NE(FindFault(request).find("an atomic operation has 8 bytes"), std::string::npos);
    request.size.reset();
    request.hasAllSizes = true;
    EXPECT_NE(FindFault(request).find("an atomic operation has 8 bytes"), std::string::npos);
}

TEST(PerftestOptions, KeepBandwidthOptionsOutOfLatencyTests)
{
    const BoundCase cases[] = {{"--qp", [](auto& r) { r.queuePairs = 2; }, ""},
                               {"--post_list", [](auto& r) { r.postList = 2; }, ""},
                               {"--burst", [](auto& r) { r.burst = 2; }, ""},
                               {"--gap", [](auto& r) { r.gap = "1us"; }, ""},
                               {"--bidirectional", [](auto& r) { r.isBidirectional = true; }, ""}};
    for (const BoundCase& test : cases)
    {
        PerftestRequest request = Ask("write_lat");
        test.change(request);
        EXPECT_EQ(FindFault(request),
                  std::string("perftest: write_lat: ") + test.name +
                      " is an option of the bandwidth tests only");
    }
}

TEST(PerftestOptions, NoteWhatPerftestAcceptsAndDoesNotUse)
{
    PerftestRequest request = Ask("read_lat");
    EXPECT_TRUE(ResolvePerftest(request).notes.empty());
    request.txDepth = 2;
    request.outstandingReads = 2;
    request.completionInterval = 2;
    const PerftestOptions options = ResolvePerftest(request);
    EXPECT_EQ(options.notes.size(), 3);
    EXPECT_EQ(options.notes.front(),
              "--tx-depth has no effect: a latency test has one message in flight");
    EXPECT_EQ(options.txDepth, 1);
    EXPECT_EQ(options.completionInterval, 1);
    request = Ask("write_bw");
    request.size = 4;
    request.hasAllSizes = true;
    EXPECT_EQ(ResolvePerftest(request).notes,
              std::vector<std::string>{"--size has no effect beside --all"});
    EXPECT_EQ(ResolvePerftest(request).sizes.size(), 23);
}

TEST(PerftestOptions, MeasureADurationWithoutItsMargins)
{
    PerftestRequest request = Ask("write_bw");
    request.duration = "10";
    // perftest: a quarter at both ends.
    EXPECT_EQ(ResolvePerftest(request).duration, 10'000'000'000'000);
    EXPECT_EQ(ResolvePerftest(request).margin, 2'500'000'000'000);
    request.margin = "0";
    EXPECT_EQ(ResolvePerftest(request).margin, 0);
    request.duration = "0.5";
    request.margin = "1ms";
    EXPECT_EQ(ResolvePerftest(request).duration, 500'000'000'000);
    EXPECT_EQ(ResolvePerftest(request).margin, 1'000'000'000);
    request.postList = 7; // No number of messages is a multiple of anything.
    EXPECT_EQ(FindFault(request), "");
}

TEST(PerftestOptions, LimitTheRateByTheNicOrByTheHost)
{
    PerftestRequest request = Ask("write_bw");
    request.rateLimit = "10";
    EXPECT_EQ(ResolvePerftest(request).queuePairRate->GetBitRate(), 10'000'000'000);
    request.rateUnits = 'M';
    EXPECT_EQ(ResolvePerftest(request).queuePairRate->GetBitRate(), 83'886'080); // 10 x 2^23.
    EXPECT_FALSE(ResolvePerftest(request).bursts);
    request.limiter = PerftestLimiter::HOST;
    const PerftestOptions options = ResolvePerftest(request);
    EXPECT_FALSE(options.queuePairRate);
    ASSERT_TRUE(options.bursts);
    EXPECT_EQ(options.bursts->messages, 128); // The depth.
    // 128 messages of 65536 bytes at 10 MiB/s take 0.8 s.
    EXPECT_EQ(options.bursts->GetDistance(65536), 800'000'000'000);
    request.rateUnits = 'p';
    request.burstSize = 5;
    // 5 messages at 10 per second.
    EXPECT_EQ(ResolvePerftest(request).bursts->GetDistance(65536), 500'000'000'000);
}

TEST(PerftestOptions, BoundTheReadsUnderWay)
{
    EXPECT_EQ(ResolvePerftest(Ask("read_bw")).outstandingReads, 16);
    PerftestRequest request = Ask("read_bw");
    request.outstandingReads = 2048;
    EXPECT_EQ(ResolvePerftest(request).outstandingReads, 2048);
    request.outstandingReads = 2049;
    EXPECT_NE(FindFault(request).find("--outs: expected a whole number from 1 to 2048"),
              std::string::npos);
    request.outstandingReads = 0;
    EXPECT_NE(FindFault(request).find("--outs: expected"), std::string::npos);
    PerftestRequest write = Ask("write_bw");
    write.outstandingReads = 2;
    EXPECT_EQ(FindFault(write),
              "perftest: write_bw: --outs is an option of the tests of READs and atomics only");
}

TEST(PerftestOptions, NeedNoDepthBeyondTheMessages)
{
    PerftestRequest request = Ask("write_bw");
    request.iterations = 7;
    EXPECT_EQ(ResolvePerftest(request).txDepth, 7);
}

TEST(PerftestOptions, InlineSmallMessagesOfLatencyTestsIfThatTakesTime)
{
    const auto getInline = [](const std::string& test, const std::string& connection) {
        PerftestRequest request = Ask(test);
        request.connection = connection;
        request.isHardwareTimed = true;
        return ResolvePerftest(request).inlineBytes;
    };
    // DEF_INLINE_WRITE, DEF_INLINE_SEND_RC_UC, DEF_INLINE_SEND_UD.
    EXPECT_EQ(getInline("write_lat", "RC"), 220);
    EXPECT_EQ(getInline("send_lat", "RC"), 236);
    EXPECT_EQ(getInline("send_lat", "UC"), 236);
    EXPECT_EQ(getInline("send_lat", "UD"), 188);
    EXPECT_EQ(getInline("read_lat", "RC"), 0);
    EXPECT_EQ(getInline("write_bw", "RC"), 0);
    EXPECT_EQ(ResolvePerftest(Ask("send_lat")).inlineBytes, 0);
    PerftestRequest read = Ask("read_lat");
    read.inlineBytes = 100; // Ignored, as perftest does.
    EXPECT_EQ(ResolvePerftest(read).inlineBytes, 0);
}

TEST(PerftestOptions, SignalEachHundredthSmallMessageIfThatTakesTime)
{
    PerftestRequest request = Ask("write_bw");
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 1);
    request.isHardwareTimed = true;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 1); // 65536 is beyond the limit of 8192.
    request.size = 8192;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 100);
    request.size = 8193;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 1);
    request.completionInterval = 10;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 10);
    request.txDepth = 4; // Nothing would ever be complete.
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 4);
    request = Ask("write_lat");
    request.isHardwareTimed = true;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 1);
    request = Ask("write_bw");
    request.postList = 8;
    EXPECT_EQ(ResolvePerftest(request).completionInterval, 8); // A completion per list.
}

TEST(PerftestOptions, KeepTheReceiverReady)
{
    PerftestRequest request = Ask("send_bw");
    EXPECT_EQ(ResolvePerftest(request).rxDepth, 512);
    request.iterations = 100;
    EXPECT_EQ(ResolvePerftest(request).rxDepth, 100); // Never more than there are messages.
    request.iterations = 10000;
    request.queuePairs = 16384; // 2^19 / 2^14 = 32, but twice the depth of 128.
    EXPECT_EQ(ResolvePerftest(request).rxDepth, 256);
    request.txDepth = 4;
    EXPECT_EQ(ResolvePerftest(request).rxDepth, 32);
    request.rxDepth = 7;
    EXPECT_EQ(ResolvePerftest(request).rxDepth, 7);
}

TEST(PerftestOptions, NameTheNearestTest)
{
    try
    {
        ParsePerftestKind("writebw");
        FAIL() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "perftest: expected a test (nearest: write_bw), got writebw");
    }
}
