// SPDX-License-Identifier: GPL-2.0-only

// Each completion status, produced end to end: what both consumers get, each request exactly
// once, and the states that both queue pairs are left in.

#include "verbs-outcome.h"

#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t LONG{2000}; ///< Two packets of 1024 bytes.

struct StatusCase
{
    const char* name;
    WcStatus status; ///< That it is about.
    void (*act)(VerbsTestBench&);
    VerbsOutcome expected;
};

/// Two requests, the first of which fails by what "spoil" changes; receive requests 21 and 22.
template <typename Spoil>
void
PostSpoiled(VerbsTestBench& bench, WrOpcode opcode, uint32_t bytes, Spoil spoil)
{
    bench.PostReceive(21, 0, LONG);
    bench.PostReceive(22, 0, LONG);
    SendWorkRequest request = bench.MakeRequest(opcode, 1, 0, bytes);
    spoil(request);
    bench.Post(request);
    bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG));
    bench.Run();
}

/// The first request goes to a region of node 1 that lacks what it needs.
void
PostToRegion(VerbsTestBench& bench, WrOpcode opcode, uint8_t access)
{
    bench.Start();
    VerbsEnd& peer = bench.ends[1];
    const MemoryRegion region = peer.domain->Register(1 << 24, 4096, access);
    PostSpoiled(bench, opcode, 8, [&region](SendWorkRequest& request) {
        request.remoteAddress = region.address;
        request.remoteKey = region.remoteKey;
    });
}

void
ForgeAtomicAck(VerbsTestBench& bench)
{
    NicTestBench& fabric = bench.GetBench();
    const FrameIndex index = fabric.GetCore().pool.Allocate();
    Frame& frame = fabric.GetCore().pool[index];
    frame = Frame{};
    frame.src = 1;
    frame.dst = 0;
    frame.wireBytes = 70;
    frame.dstQp = bench.ends[0].qp;
    frame.opcode = opcode::ATOMIC_ACK;
    frame.syndrome = syndrome::ACK;
    fabric.GetFabric().GetLinkPort(0, 1).Enqueue(index);
}

constexpr auto NOTHING = [](SendWorkRequest&) {};

const VerbsOutcome FORBIDDEN{{"1 REM_ACCESS_ERR, 2 WR_FLUSH_ERR", ""},
                             {"", "21 WR_FLUSH_ERR, 22 WR_FLUSH_ERR"},
                             "ERR, ERR",
                             {"", "QP_ACCESS_ERR"}};

const VerbsOutcome LOCALLY_FORBIDDEN{{"1 LOC_PROT_ERR, 2 WR_FLUSH_ERR", ""},
                                     {"", ""},
                                     "ERR, RTS",
                                     {"", ""}};

