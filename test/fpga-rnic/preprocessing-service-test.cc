// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/preprocessing-service.h"

#include "two-kernel-hosts.h"

#include "ns3/attribute-fault.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick CYCLE{4'000}; ///< 250 MHz.
constexpr int32_t MOST{std::numeric_limits<int32_t>::max()};
constexpr int32_t LEAST{std::numeric_limits<int32_t>::min()};

uint32_t
ApplyTo(const std::string& operators, int32_t feature, uint32_t modulus = 8192)
{
    return FeatureOperators(operators).Apply(static_cast<uint32_t>(feature), modulus);
}

float
ToFloat(uint32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

std::vector<uint8_t>
Encode(const std::vector<uint32_t>& features)
{
    std::vector<uint8_t> bytes(4 * features.size());
    for (std::size_t i = 0; i < features.size(); ++i)
    {
        boost::endian::store_little_u32(bytes.data() + 4 * i, features[i]);
    }
    return bytes;
}

std::vector<uint32_t>
DrawFeatures(std::mt19937_64& random, std::size_t count)
{
    std::vector<uint32_t> features(count);
    for (uint32_t& feature : features)
    {
        // Of all magnitudes, and both signs.
        const uint64_t bits = random();
        feature = static_cast<uint32_t>(bits) >> (bits >> 32U & 31U);
        feature = (bits >> 40U & 1U) != 0 ? feature : 0U - feature;
    }
    return features;
}

/// What rows of 16 dense and 32 sparse features become.
std::vector<uint8_t>
Expect(const std::vector<uint32_t>& features)
{
    std::vector<uint32_t> out;
    for (std::size_t i = 0; i < features.size(); ++i)
    {
        const auto value = static_cast<int32_t>(features[i]);
        if (i % 48 < 16)
        {
            const auto logarithm = static_cast<float>(std::log1p(value < 0 ? 0.0 : value));
            uint32_t bits = 0;
            std::memcpy(&bits, &logarithm, sizeof bits);
            out.push_back(bits);
        }
        else
        {
            out.push_back(features[i] &
                          8191U); // Of two's complement: the remainder by a power of 2.
        }
    }
    return Encode(out);
}

Ptr<PreprocessingService>
MakePreprocessing()
{
    auto service = CreateObject<PreprocessingService>();
    service->SetClock(ClockDomain(250'000'000, 64));
    return service;
}

StreamStep
PassPacket(PreprocessingService& service, const std::vector<uint8_t>& bytes, bool isFirst)
{
    StreamInput input;
    input.queuePair = 5;
    input.isFirst = isFirst;
    input.isLast = false;
    input.address = 0x2000;
    input.bytes = ByteView(bytes);
    return service.OnStream(input);
}
} // namespace

TEST(FeatureOperators, ClipWhatIsNegative)
{
    EXPECT_EQ(ApplyTo("neg2zero", -1), 0);
    EXPECT_EQ(ApplyTo("neg2zero", LEAST), 0);
    EXPECT_EQ(ApplyTo("neg2zero", 0), 0);
    EXPECT_EQ(ApplyTo("neg2zero", MOST), MOST);
}

TEST(FeatureOperators, TakeTheLogarithmOfOneMore)
{
    EXPECT_EQ(ToFloat(ApplyTo("logarithm", 0)), 0);
    EXPECT_FLOAT_EQ(ToFloat(ApplyTo("logarithm", 1)), 0.69314718F);
    // 1 + 2^31 - 1 does not overflow: 31 ln 2.
    EXPECT_FLOAT_EQ(ToFloat(ApplyTo("logarithm", MOST)), 21.4875626F);
    EXPECT_EQ(ToFloat(ApplyTo("logarithm", -1)), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(ApplyTo("logarithm", -2), 0x7fc00000);
    EXPECT_EQ(ApplyTo("neg2zero,logarithm", -2), 0);
}

TEST(FeatureOperators, TakeARemainderThatIsNotNegative)
{
    EXPECT_EQ(ApplyTo("modulus", 8192), 0);
    EXPECT_EQ(ApplyTo("modulus", -1), 8191);
    EXPECT_EQ(ApplyTo("modulus", LEAST, 1000), 1000 - 648); // -2147483648 = -2147484 * 1000 + 352.
    EXPECT_EQ(ApplyTo("modulus", MOST, 1U << 31U), MOST);
    EXPECT_EQ(ApplyTo("modulus", -5, 1), 0);
    EXPECT_EQ(ApplyTo("", -5), static_cast<uint32_t>(-5));
}

TEST(FeatureOperators, HaveNamesThatAreChecked)
{
    for (const char* text : {"", "neg2zero", "modulus,neg2zero", "neg2zero,modulus,logarithm"})
    {
        EXPECT_EQ(FeatureOperators::FindFault(text), "") << text;
    }
    for (const char* text : {"log", "neg2zero,", ",", "logarithm,modulus", "neg2zero logarithm"})
    {
        EXPECT_NE(FeatureOperators::FindFault(text).find("expected operators of neg2zero"),
                  std::string::npos)
            << text;
    }
    const auto fault =
        FindAttributeFault("ns3::rdma::PreprocessingService::DenseOperators", "square");
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->expected.find("neg2zero, logarithm and modulus"), std::string::npos);
    EXPECT_FALSE(FindAttributeFault("ns3::rdma::PreprocessingService::DenseOperators", "neg2zero"));
}

