// SPDX-License-Identifier: GPL-2.0-only

// Random work requests over a link that loses, duplicates and reorders, against a reference model
// that carries each request out at once, in the order of posting.

#include "verbs-test-bench.h"

#include "ns3/double.h"
#include "ns3/link-impairment.h"
#include "ns3/random-stream.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iterator>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t REQUESTS{1000};

// Where things are in each region: what the peer changes, what READs fetch, what is sent, and what
// receive requests fill.
constexpr uint64_t SHARED_AREA{0};
constexpr uint32_t SHARED_BYTES{20'000};
constexpr uint64_t FETCHED_AREA{1 << 24};
constexpr uint64_t SENT_AREA{1 << 26};
constexpr uint64_t RECEIVED_AREA{1 << 28};
constexpr uint32_t RECEIVE_BYTES{12'000};
constexpr uint32_t LONGEST{9'000};

using Bytes = std::vector<uint8_t>;

/// What the other end is to find in a receive completion.
struct ExpectedReceive
{
    WcOpcode opcode;
    uint32_t byteLength;
    std::optional<uint32_t> immediate;
    Bytes bytes; ///< In the receive buffer; a WRITE leaves it alone.
};

/// What READs and atomics are to have left in local memory.
struct ExpectedFetch
{
    uint64_t request;
    uint64_t offset;
    Bytes bytes;
};

/// The requests of one end, and the reference model of what they do.
class Consumer
{
  public:
    Consumer(VerbsTestBench& bench, uint32_t node, uint64_t seed)
        : m_bench(bench),
          m_node(node),
          m_peer(1 - node),
          m_random(seed, node),
          m_shared(SHARED_BYTES, 0)
    {
    }

    /// @param badRequest number of the request with a forbidden key; REQUESTS: none
    void Start(uint32_t badRequest)
    {
        m_bad = badRequest;
        StartReceiving();
        PostSome();
    }

    void StartReceiving()
    {
        for (uint32_t i = 0; i < 1 + Draw(8); ++i)
        {
            PostReceive();
        }
        m_bench.ends[m_node].receives->SetNotifier([this] { TakeReceives(); });
        m_bench.ends[m_node].receives->RequestNotify(false);
    }

    /// Whether the run left what the reference model says. @param peer whose memory it changed
    void Check(const Consumer& peer) const
    {
        const auto sends = m_bench.ends[m_node].PollSends();
        const auto fatal = std::find_if(sends.begin(), sends.end(), [](const auto& completion) {
            return completion.status != WcStatus::SUCCESS;
        });
        const uint64_t end = fatal == sends.end() ? REQUESTS : fatal->wrId;
        CheckFatal(end, fatal == sends.end() ? WcStatus::SUCCESS : fatal->status);
        std::vector<uint64_t> expected; // Up to the error what is signaled, then all.
        std::copy_if(m_signaled.begin(),
                     m_signaled.end(),
                     std::back_inserter(expected),
                     [end](uint64_t request) { return request < end; });
        for (uint64_t request = end; request < REQUESTS; ++request)
        {
            expected.push_back(request);
        }
        ASSERT_EQ(sends.size(), expected.size());
        for (std::size_t i = 0; i < sends.size(); ++i)
        {
            EXPECT_EQ(sends[i].wrId, expected[i]);
            EXPECT_EQ(sends[i].status,
                      expected[i] < end    ? WcStatus::SUCCESS
                      : expected[i] == end ? fatal->status
                                           : WcStatus::WR_FLUSH_ERR);
        }
        EXPECT_EQ(m_bench.ends[m_peer].Read(SHARED_AREA, SHARED_BYTES), m_shared);
        for (const ExpectedFetch& fetch : m_fetches)
        {
            if (fetch.request >= end)
            {
                continue; // It may have ended before its response came.
            }
            EXPECT_EQ(
                m_bench.ends[m_node].Read(fetch.offset, static_cast<uint32_t>(fetch.bytes.size())),
                fetch.bytes);
        }
        EXPECT_EQ(peer.m_received, m_receives.size());
        EXPECT_EQ(m_posted, REQUESTS);
    }

    std::deque<ExpectedReceive> m_receives; ///< At the peer, in order.
    std::vector<Tick> m_times;              ///< When consumers here were notified of them.

    void SetPeer(Consumer* peer)
    {
        m_other = peer;
    }

  private:
    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>((uint64_t{m_random.Next32()} * below) >> 32);
    }

    /// The forbidden request ends the connection. Where its NAK is lost, the dead peer answers
    /// nothing more: then the oldest request without an acknowledgment ends it, by the timer.
    void CheckFatal(uint64_t request, WcStatus status) const
    {
        if (status == WcStatus::REM_ACCESS_ERR)
        {
            EXPECT_EQ(request, m_bad);
        }
        else if (status == WcStatus::RETRY_EXC_ERR)
        {
            EXPECT_LE(request, m_bad);
            EXPECT_LT(m_bad, REQUESTS);
        }
        else
        {
            EXPECT_EQ(status, WcStatus::SUCCESS);
            EXPECT_EQ(m_bad, REQUESTS);
        }
    }

    void PostSome()
    {
        const uint32_t burst = 1 + Draw(20);
        for (uint32_t i = 0; i < burst && m_posted < REQUESTS; ++i)
        {
            PostOne();
        }
        if (m_posted < REQUESTS)
        {
            Simulator::Schedule(NanoSeconds(Draw(30'000)), &Consumer::PostSome, this);
        }
    }

    void PostOne()
    {
        constexpr WrOpcode KINDS[] = {WrOpcode::RDMA_WRITE,
                                      WrOpcode::RDMA_WRITE_WITH_IMM,
                                      WrOpcode::SEND,
                                      WrOpcode::SEND_WITH_IMM,
                                      WrOpcode::RDMA_READ,
                                      WrOpcode::ATOMIC_CMP_AND_SWP,
                                      WrOpcode::ATOMIC_FETCH_AND_ADD};
        const bool isBad = m_posted == m_bad;
        const WrOpcode kind = isBad ? WrOpcode::RDMA_WRITE : KINDS[Draw(7)];
        const bool isAtomic = IsAtomic(kind);
        const uint32_t bytes = isAtomic ? 8 : isBad ? 100 : DrawLength();
        const uint64_t remote =
            isAtomic ? 8 * Draw(SHARED_BYTES / 8) : Draw(SHARED_BYTES - bytes + 1);
        const bool fetches = HasResponse(kind);
        uint64_t& area = fetches ? m_nextFetch : m_nextSend;
        SendWorkRequest request =
            m_bench.MakeRequest(kind, m_posted, area, bytes, SHARED_AREA + remote, m_node);
        area += bytes;
        if (!fetches)
        {
            m_bench.ends[m_node].Fill(request.sgList[0].address - VerbsEnd::BASE,
                                      bytes,
                                      static_cast<uint8_t>(m_posted));
            request.isInline = bytes <= 200 && Draw(2) == 0;
        }
        request.isSignaled = Draw(3) > 0;
        request.isSolicited = Draw(2) == 0;
        request.immediate = m_random.Next32();
        request.compareAdd = Draw(4);
        request.swap = Draw(4);
        request.isFenced = NeedsFence(kind, remote, bytes) || Draw(20) == 0;
        request.remoteKey += isBad ? 0x10000 : 0;
        if (request.isSignaled)
        {
            m_signaled.push_back(m_posted);
        }
        if (m_posted < m_bad)
        {
            CarryOut(request, remote, bytes);
        }
        ++m_posted;
        ASSERT_EQ(m_bench.Post(request, m_node), PostResult::OK);
    }

    uint32_t DrawLength()
    {
        const uint32_t kind = Draw(10);
        return kind == 0 ? 0 : kind < 5 ? Draw(200) : Draw(LONGEST);
    }

    /// A READ may be answered after what is posted behind it, unless that waits (IBTA Vol. 1,
    /// Table 76).
    bool NeedsFence(WrOpcode kind, uint64_t remote, uint32_t bytes)
    {
        if (kind == WrOpcode::RDMA_READ)
        {
            m_reads.push_back({remote, remote + bytes});
            return false;
        }
        const bool changes =
            kind == WrOpcode::RDMA_WRITE || kind == WrOpcode::RDMA_WRITE_WITH_IMM || IsAtomic(kind);
        for (const auto& [first, end] : m_reads)
        {
            if (changes && remote < end && first < remote + bytes)
            {
                m_reads.clear();
                return true;
            }
        }
        return false;
    }

    /// The reference model.
    void CarryOut(const SendWorkRequest& request, uint64_t remote, uint32_t bytes)
    {
        const uint64_t local = request.sgList[0].address - VerbsEnd::BASE;
        const auto begin = m_shared.begin() + static_cast<std::ptrdiff_t>(remote);
        const Bytes source = m_bench.ends[m_node].Read(local, bytes);
        const std::optional<uint32_t> immediate =
            HasImmediate(request.opcode) ? std::optional(request.immediate) : std::nullopt;
        switch (request.opcode)
        {
        case WrOpcode::RDMA_WRITE_WITH_IMM:
            m_receives.push_back({WcOpcode::RECV_RDMA_WITH_IMM, bytes, immediate, {}});
            [[fallthrough]];
        case WrOpcode::RDMA_WRITE:
            std::copy(source.begin(), source.end(), begin);
            break;
        case WrOpcode::SEND:
        case WrOpcode::SEND_WITH_IMM:
            m_receives.push_back({WcOpcode::RECV, bytes, immediate, source});
            break;
        case WrOpcode::RDMA_READ:
            m_fetches.push_back({request.wrId, local, Bytes(begin, begin + bytes)});
            break;
        default:
            CarryOutAtomic(request, local, &*begin);
        }
    }

    void CarryOutAtomic(const SendWorkRequest& request, uint64_t local, uint8_t* place)
    {
        m_fetches.push_back({request.wrId, local, Bytes(place, place + 8)});
        uint64_t value = 0;
        for (int i = 7; i >= 0; --i)
        {
            value = value << 8 | place[i];
        }
        if (request.opcode == WrOpcode::ATOMIC_FETCH_AND_ADD)
        {
            value += request.compareAdd;
        }
        else if (value == request.compareAdd)
        {
            value = request.swap;
        }
        for (int i = 0; i < 8; ++i)
        {
            place[i] = static_cast<uint8_t>(value >> (8 * i));
        }
    }

    void PostReceive()
    {
        m_bench.PostReceive(m_buffers,
                            RECEIVED_AREA + uint64_t{m_buffers} * RECEIVE_BYTES,
                            RECEIVE_BYTES,
                            m_node);
        ++m_buffers;
    }

    void TakeReceives()
    {
        m_bench.ends[m_node].receives->RequestNotify(false);
        for (const WorkCompletion& completion : m_bench.ends[m_node].PollReceives())
        {
            if (completion.status == WcStatus::WR_FLUSH_ERR)
            {
                continue;
            }
            CheckReceive(completion);
            m_times.push_back(m_bench.GetBench().Now());
            ++m_received;
            Simulator::Schedule(NanoSeconds(Draw(20'000)), &Consumer::PostReceive, this);
        }
    }

    void CheckReceive(const WorkCompletion& completion)
    {
        ASSERT_LT(m_received, m_other->m_receives.size());
        const ExpectedReceive& expected = m_other->m_receives[m_received];
        EXPECT_EQ(completion.status, WcStatus::SUCCESS);
        EXPECT_EQ(completion.wrId, m_received); // Requests are used in order.
        EXPECT_EQ(completion.opcode, expected.opcode);
        EXPECT_EQ(completion.byteLength, expected.byteLength);
        EXPECT_EQ(completion.hasImmediate, expected.immediate.has_value());
        EXPECT_EQ(completion.immediate, expected.immediate.value_or(0));
        EXPECT_EQ(m_bench.ends[m_node].Read(RECEIVED_AREA + completion.wrId * RECEIVE_BYTES,
                                            static_cast<uint32_t>(expected.bytes.size())),
                  expected.bytes);
    }

    VerbsTestBench& m_bench;
    uint32_t m_node;
    uint32_t m_peer;
    RandomStream m_random;
    Consumer* m_other{nullptr};
    Bytes m_shared; ///< The peer's shared area, as it must be.
    std::vector<ExpectedFetch> m_fetches;
    std::vector<uint64_t> m_signaled; ///< Requests that must be reported, in order.
    std::vector<std::pair<uint64_t, uint64_t>> m_reads; ///< Ranges since the last fence.
    uint64_t m_nextFetch{FETCHED_AREA};
    uint64_t m_nextSend{SENT_AREA};
    uint32_t m_posted{0};
    uint32_t m_bad{REQUESTS};
    uint32_t m_buffers{0};
    std::size_t m_received{0};
};

/// Both ends post REQUESTS random requests over one bad cable.
class VerbsProperty : public EachNicDesign
{
  protected:
    /// @param seed further ones by the environment: ROCELAB_SEED_OFFSET is added
    void Run(uint64_t seed, bool hasBadRequest, bool hasHardware = false, uint32_t planes = 1)
    {
        const char* offset = std::getenv("ROCELAB_SEED_OFFSET");
        seed += offset ? std::strtoull(offset, nullptr, 10) : 0;
        SCOPED_TRACE(seed);
        RandomStream random(seed, 99);
        const auto draw = [&random](uint32_t below) {
            return static_cast<uint32_t>((uint64_t{random.Next32()} * below) >> 32);
        };
        VerbsTestBench bench(GetParam(), hasHardware);
        NicTestBench::Set("RdmaNic::PathMtu", std::to_string(256U << draw(5)));
        NicTestBench::Set("RdmaNic::AckInterval", std::to_string(1 + draw(4)));
        NicTestBench::Set("RdmaNic::RetryCount", "50"); // No connection is to break by loss.
        NicTestBench::Set("FixedTimeout::Timeout", "200us");
        NicTestBench::Set("FixedTimeout::LateTimeout", "400us");
        QueuePairAttributes attributes;
        attributes.minRnrTimer = 1; // 10 us.
        bench.SetInitialPsn(0xffff00 + draw(1000));
        bench.SetPlanes(planes);
        bench.Start({}, attributes);
        EXPECT_EQ(bench.GetNic(0).GetPlaneCount(), planes);
        Fabric& fabric = bench.GetBench().GetFabric();
        const std::size_t links = fabric.GetGraph().links.size();
        for (uint32_t end = 0; end < 2 * links; ++end)
        {
            auto impairment = CreateObject<LinkImpairment>();
            impairment->SetAttribute("LossRate", DoubleValue(0.0001 * draw(200)));
            impairment->SetAttribute("DuplicateRate", DoubleValue(0.0001 * draw(200)));
            impairment->SetAttribute("ReorderRate", DoubleValue(0.0001 * draw(500)));
            impairment->SetAttribute("MaxExtraDelay", TimeValue(NanoSeconds(draw(3000))));
            impairment->SetStream(RandomStream(seed, 7 + end));
            fabric.GetLinkPort(end / 2, end % 2).SetLossModel(impairment);
        }
        Consumer first(bench, 0, seed);
        Consumer second(bench, 1, seed);
        first.SetPeer(&second);
        second.SetPeer(&first);
        first.Start(hasBadRequest ? draw(REQUESTS) : REQUESTS);
        if (!hasBadRequest)
        {
            second.Start(REQUESTS);
        }
        else
        {
            second.StartReceiving();
        }
        Simulator::Stop(
            Seconds(1000)); // Far beyond any patience: what is under way then has stalled.
        bench.Run();
        first.Check(second);
        if (!hasBadRequest)
        {
            second.Check(first);
        }
        bench.GetBench().ExpectEmpty();
        m_times = first.m_times;
        m_times.insert(m_times.end(), second.m_times.begin(), second.m_times.end());
    }

    std::vector<Tick> m_times; ///< Of what both ends received in the last run.
};
} // namespace

TEST_P(VerbsProperty, EachRequestCompletesOnceInOrderAndMemoryIsAsIfAtOnce)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        Run(seed, false);
    }
}

TEST_P(VerbsProperty, AForbiddenRequestEndsThoseBehindItAndNoneBeforeIt)
{
    for (uint64_t seed = 1; seed <= 3; ++seed)
    {
        Run(seed, true);
    }
}

TEST_P(VerbsProperty, TheSameWithHardwareThatTakesTime)
{
    for (uint64_t seed = 1; seed <= 2; ++seed)
    {
        Run(seed, false, true);
        Run(seed, true, true);
    }
}

/// More requests at random than are tried each time.
class MoreVerbsProperty : public VerbsProperty
{
};

TEST_P(MoreVerbsProperty, EachRequestCompletesOnceUntilOneIsForbidden)
{
    for (uint64_t seed = 4; seed <= 10; ++seed)
    {
        Run(seed, false);
        Run(seed, true);
    }
}

TEST_P(MoreVerbsProperty, TheSameWithHardwareThatTakesTime)
{
    for (uint64_t seed = 3; seed <= 4; ++seed)
    {
        Run(seed, false, true);
        Run(seed, true, true);
    }
}

TEST_P(VerbsProperty, HardwareThatTakesTimeIsRepeatable)
{
    Run(5, false, true);
    const std::vector<Tick> times = m_times;
    EXPECT_GT(times.size(), 100); // Both ends together took that many receive requests.
    Run(5, false, true);
    EXPECT_EQ(m_times, times);
}

/// READs, WRITEs, SENDs and atomics on two and four planes, with losses on each link.
class VerbsOnPlanesProperty : public VerbsProperty
{
};

TEST_P(VerbsOnPlanesProperty, EachRequestCompletesOnceUntilOneIsForbidden)
{
    for (const uint32_t planes : {2U, 4U})
    {
        SCOPED_TRACE(planes);
        for (const uint64_t seed : {1, 42, 46}) // 42 and 46 did not end with `uet`.
        {
            Run(seed, false, false, planes);
            Run(seed, true, false, planes);
        }
    }
}

TEST_P(VerbsOnPlanesProperty, TheSameWithHardwareThatTakesTime)
{
    Run(3, false, true, 2);
    Run(3, true, true, 4);
}

RDMA_FOR_EACH_NIC_DESIGN(VerbsProperty);
INSTANTIATE_TEST_SUITE_P(Multipath,
                         VerbsOnPlanesProperty,
                         testing::Values("uet", "uet-rccc", "mrc"),
                         GetDesignName);
INSTANTIATE_TEST_SUITE_P(Multipath,
                         VerbsProperty,
                         testing::Values("connectx7-ar", "uet", "uet-rccc", "mrc", "dcp"),
                         GetDesignName);
INSTANTIATE_TEST_SUITE_P(SlowSeeds,
                         MoreVerbsProperty,
                         testing::Values("connectx6", "irn", "srnic", "balboa"),
                         GetDesignName);