const StatusCase CASES[] = {
    {"Success",
     WcStatus::SUCCESS,
     [](VerbsTestBench& bench) {
         bench.Start();
         PostSpoiled(bench, WrOpcode::SEND, LONG, NOTHING);
     },
     {{"1 SUCCESS, 2 SUCCESS", ""}, {"", "21 SUCCESS"}, "RTS, RTS", {"", ""}}},
    {"TheReceiveBufferIsTooShort",
     WcStatus::LOC_LEN_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         bench.PostReceive(20, 0, LONG - 1);
         PostSpoiled(bench, WrOpcode::SEND, LONG, NOTHING);
     },
     {{"1 REM_INV_REQ_ERR, 2 WR_FLUSH_ERR", ""},
      {"", "20 LOC_LEN_ERR, 21 WR_FLUSH_ERR, 22 WR_FLUSH_ERR"},
      "ERR, ERR",
      {"", "QP_FATAL"}}},
    {"ADatagramIsLongerThanTheMtu",
     WcStatus::LOC_LEN_ERR,
     [](VerbsTestBench& bench) {
         QueuePairInit init;
         init.service = Service::UD;
         bench.Start(init);
         bench.PostReceive(21, 0, LONG);
         bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, 1024)); // The MTU exactly.
         bench.Post(bench.MakeRequest(WrOpcode::SEND, 2, 0, 1025));
         bench.Post(bench.MakeRequest(WrOpcode::SEND, 3, 0, 1));
         bench.Run();
     },
     {{"1 SUCCESS, 2 LOC_LEN_ERR, 3 WR_FLUSH_ERR", ""}, {"", "21 SUCCESS"}, "SQE, RTS", {"", ""}}},
    {"AReadWithoutResourcesForReads",
     WcStatus::LOC_QP_OP_ERR,
     [](VerbsTestBench& bench) {
         QueuePairAttributes attributes;
         attributes.maxReadsAndAtomics = 0;
         bench.Start({}, attributes);
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG));
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 0, LONG));
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 3, 0, LONG));
         bench.Run();
     },
     {{"1 SUCCESS, 2 LOC_QP_OP_ERR, 3 WR_FLUSH_ERR", ""}, {"", ""}, "ERR, RTS", {"", ""}}},
    {"ALocalKeyThatIsNone",
     WcStatus::LOC_PROT_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         SendWorkRequest request = bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG);
         request.sgList[0].localKey = bench.ends[0].region.remoteKey; // Of the peer's use only.
         bench.Post(request);
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG));
         bench.Run();
     },
     LOCALLY_FORBIDDEN},
    {"ALocalRegionThatIsGone",
     WcStatus::LOC_PROT_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         bench.ends[0].domain->Deregister(bench.ends[0].region);
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 1, 0, LONG));
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG));
         bench.Run();
     },
     LOCALLY_FORBIDDEN},
    {"AReceiveBufferThatMayNotBeWritten",
     WcStatus::REM_OP_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         VerbsEnd& peer = bench.ends[1];
         const MemoryRegion region = peer.domain->Register(1 << 24, 4096, 0);
         ReceiveWorkRequest receive;
         receive.wrId = 20;
         receive.sgList = {{region.address, 4096, region.localKey}};
         bench.GetNic(1).PostReceive(peer.qp, receive);
         PostSpoiled(bench, WrOpcode::SEND, LONG, NOTHING);
     },
     {{"1 REM_OP_ERR, 2 WR_FLUSH_ERR", ""},
      {"", "20 LOC_PROT_ERR, 21 WR_FLUSH_ERR, 22 WR_FLUSH_ERR"},
      "ERR, ERR",
      {"", "QP_FATAL"}}},
    {"AQueuePairThatItsConsumerStopped",
     WcStatus::WR_FLUSH_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         bench.PostReceive(11, 0, LONG, 0);
         bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
         bench.GetNic(0).ModifyQueuePair(bench.ends[0].qp, QpState::ERR);
         EXPECT_EQ(bench.Post(bench.MakeRequest(WrOpcode::RDMA_READ, 2, 0, LONG)), PostResult::OK);
         EXPECT_EQ(bench.PostReceive(12, 0, LONG, 0), PostResult::OK);
         bench.Run();
     },
     {{"1 WR_FLUSH_ERR, 2 WR_FLUSH_ERR", ""},
      {"11 WR_FLUSH_ERR, 12 WR_FLUSH_ERR", ""},
      "ERR, RTS",
      {"", ""}}},
    {"AnAnswerThatDoesNotFit",
     WcStatus::BAD_RESP_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         ForgeAtomicAck(bench);
         PostSpoiled(bench, WrOpcode::RDMA_WRITE, LONG, NOTHING);
     },
     {{"1 BAD_RESP_ERR, 2 WR_FLUSH_ERR", ""}, {"", ""}, "ERR, RTS", {"", ""}}},
    {"ImmediateDataOfAForbiddenWrite",
     WcStatus::LOC_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         PostSpoiled(bench, WrOpcode::RDMA_WRITE_WITH_IMM, 8, [&bench](SendWorkRequest& request) {
             request.remoteAddress += VerbsEnd::BYTES - 7; // One byte beyond.
         });
     },
     {{"1 REM_ACCESS_ERR, 2 WR_FLUSH_ERR", ""},
      {"", "21 LOC_ACCESS_ERR, 22 WR_FLUSH_ERR"},
      "ERR, ERR",
      {"", "QP_FATAL"}}},
    {"AnAtomicThatIsNotAligned",
     WcStatus::REM_INV_REQ_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         PostSpoiled(bench, WrOpcode::ATOMIC_FETCH_AND_ADD, 8, [](SendWorkRequest& request) {
             request.remoteAddress += 4;
         });
     },
     {{"1 REM_INV_REQ_ERR, 2 WR_FLUSH_ERR", ""},
      {"", "21 WR_FLUSH_ERR, 22 WR_FLUSH_ERR"},
      "ERR, ERR",
      {"", "QP_REQ_ERR"}}},
    {"ARemoteKeyThatIsNone",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         PostSpoiled(bench, WrOpcode::RDMA_WRITE, LONG, [&bench](SendWorkRequest& request) {
             request.remoteKey = bench.ends[1].region.localKey; // Of its owner's use only.
         });
     },
     FORBIDDEN},
    {"AReadThatEndsBeyondItsRegion",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         PostSpoiled(bench, WrOpcode::RDMA_READ, LONG, [](SendWorkRequest& request) {
             request.remoteAddress += VerbsEnd::BYTES - LONG + 1; // One byte beyond.
         });
     },
     FORBIDDEN},
    {"AWriteToMemoryThatMayOnlyBeRead",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         PostToRegion(bench, WrOpcode::RDMA_WRITE, memory_access::REMOTE_READ);
     },
     FORBIDDEN},
    {"AReadOfMemoryThatMayOnlyBeWritten",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         PostToRegion(bench,
                      WrOpcode::RDMA_READ,
                      memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                          memory_access::REMOTE_ATOMIC);
     },
     FORBIDDEN},
    {"AnAtomicOnMemoryThatAllowsNone",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         PostToRegion(bench,
                      WrOpcode::ATOMIC_CMP_AND_SWP,
                      memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                          memory_access::REMOTE_READ);
     },
     FORBIDDEN},
    {"AQueuePairThatAllowsNoReads",
     WcStatus::REM_ACCESS_ERR,
     [](VerbsTestBench& bench) {
         QueuePairAttributes attributes;
         attributes.access = memory_access::REMOTE_WRITE;
         bench.Start({}, attributes);
         PostSpoiled(bench, WrOpcode::RDMA_READ, LONG, NOTHING);
     },
     FORBIDDEN},
    {"APeerThatIsGone",
     WcStatus::RETRY_EXC_ERR,
     [](VerbsTestBench& bench) {
         bench.Start();
         bench.PostReceive(11, 0, LONG, 0);
         bench.GetBench().GetFabric().SetLinkUp(0, false);
         PostSpoiled(bench, WrOpcode::RDMA_WRITE, LONG, NOTHING);
     },
     {{"1 RETRY_EXC_ERR, 2 WR_FLUSH_ERR", ""}, {"11 WR_FLUSH_ERR", ""}, "ERR, RTS", {"", ""}}},
    {"AReceiverThatIsNeverReady",
     WcStatus::RNR_RETRY_EXC_ERR,
     [](VerbsTestBench& bench) {
         QueuePairAttributes attributes;
         attributes.rnrRetry = 2;
         bench.Start({}, attributes);
         bench.Post(bench.MakeRequest(WrOpcode::SEND, 1, 0, LONG));
         bench.Post(bench.MakeRequest(WrOpcode::RDMA_WRITE, 2, 0, LONG));
         bench.Run();
     },
     {{"1 RNR_RETRY_EXC_ERR, 2 WR_FLUSH_ERR", ""}, {"", ""}, "ERR, RTS", {"", ""}}},
};

