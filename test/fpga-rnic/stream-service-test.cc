// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-service.h"

#include "../expect-error.h"
#include "two-kernel-hosts.h"

#include "ns3/send-stream-kernel.h"
#include "ns3/traversal-kernel.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Adds a constant to each byte (ON_PATH), or only looks (PARALLEL), and rejects packets whose
/// first byte is a certain one.
class TestService : public StreamService
{
  public:
    static constexpr uint64_t CODE{90};

    explicit TestService(Placement placement)
        : m_placement(placement)
    {
    }

    uint64_t GetRpcCode() const override
    {
        return CODE;
    }

    Placement GetPlacement() const override
    {
        return m_placement;
    }

    KernelStep OnPacket(const KernelInput&) override
    {
        return {};
    }

    StreamStep OnStream(const StreamInput& input) override
    {
        addresses.push_back(input.address);
        bytes += input.bytes.GetSize();
        StreamStep step;
        step.passedAt = input.at + delay;
        step.readyAt = input.at + interval;
        step.isRejected = rejected == input.bytes.GetData()[0];
        if (step.isRejected)
        {
            KernelCommand interrupt;
            interrupt.kind = KernelCommand::Kind::INTERRUPT;
            interrupt.tag = input.address;
            step.step.commands.push_back(interrupt);
        }
        if (m_placement == Placement::ON_PATH)
        {
            step.bytes = input.bytes.Copy();
            std::for_each(step.bytes.begin(), step.bytes.end(), [this](uint8_t& byte) {
                byte = static_cast<uint8_t>(byte + adds);
            });
        }
        return step;
    }

    int32_t rejected{-1};
    uint8_t adds{1};
    Tick delay{0};
    Tick interval{0};
    uint64_t bytes{0};
    std::vector<uint64_t> addresses;

  private:
    Placement m_placement;
};

using Placement = StreamService::Placement;

/// End 0 writes to end 1, whose queue pair has a service.
class ServiceOnNic : public testing::TestWithParam<bool>
{
  protected:
    static constexpr uint64_t TO{1 << 20}; ///< Offset at end 1.

    Ptr<TestService> Start(Placement placement)
    {
        auto service = CreateObject<TestService>(placement);
        m_hosts.hosts[1]->Deploy(service);
        m_hosts.Start();
        m_hosts.hosts[1]->AttachToReceive(m_hosts.bench.ends[1].qp, TestService::CODE);
        return service;
    }

    void Write(const std::vector<uint8_t>& bytes)
    {
        m_hosts.Put(0, 0, bytes);
        const auto size = static_cast<uint32_t>(bytes.size());
        m_hosts.bench.Post(m_hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, size, TO));
        m_hosts.bench.Run();
    }

    std::vector<uint8_t> GetWritten(uint32_t bytes) const
    {
        return m_hosts.bench.ends[1].Read(TO, bytes);
    }

    TwoKernelHosts m_hosts{GetParam()};
};
} // namespace

TEST_P(ServiceOnNic, ChangesTheDataOfAWrite)
{
    auto service = Start(Placement::ON_PATH);
    Write(std::vector<uint8_t>(5000, 7));
    EXPECT_EQ(GetWritten(5000), std::vector<uint8_t>(5000, 8));
    EXPECT_EQ(GetWritten(5001).back(), 0);
    EXPECT_EQ(service->bytes, 5000);
    // Each packet goes behind the one before.
    ASSERT_GT(service->addresses.size(), 1);
    EXPECT_EQ(service->addresses[0], VerbsEnd::BASE + TO);
    const uint64_t mtu = m_hosts.bench.GetNic(0).GetPathMtu();
    EXPECT_EQ(service->addresses[1], VerbsEnd::BASE + TO + mtu);
    EXPECT_EQ(m_hosts.hosts[1]->GetStats().streamPackets, service->addresses.size());
    EXPECT_EQ(m_hosts.bench.ends[0].PollSends()[0].status, WcStatus::SUCCESS);
}

