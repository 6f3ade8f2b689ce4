// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/aes-service.h"

#include "../expect-error.h"
#include "two-service-hosts.h"

#include "ns3/payload-cargo.h"
#include "ns3/string.h"

#include <random>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
std::vector<uint8_t>
ReadHex(const std::string& text)
{
    std::vector<uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    {
        bytes.push_back(static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
    }
    return bytes;
}

const AesKey FIPS_KEY = *ReadAesKey("000102030405060708090a0b0c0d0e0f");
const AesKey NIST_KEY = *ReadAesKey("2b7e151628aed2a6abf7158809cf4f3c");

/// AES at both ends, in the stream of both directions.
class AesOnNic : public testing::TestWithParam<bool>
{
  protected:
    void Start()
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            aes[end] = CreateObject<AesService>();
            ends.slots[end]->Install(aes[end]);
        }
        ends.Start();
        for (uint32_t end = 0; end < 2; ++end)
        {
            ends.Attach(end, AesService::RPC_CODE, true);
            ends.Attach(end, AesService::RPC_CODE, false);
        }
    }

    void SetKeys()
    {
        aes[0]->SetKey(ends.GetEnd(0).qp, FIPS_KEY);
        aes[1]->SetKey(ends.GetEnd(1).qp, FIPS_KEY);
    }

    std::vector<WcStatus> Finish()
    {
        ends.hosts.bench.Run();
        std::vector<WcStatus> statuses;
        for (const WorkCompletion& completion : ends.GetEnd(0).PollSends())
        {
            statuses.push_back(completion.status);
        }
        return statuses;
    }

    TwoServiceHosts ends{GetParam()};
    Ptr<AesService> aes[2];
};
} // namespace

TEST(AesCipher, HasTheVectorsOfNist)
{
    // FIPS 197 appendix C.1; SP 800-38A F.1.1, four blocks.
    const auto check = [](const AesKey& key, const std::string& plain, const std::string& cipher) {
        const AesCipher aes(key);
        EXPECT_EQ(aes.Encrypt(ByteView(ReadHex(plain))), ReadHex(cipher));
        EXPECT_EQ(aes.Decrypt(ByteView(ReadHex(cipher))), ReadHex(plain));
    };
    check(FIPS_KEY, "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a");
    check(NIST_KEY,
          "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
          "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
          "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4");
}

TEST(AesCipher, KeysAreThirtyTwoHexadecimalDigits)
{
    EXPECT_EQ(ReadAesKey("2B7E151628AED2A6ABF7158809CF4F3C"), NIST_KEY);
    EXPECT_FALSE(ReadAesKey("2b7e"));
    EXPECT_FALSE(ReadAesKey("2b7e151628aed2a6abf7158809cf4f3g"));
}

TEST(AesService, RefusesAKeyThatIsNone)
{
    const auto service = CreateObject<AesService>();
    ExpectError<std::invalid_argument>([&] { service->SetAttribute("Key", StringValue("12")); },
                                       "expected 32 hexadecimal digits, got \"12\"");
}

TEST(AesService, AddsTenCyclesInEachDirection)
{
    const auto service = CreateObject<AesService>();
    service->SetClock(ClockDomain(250'000'000, 64));
    service->SetKey(1, FIPS_KEY);
    const std::vector<uint8_t> packet(4096);
    StreamInput input;
    input.queuePair = 1;
    input.bytes = ByteView(packet);
    input.at = 1'000'000;
    for (const bool isSent : {false, true})
    {
        // 40 ns: not the 25 ns of the paper, which 250 MHz does not give.
        input.isSent = isSent;
        EXPECT_EQ(service->OnStream(input).passedAt, 1'040'000);
    }
    // 64 words later, at 256 ns, the next packet finds it ready.
    input.at += 256'000;
    EXPECT_EQ(service->OnStream(input).passedAt, 1'296'000);
}