class CompletionStatus : public testing::TestWithParam<std::tuple<StatusCase, const char*>>
{
};
} // namespace

TEST_P(CompletionStatus, IsReportedOnceAndLeavesTheRightStates)
{
    const auto& [item, preset] = GetParam();
    VerbsTestBench bench(preset);
    item.act(bench);
    const VerbsOutcome found = TakeOutcome(bench);
    EXPECT_EQ(found, item.expected);
    bench.GetBench().ExpectEmpty();
}

INSTANTIATE_TEST_SUITE_P(Designs,
                         CompletionStatus,
                         testing::Combine(testing::ValuesIn(CASES),
                                          testing::Values("connectx6", "srnic")),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param).name) + "_" +
                                    std::get<1>(info.param);
                         });

TEST(CompletionStatuses, HaveATestEach)
{
    std::set<WcStatus> covered;
    for (const StatusCase& item : CASES)
    {
        // A case that says what it is about must also expect it.
        const std::string name = GetWcStatusName(item.status);
        const VerbsOutcome& notices = item.expected;
        const std::string all =
            notices.sends[0] + notices.receives[0] + notices.sends[1] + notices.receives[1];
        EXPECT_NE(all.find(name), std::string::npos) << item.name;
        covered.insert(item.status);
    }
    EXPECT_EQ(covered.size(), static_cast<std::size_t>(WcStatus::COUNT));
}
