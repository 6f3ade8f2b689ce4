// SPDX-License-Identifier: GPL-2.0-only
// Every fault ends in a status, or in an error of the work request, at the caller.
#include "two-kernel-hosts.h"

#include "ns3/consistency-kernel.h"
#include "ns3/get-kernel.h"
#include "ns3/hyper-log-log-kernel.h"
#include "ns3/shuffle-kernel.h"
#include "ns3/traversal-kernel.h"
#include "ns3/uinteger.h"

#include <functional>
#include <ostream>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t WILD{0xdead000000000000};
constexpr uint64_t PAGE{2 << 20};
constexpr uint64_t LAST_PAGE_END{VerbsEnd::BASE + TwoKernelHosts::PINNED};
constexpr uint64_t DATA{VerbsEnd::BASE + 2 * PAGE}; ///< The first page holds address 0.

/// How a call must end.
struct Ending
{
    KernelStatus status{KernelStatus::OK};  ///< In the caller's memory.
    WcStatus completion{WcStatus::SUCCESS}; ///< Of the last work request. If it is an error, there
                                            ///< is no status.
};

struct FaultCase
{
    const char* name;
    void (*act)(TwoKernelHosts& hosts);
    Ending ending;
};

std::ostream&
operator<<(std::ostream& out, const FaultCase& fault)
{
    return out << fault.name;
}

TraversalParameters
MakeWalk(uint64_t head, uint64_t key)
{
    TraversalParameters walk;
    walk.target = TwoKernelHosts::GetTarget();
    walk.remoteAddress = head;
    walk.key = key;
    walk.valueSize = 8;
    walk.valuePtrPosition = 4;
    walk.nextElementPtrPosition = 2;
    walk.nextElementPtrValid = true;
    return walk;
}

void
Walk(TwoKernelHosts& hosts, uint64_t head, uint64_t key = 5)
{
    hosts.Call(TraversalKernel::RPC_CODE, MakeWalk(head, key).Encode());
}

/// Writes an element of the list. @return where it is
uint64_t
PutElement(TwoKernelHosts& hosts, uint64_t address, uint64_t key, uint64_t next, uint64_t value)
{
    HostMemory& memory = *hosts.bench.ends[1].memory;
    memory.Write64(address, key);
    memory.Write64(address + 8, next);
    memory.Write64(address + 16, value);
    return address;
}

void
Shuffle(TwoKernelHosts& hosts, uint64_t address, uint32_t room, uint32_t values)
{
    ShuffleParameters parameters{TwoKernelHosts::GetTarget(), 8 * values, 0, 0, {{address, room}}};
    hosts.Call(ShuffleKernel::RPC_CODE, parameters.Encode(64)[0]);
    hosts.Stream(ShuffleKernel::RPC_CODE, 0, 8 * values);
}

/// Loses the first frames of a kind and direction for which a rule holds. @param end that sends
void
LoseFirst(TwoKernelHosts& hosts, uint32_t end, uint64_t count, bool (*isMeant)(const Frame&))
{
    auto left = std::make_shared<uint64_t>(count);
    hosts.bench.GetBench().Lose(0, end, [left, isMeant](const Frame& frame, uint64_t) {
        const bool isLost = isMeant(frame) && *left > 0;
        *left -= isLost;
        return isLost;
    });
}

bool
IsRequest(const Frame& frame)
{
    return opcode::IsRequest(frame.opcode);
}

bool
IsAnswer(const Frame& frame)
{
    return opcode::GetKind(frame.opcode) == OpcodeKind::WRITE;
}

bool
IsAck(const Frame& frame)
{
    return frame.opcode == opcode::ACK;
}

void
WalkAGoodList(TwoKernelHosts& hosts)
{
    Walk(hosts, PutElement(hosts, DATA, 5, 0, DATA + 64));
}

void
LoseAllRequests(TwoKernelHosts& hosts)
{
    LoseFirst(hosts, 0, UINT64_MAX, IsRequest);
    WalkAGoodList(hosts);
}