TEST_P(ServiceOnNic, RejectedDataReachNoMemoryAndTheHostIsTold)
{
    auto service = Start(Placement::PARALLEL);
    service->rejected = 9;
    std::vector<uint64_t> interrupts;
    m_hosts.hosts[1]->SetListener([&interrupts](const KernelCommand& command, Tick) {
        EXPECT_EQ(command.kind, KernelCommand::Kind::INTERRUPT);
        interrupts.push_back(command.tag);
    });
    const auto mtu = static_cast<uint32_t>(m_hosts.bench.GetNic(0).GetPathMtu());
    std::vector<uint8_t> bytes(3 * mtu, 1);
    bytes[mtu] = 9; // The second of three packets.
    Write(bytes);
    std::fill(bytes.begin() + mtu, bytes.begin() + 2 * mtu, uint8_t{0});
    EXPECT_EQ(GetWritten(3 * mtu), bytes);
    EXPECT_EQ(interrupts, std::vector<uint64_t>{VerbsEnd::BASE + TO + mtu});
    EXPECT_EQ(m_hosts.hosts[1]->GetStats().streamRejects, 1);
    EXPECT_EQ(m_hosts.bench.ends[0].PollSends()[0].status, WcStatus::SUCCESS);
}

TEST_P(ServiceOnNic, SeesNothingOfAWriteThatIsNotAllowed)
{
    auto service = Start(Placement::ON_PATH);
    SendWorkRequest request = m_hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, 5000, TO);
    request.remoteKey += 1;
    m_hosts.bench.Post(request);
    m_hosts.bench.Run();
    EXPECT_EQ(m_hosts.bench.ends[0].PollSends()[0].status, WcStatus::REM_ACCESS_ERR);
    EXPECT_EQ(service->bytes, 0);
}