TEST_P(AesOnNic, BothEndsHaveThePlaintextAndTheWireTheCiphertext)
{
    Start();
    SetKeys();
    std::vector<uint8_t> wire;
    auto& link = ends.hosts.bench.GetBench().GetFabric();
    const auto& pool = ends.hosts.bench.GetBench().GetCore().pool;
    std::function<void(const Frame&)> note = [&](const Frame& frame) {
        const FrameDetail* detail = pool.FindDetail(frame);
        const auto* cargo = detail ? dynamic_cast<const PayloadCargo*>(detail->cargo) : nullptr;
        if (cargo)
        {
            wire.insert(wire.end(), cargo->bytes.begin(), cargo->bytes.end());
        }
    };
    link.GetLinkPort(0, 0).GetTraces().transmit.ConnectWithoutContext(
        Callback<void, const Frame&>([&note](const Frame& frame) { note(frame); }));
    ends.GetEnd(0).Fill(0, 10'000, 3);
    ends.Write(0, 10'000);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::SUCCESS});
    const auto plain = ends.GetEnd(0).Read(0, 10'000);
    EXPECT_EQ(ends.GetEnd(1).Read(TwoServiceHosts::TO, 10'000), plain);
    EXPECT_EQ(wire, AesCipher(FIPS_KEY).Encrypt(ByteView(plain)));
    EXPECT_NE(wire, plain);
}

TEST_P(AesOnNic, ReadResponsesAreEncryptedByTheirSender)
{
    Start();
    SetKeys();
    ends.GetEnd(1).Fill(0, 10'000, 5);
    ends.Read(0, 10'000);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::SUCCESS});
    EXPECT_EQ(ends.GetEnd(0).Read(TwoServiceHosts::TO, 10'000), ends.GetEnd(1).Read(0, 10'000));
    EXPECT_EQ(aes[1]->GetCounts().encryptedBytes, 10'000U);
    EXPECT_EQ(aes[0]->GetCounts().decryptedBytes, 10'000U);
}

TEST_P(AesOnNic, EveryBlockIsEncryptedAndDecryptedOnceWhateverTheNetworkDoes)
{
    Start();
    SetKeys();
    ends.hosts.Impair(7);
    std::mt19937_64 random(7);
    uint64_t bytes[2]{0, 0}; // Sent by each end.
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto size = static_cast<uint32_t>(16 * (1 + random() % 2000));
        const uint32_t sender = i % 3 == 2 ? 1 : 0; // A third are READs.
        ends.GetEnd(sender).Fill(0, size, static_cast<uint8_t>(i));
        sender == 0 ? ends.Write(0, size, i) : ends.Read(0, size, i);
        ASSERT_EQ(Finish(), std::vector<WcStatus>{WcStatus::SUCCESS});
        ASSERT_EQ(ends.GetEnd(1 - sender).Read(TwoServiceHosts::TO, size),
                  ends.GetEnd(sender).Read(0, size));
        bytes[sender] += size;
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        EXPECT_EQ(aes[end]->GetCounts().encryptedBytes, bytes[end]);
        EXPECT_EQ(aes[1 - end]->GetCounts().decryptedBytes, bytes[end]);
        EXPECT_GT(ends.GetStats(end).resent, 0U); // Else it showed nothing.
    }
}

TEST_P(AesOnNic, WithoutAKeyTheRequestEndsInAnErrorOfItsOwnSide)
{
    Start();
    ends.Write(0, 64);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::LOC_QP_OP_ERR});
    EXPECT_EQ(ends.CountFaults(0, StreamFault::NO_KEY), 1U);
    EXPECT_EQ(aes[0]->GetCounts().encryptedPackets, 0U);
}

TEST_P(AesOnNic, WithoutAKeyAtTheOtherEndThatRefusesTheOperation)
{
    Start();
    aes[0]->SetKey(ends.GetEnd(0).qp, FIPS_KEY);
    ends.Write(0, 64);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::REM_OP_ERR});
    EXPECT_EQ(ends.CountFaults(1, StreamFault::NO_KEY), 1U);
    EXPECT_EQ(ends.hosts.bench.events[1], std::vector<AsyncEventType>{AsyncEventType::QP_FATAL});
}

TEST_P(AesOnNic, AReadOfAPeerWithoutAKeyIsRefused)
{
    Start();
    aes[0]->SetKey(ends.GetEnd(0).qp, FIPS_KEY);
    ends.Read(0, 64);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::REM_OP_ERR});
    EXPECT_EQ(ends.CountFaults(1, StreamFault::NO_KEY), 1U);
}

TEST_P(AesOnNic, AMessageThatIsNotWholeBlocksIsALengthError)
{
    Start();
    SetKeys();
    ends.Write(0, 100);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::LOC_LEN_ERR});
    EXPECT_EQ(ends.CountFaults(0, StreamFault::BAD_LENGTH), 1U);
}

TEST_P(AesOnNic, KeysOfQueuePairsAreTheirOwn)
{
    Start();
    aes[0]->SetKey(ends.GetEnd(0).qp, FIPS_KEY);
    aes[1]->SetKey(ends.GetEnd(1).qp, NIST_KEY);
    ends.GetEnd(0).Fill(0, 64, 9);
    ends.Write(0, 64);
    EXPECT_EQ(Finish(), std::vector<WcStatus>{WcStatus::SUCCESS}); // ECB has no tag to check.
    const auto plain = ends.GetEnd(0).Read(0, 64);
    const auto wire = AesCipher(FIPS_KEY).Encrypt(ByteView(plain));
    EXPECT_EQ(ends.GetEnd(1).Read(TwoServiceHosts::TO, 64),
              AesCipher(NIST_KEY).Decrypt(ByteView(wire)));
}

INSTANTIATE_TEST_SUITE_P(Hardware, AesOnNic, testing::Bool(), [](const auto& info) {
    return std::string(info.param ? "On" : "Off");
});