const FaultCase FAULTS[] = {
    {"None", WalkAGoodList, {KernelStatus::OK}},
    {"UnknownOpcode",
     [](TwoKernelHosts& hosts) {
         // One that is reserved (StRoM Table 1), in all packets.
         hosts.bench.GetBench().Lose(0, 0, [](const Frame& frame, uint64_t) {
             const_cast<Frame&>(frame).opcode = 0x1d;
             return false;
         });
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK, WcStatus::RETRY_EXC_ERR}},
    {"NoKernel",
     [](TwoKernelHosts& hosts) { hosts.Call(999, MakeWalk(0, 5).Encode()); },
     {KernelStatus::NO_KERNEL}},
    {"NoKernelForAStream",
     [](TwoKernelHosts& hosts) { hosts.Stream(999, 0, 5000); },
     {KernelStatus::OK, WcStatus::REM_INV_REQ_ERR}},
    {"NoTarget",
     [](TwoKernelHosts& hosts) {
         hosts.Call(999, {1, 2, 3});
     },
     {KernelStatus::OK, WcStatus::REM_INV_REQ_ERR}},
    {"BadParameters",
     [](TwoKernelHosts& hosts) {
         std::vector<uint8_t> parameters = MakeWalk(0, 5).Encode();
         parameters.resize(20);
         hosts.Call(TraversalKernel::RPC_CODE, parameters);
     },
     {KernelStatus::BAD_PARAMETERS}},
    {"KeyAbsent",
     [](TwoKernelHosts& hosts) { Walk(hosts, PutElement(hosts, DATA, 4, 0, DATA)); },
     {KernelStatus::NOT_FOUND}},
    {"NullPointer", [](TwoKernelHosts& hosts) { Walk(hosts, 0); }, {KernelStatus::FAULT}},
    {"NullValue",
     [](TwoKernelHosts& hosts) { Walk(hosts, PutElement(hosts, DATA, 5, 0, 0)); },
     {KernelStatus::FAULT}},
    {"WildPointer", [](TwoKernelHosts& hosts) { Walk(hosts, WILD); }, {KernelStatus::FAULT}},
    {"WildNextElement",
     [](TwoKernelHosts& hosts) { Walk(hosts, PutElement(hosts, DATA, 4, WILD, 0)); },
     {KernelStatus::FAULT}},
    {"UnpinnedPage",
     [](TwoKernelHosts& hosts) {
         hosts.hosts[1]->GetTlb()->Unpin(DATA + 4 * PAGE, 1);
         Walk(hosts, DATA + 4 * PAGE);
     },
     {KernelStatus::FAULT}},
    {"BorderOfTwoPages",
     [](TwoKernelHosts& hosts) {
         // The element lies across it.
         const uint64_t border = (DATA / PAGE + 1) * PAGE;
         Walk(hosts, PutElement(hosts, border - 12, 5, 0, DATA));
     },
     {KernelStatus::OK}},
    {"BorderToAPageThatIsNotPinned",
     [](TwoKernelHosts& hosts) {
         const uint64_t border = (LAST_PAGE_END / PAGE + 1) * PAGE;
         Walk(hosts, PutElement(hosts, border - 12, 5, 0, DATA));
     },
     {KernelStatus::FAULT}},
    {"CircleInAList",
     [](TwoKernelHosts& hosts) {
         PutElement(hosts, DATA, 1, DATA + 64, 0);
         Walk(hosts, PutElement(hosts, DATA + 64, 2, DATA, 0));
     },
     {KernelStatus::TOO_MANY_STEPS}},
    {"ObjectThatStaysTorn",
     [](TwoKernelHosts& hosts) {
         hosts.Put(1, DATA - VerbsEnd::BASE, std::vector<uint8_t>(64, 1));
         hosts.Call(ConsistencyKernel::RPC_CODE,
                    ConsistencyParameters{TwoKernelHosts::GetTarget(), DATA, 64}.Encode());
     },
     {KernelStatus::TOO_MANY_STEPS}},
    {"AbsentInAGet",
     [](TwoKernelHosts& hosts) {
         hosts.Call(GetKernel::RPC_CODE,
                    GetParameters{TwoKernelHosts::GetTarget(), DATA, 1}.Encode());
     },
     {KernelStatus::NOT_FOUND}},
    {"PartitionOverflow",
     [](TwoKernelHosts& hosts) { Shuffle(hosts, DATA, 10, 2000); },
     {KernelStatus::NO_ROOM}},
    {"PartitionThatIsNotPinned",
     [](TwoKernelHosts& hosts) { Shuffle(hosts, LAST_PAGE_END + PAGE, 2000, 2000); },
     {KernelStatus::FAULT}},
    {"PartitionOverTheEndOfPinnedMemory",
     [](TwoKernelHosts& hosts) {
         const uint64_t border = (LAST_PAGE_END / PAGE + 1) * PAGE;
         Shuffle(hosts, border - 1000, 2000, 2000);
     },
     {KernelStatus::FAULT}},
    {"StreamWithHalfATable",
     [](TwoKernelHosts& hosts) {
         ShuffleParameters half{TwoKernelHosts::GetTarget(), 800, 1, 0, {{DATA, 100}}};
         hosts.Call(ShuffleKernel::RPC_CODE, half.Encode(64)[0]);
         hosts.Stream(ShuffleKernel::RPC_CODE, 0, 800);
     },
     {KernelStatus::BAD_PARAMETERS}},
    {"NoSuchAction",
     [](TwoKernelHosts& hosts) {
         hosts.Call(HyperLogLogKernel::RPC_CODE,
                    HyperLogLogParameters{TwoKernelHosts::GetTarget(),
                                          HyperLogLogParameters::Action::COUNT}
                        .Encode());
     },
     {KernelStatus::BAD_PARAMETERS}},
    {"RequestLost",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 0, 2, IsRequest);
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK}},
    {"AcknowledgmentOfTheRequestLost",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 1, 2, IsAck);
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK}},
    {"AnswerLost",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 1, 2, IsAnswer);
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK}},
    {"AcknowledgmentOfTheAnswerLost",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 0, 2, IsAck);
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK}},
    {"FirstPacketsOfAStreamLost",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 0, 5, IsRequest); // Parameters and the first of the stream.
         Shuffle(hosts, DATA, 2000, 2000);
     },
     {KernelStatus::OK}},
    {"AllRequestsLost", LoseAllRequests, {KernelStatus::OK, WcStatus::RETRY_EXC_ERR}},
    {"NothingComesBack",
     [](TwoKernelHosts& hosts) {
         LoseFirst(hosts, 1, UINT64_MAX, [](const Frame&) { return true; });
         WalkAGoodList(hosts);
     },
     {KernelStatus::OK, WcStatus::RETRY_EXC_ERR}},
};