TEST_P(ServiceOnNic, ThatIsTooSlowDropsPacketsWhichComeAgain)
{
    m_hosts.hosts[1]->SetAttribute("QueuePackets", UintegerValue(2));
    auto service = Start(Placement::ON_PATH);
    service->interval = 3'000'000;
    Write(std::vector<uint8_t>(30'000, 7));
    EXPECT_EQ(GetWritten(30'000), std::vector<uint8_t>(30'000, 8));
    EXPECT_EQ(service->bytes, 30'000);
    EXPECT_GT(m_hosts.bench.GetBench().GetDrops(DropReason::KERNEL_BUSY), 0);
}

INSTANTIATE_TEST_SUITE_P(Hardware,
                         ServiceOnNic,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                             return info.param ? "Timed" : "Instant";
                         });

TEST(ServiceTiming, DataGoToTheHostWhenTheServiceLetsThem)
{
    // Of the second WRITE: the translation of its address is on the chip then.
    Tick took[2];
    for (const Tick delay : {Tick{0}, Tick{700'000}})
    {
        TwoKernelHosts hosts(true);
        auto service = CreateObject<TestService>(Placement::PARALLEL);
        service->delay = delay;
        hosts.hosts[1]->Deploy(service);
        hosts.Start();
        hosts.hosts[1]->AttachToReceive(hosts.bench.ends[1].qp, TestService::CODE);
        Tick begun = 0;
        Tick& seen = took[delay > 0];
        const std::function<void(const Frame&, Time)> placed = [&](const Frame&, Time at) {
            seen = ToTick(at) - begun;
        };
        hosts.bench.GetNic(1).GetPlacedTrace().ConnectWithoutContext(
            Callback<void, const Frame&, Time>(placed));
        for (uint32_t i = 0; i < 2; ++i)
        {
            begun = hosts.bench.GetBench().Now();
            hosts.bench.Post(hosts.bench.MakeRequest(WrOpcode::RDMA_WRITE, i, 0, 1000, 1 << 20));
            hosts.bench.Run();
        }
    }
    EXPECT_EQ(took[1] - took[0], 700'000);
}

TEST(KernelHost, AttachesOnlyServices)
{
    auto host = CreateObject<KernelHost>();
    host->Deploy("ns3::rdma::TraversalKernel");
    ExpectError<VerbsError>([&] { host->AttachToReceive(1, TraversalKernel::RPC_CODE); },
                            "no service");
    ExpectError<VerbsError>([&] { host->AttachToReceive(1, 12345); }, "no service");
    host->Dispose();
}

namespace
{
/// End 0 sends through a service of its own, on a call of its host.
class SendingHosts
{
  public:
    static constexpr uint64_t TO{1 << 20}; ///< Offset at end 1.

    explicit SendingHosts(bool hasHardware)
        : hosts(hasHardware)
    {
        auto sender = CreateObject<SendStreamKernel>();
        sender->Add(service);
        hosts.hosts[0]->Deploy(sender);
        hosts.Start();
    }

    void Send(uint64_t address, uint32_t bytes)
    {
        SendStreamParameters parameters;
        parameters.target = TwoKernelHosts::GetTarget();
        parameters.address = address;
        parameters.bytes = bytes;
        parameters.remoteKey = hosts.bench.ends[1].region.remoteKey;
        parameters.remoteAddress = VerbsEnd::BASE + TO;
        parameters.wrId = 55;
        ASSERT_TRUE(hosts.hosts[0]->Invoke(SendStreamKernel::RPC_CODE,
                                           hosts.bench.ends[0].qp,
                                           0,
                                           parameters.Encode()));
        hosts.bench.Run();
    }

    Ptr<TestService> service = CreateObject<TestService>(Placement::ON_PATH);
    TwoKernelHosts hosts;
};

class SendStream : public testing::TestWithParam<bool>
{
  protected:
    SendingHosts m_sending{GetParam()};
    TwoKernelHosts& m_hosts = m_sending.hosts;
};
} // namespace

TEST_P(SendStream, DataPassTheServiceBeforeTheyAreSent)
{
    constexpr uint32_t BYTES{100'000}; // Seven chunks.
    m_hosts.Put(0, 0, std::vector<uint8_t>(BYTES, 7));
    m_sending.Send(VerbsEnd::BASE, BYTES);
    EXPECT_EQ(m_hosts.bench.ends[1].Read(SendingHosts::TO, BYTES), std::vector<uint8_t>(BYTES, 8));
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::OK);
    const auto ended = m_hosts.bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), 1);
    EXPECT_EQ(ended[0].wrId, 55);
    EXPECT_EQ(ended[0].status, WcStatus::SUCCESS);
    EXPECT_EQ(m_sending.service->addresses.size(), 7);
}

TEST_P(SendStream, ASendReceiveKernelIsAServiceAtEachEnd)
{
    auto reverse = CreateObject<TestService>(Placement::ON_PATH);
    reverse->adds = 255; // Takes away what the sender's adds.
    m_hosts.hosts[1]->Deploy(reverse);
    m_hosts.hosts[1]->AttachToReceive(m_hosts.bench.ends[1].qp, TestService::CODE);
    std::vector<uint8_t> bytes(50'000);
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        bytes[i] = static_cast<uint8_t>(i * 7);
    }
    m_hosts.Put(0, 0, bytes);
    m_sending.Send(VerbsEnd::BASE, 50'000);
    EXPECT_EQ(m_hosts.bench.ends[1].Read(SendingHosts::TO, 50'000), bytes);
    EXPECT_EQ(reverse->bytes, 50'000);
}

TEST_P(SendStream, FaultsRejectionsAndBadParametersAreAnswered)
{
    m_sending.Send(0xdead0000, 100'000);
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::FAULT);
    m_sending.service->rejected = 3;
    m_hosts.Put(0, 0, std::vector<uint8_t>(100'000, 3));
    m_sending.Send(VerbsEnd::BASE, 100'000);
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::REJECTED);
    EXPECT_EQ(m_hosts.bench.ends[1].Read(SendingHosts::TO, 10), std::vector<uint8_t>(10, 0));
    m_sending.Send(VerbsEnd::BASE, 0);
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::BAD_PARAMETERS);
    m_sending.service->rejected = -1;
    m_sending.Send(VerbsEnd::BASE, 1000);
    EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::OK);
}

TEST_P(SendStream, LostPacketsAreSentAsTheServiceLeftThem)
{
    m_hosts.Impair(4);
    m_hosts.Put(0, 0, std::vector<uint8_t>(200'000, 7));
    m_sending.Send(VerbsEnd::BASE, 200'000);
    EXPECT_EQ(m_hosts.bench.ends[1].Read(SendingHosts::TO, 200'000),
              std::vector<uint8_t>(200'000, 8));
    EXPECT_EQ(m_sending.service->bytes, 200'000); // Seen once.
    EXPECT_GT(m_hosts.bench.GetBench().GetDrops(DropReason::LINK_LOSS), 0);
}

INSTANTIATE_TEST_SUITE_P(Hardware,
                         SendStream,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                             return info.param ? "Timed" : "Instant";
                         });