TEST(PreprocessingService, GoesOnWithItsRowInTheNextPacket)
{
    std::mt19937_64 random(1);
    const std::vector<uint32_t> features = DrawFeatures(random, 480);
    const std::vector<uint8_t> bytes = Encode(features);
    auto service = MakePreprocessing();
    std::vector<uint8_t> out;
    for (std::size_t at = 0; at < bytes.size(); at += 256) // 64 features: a row is 48.
    {
        const std::size_t end = std::min(at + 256, bytes.size());
        const StreamStep step =
            PassPacket(*service, {bytes.begin() + at, bytes.begin() + end}, at == 0);
        out.insert(out.end(), step.bytes.begin(), step.bytes.end());
    }
    EXPECT_EQ(out, Expect(features));
    // The next message begins with a row.
    EXPECT_EQ(PassPacket(*service, bytes, true).bytes, Expect(features));
}

TEST(PreprocessingService, TakesAWordPerCycleAndTheCyclesOfTheStagesThatThereAre)
{
    auto service = MakePreprocessing();
    // Edges 3, neg2zero 2, logarithm 30, modulus 2.
    EXPECT_EQ(service->GetCycles(), 37);
    const StreamStep step = PassPacket(*service, std::vector<uint8_t>(4096), true);
    EXPECT_EQ(step.passedAt, 37 * CYCLE);
    // A word of 64 bytes per cycle: the next 4096, there at the same time, are 64 cycles behind.
    EXPECT_EQ(PassPacket(*service, std::vector<uint8_t>(4096), false).passedAt, 101 * CYCLE);
    service->SetAttribute("DenseOperators", StringValue("neg2zero"));
    EXPECT_EQ(service->GetCycles(), 7);
    service->SetAttribute("SparseOperators", StringValue("neg2zero"));
    EXPECT_EQ(service->GetCycles(), 5);
}

TEST(PreprocessingService, DropsTheRestOfAMessageWithAPacketThatIsNotWholeFeatures)
{
    auto service = MakePreprocessing();
    EXPECT_FALSE(PassPacket(*service, std::vector<uint8_t>(64), true).isRejected);
    const StreamStep odd = PassPacket(*service, std::vector<uint8_t>(63), false);
    EXPECT_TRUE(odd.isRejected);
    ASSERT_EQ(odd.step.commands.size(), 1);
    EXPECT_EQ(odd.step.commands[0].kind, KernelCommand::Kind::INTERRUPT);
    EXPECT_EQ(odd.step.commands[0].tag, 0x2000);
    const StreamStep next = PassPacket(*service, std::vector<uint8_t>(64), false);
    EXPECT_TRUE(next.isRejected);
    EXPECT_TRUE(next.step.commands.empty());
    EXPECT_EQ(service->GetDroppedMessages(), 1);
    EXPECT_FALSE(PassPacket(*service, std::vector<uint8_t>(64), true).isRejected);
}

TEST(PreprocessingService, RefusesAMessageThatIsNotWholeFeatures)
{
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy("ns3::rdma::PreprocessingService");
    hosts.Start();
    hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, PreprocessingService::RPC_CODE);
    hosts.Put(0, 0, std::vector<uint8_t>(4098, 1));
    hosts.bench.Post(hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 4098, 1 << 20));
    hosts.bench.Run();
    EXPECT_EQ(hosts.bench.ends[0].PollSends()[0].status, WcStatus::REM_OP_ERR);
    EXPECT_EQ(hosts.bench.ends[1].Read(1 << 20, 4098), std::vector<uint8_t>(4098));
}

TEST(PreprocessingService, IsNotDeployedWithRowsWithoutColumns)
{
    auto service = MakePreprocessing();
    service->SetAttribute("DenseColumns", UintegerValue(0));
    EXPECT_EQ(service->FindFault(), "");
    service->SetAttribute("SparseColumns", UintegerValue(0));
    EXPECT_NE(service->FindFault(), "");
}

TEST(PreprocessingService, TransformsEachFeatureOnceUnderLossDuplicatesAndReordering)
{
    TwoKernelHosts hosts(false);
    hosts.hosts[1]->Deploy("ns3::rdma::PreprocessingService");
    hosts.Start();
    hosts.Impair(4);
    hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, PreprocessingService::RPC_CODE);
    std::mt19937_64 random(4);
    for (uint32_t write = 0; write < 200; ++write)
    {
        const std::vector<uint32_t> features = DrawFeatures(random, 1 + random() % 5000);
        const auto size = static_cast<uint32_t>(4 * features.size());
        hosts.Put(0, 0, Encode(features));
        hosts.bench.Post(hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, write, 0, size, 1 << 20));
        hosts.bench.Run();
        ASSERT_EQ(hosts.bench.ends[1].Read(1 << 20, size), Expect(features));
    }
}