class KernelFaults : public testing::TestWithParam<std::tuple<FaultCase, bool>>
{
  protected:
    KernelFaults()
        : m_hosts(std::get<bool>(GetParam()))
    {
        for (const char* kernel : {"TraversalKernel",
                                   "GetKernel",
                                   "ConsistencyKernel",
                                   "ShuffleKernel",
                                   "HyperLogLogKernel"})
        {
            m_hosts.hosts[1]->Deploy(std::string("ns3::rdma::") + kernel);
        }
        m_hosts.Start();
        m_hosts.hosts[1]->GetTlb()->Unpin(0, 1);
    }

    TwoKernelHosts m_hosts;
};
} // namespace

TEST_P(KernelFaults, EndInAStatusOrAnErrorAtTheCaller)
{
    const FaultCase& fault = std::get<FaultCase>(GetParam());
    fault.act(m_hosts);
    m_hosts.bench.Run(); // Ends, and so hangs nowhere.
    const auto ended = m_hosts.bench.ends[0].PollSends();
    ASSERT_EQ(ended.size(), m_hosts.calls);
    EXPECT_EQ(ended.back().status, fault.ending.completion);
    if (fault.ending.completion == WcStatus::SUCCESS)
    {
        EXPECT_EQ(m_hosts.GetStatus(), fault.ending.status)
            << GetKernelStatusName(m_hosts.GetStatus());
        // The NIC is none the worse for it: the next call is answered.
        m_hosts.bench.ends[0].memory->Write64(TwoKernelHosts::GetTarget(), 0);
        WalkAGoodList(m_hosts);
        m_hosts.bench.Run();
        EXPECT_EQ(m_hosts.GetStatus(), KernelStatus::OK);
    }
}

INSTANTIATE_TEST_SUITE_P(Table,
                         KernelFaults,
                         testing::Combine(testing::ValuesIn(FAULTS), testing::Bool()),
                         [](const auto& info) {
                             return std::string(std::get<FaultCase>(info.param).name) +
                                    (std::get<bool>(info.param) ? "Timed" : "Instant");
                         });

TEST(KernelQueueFull, CallsWaitAtTheirSenderAndAreAllAnswered)
{
    TwoKernelHosts hosts(true);
    hosts.hosts[1]->SetAttribute("QueuePackets", UintegerValue(1));
    auto kernel = CreateObject<TraversalKernel>();
    kernel->SetAttribute("MaxCalls", UintegerValue(1));
    hosts.hosts[1]->Deploy(kernel);
    hosts.Start();
    const uint64_t head = PutElement(hosts, DATA, 5, 0, DATA);
    constexpr uint32_t CALLS{20};
    for (uint32_t i = 0; i < CALLS; ++i)
    {
        TraversalParameters walk = MakeWalk(head, 5);
        walk.target = TwoKernelHosts::GetTarget(i);
        hosts.Call(TraversalKernel::RPC_CODE, walk.Encode());
    }
    hosts.bench.Run();
    for (uint32_t i = 0; i < CALLS; ++i)
    {
        EXPECT_EQ(hosts.GetStatus(i), KernelStatus::OK) << i;
    }
    EXPECT_GT(hosts.hosts[1]->GetStats().drops, 0);
    EXPECT_EQ(hosts.hosts[1]->GetStats().inputs, CALLS);
}

TEST(KernelAnswer, ToAKeyThatIsNotTheCallersStopsBothQueuePairs)
{
    TwoKernelHosts hosts(true);
    hosts.hosts[1]->Deploy("ns3::rdma::TraversalKernel");
    hosts.Start();
    PostRpc(hosts.bench.GetNic(0),
            hosts.bench.ends[0].qp,
            1,
            TraversalKernel::RPC_CODE,
            MakeWalk(PutElement(hosts, DATA, 5, 0, DATA), 5).Encode(),
            12345);
    hosts.bench.Run();
    EXPECT_EQ(hosts.GetWord(), 0);
    EXPECT_EQ(hosts.bench.events[0], std::vector<AsyncEventType>{AsyncEventType::QP_ACCESS_ERR});
    EXPECT_EQ(hosts.bench.GetState(0), QpState::ERR);
    EXPECT_EQ(hosts.bench.GetState(1), QpState::ERR);
}
