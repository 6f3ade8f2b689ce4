// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_VERBS_TEST_BENCH_H
#define RDMA_VERBS_TEST_BENCH_H

#include "nic-test-bench.h"

#include "ns3/completion-queue.h"
#include "ns3/host-memory.h"
#include "ns3/protection-domain.h"
#include "ns3/receive-queue.h"
#include "ns3/server-ports.h"
#include "ns3/simple-topologies.h"

#include <vector>

namespace ns3::rdma
{

/// One end of a connection with memory, completion queues and one region that allows everything.
struct VerbsEnd
{
    static constexpr uint64_t BASE{0x10000};
    static constexpr uint64_t BYTES{1 << 30}; ///< Sparse.

    uint32_t node{0};
    uint32_t qp{0};
    Ptr<HostMemory> memory;
    Ptr<PayloadMemory> placement; ///< Of the domain, instead of memory, if the test sets it.
    Ptr<ProtectionDomain> domain;
    Ptr<CompletionQueue> sends;
    Ptr<CompletionQueue> receives;
    MemoryRegion region{};
    Ptr<const RequestHandlerFactory>
        handlers; ///< Of its queue pair, instead of both ends', if set.

    /// @return a piece of the region. @param offset in it
    Sge At(uint64_t offset, uint32_t bytes) const
    {
        return {region.address + offset, bytes, region.localKey};
    }

    /// Fills memory with bytes that depend on the place and a salt.
    void Fill(uint64_t offset, uint32_t bytes, uint8_t salt) const
    {
        std::vector<uint8_t> pattern(bytes);
        for (uint32_t i = 0; i < bytes; ++i)
        {
            pattern[i] = static_cast<uint8_t>(i * 7 + salt + (i >> 8));
        }
        memory->Write(region.address + offset, pattern.data(), bytes);
    }

    std::vector<uint8_t> Read(uint64_t offset, uint32_t bytes) const
    {
        std::vector<uint8_t> found(bytes);
        memory->Read(region.address + offset, found.data(), bytes);
        return found;
    }

    std::vector<WorkCompletion> PollSends() const
    {
        return Poll(sends);
    }

    std::vector<WorkCompletion> PollReceives() const
    {
        return Poll(receives);
    }

    static std::vector<WorkCompletion> Poll(const Ptr<CompletionQueue>& queue)
    {
        std::vector<WorkCompletion> completions;
        queue->Poll(UINT32_MAX, completions);
        return completions;
    }
};

/**
 * Two servers on one cable, or with a switch between them, and a connection of any service whose
 * both ends have real memory.  Set attributes, Start(), post, Run(), compare.
 */
class VerbsTestBench
{
  public:
    explicit VerbsTestBench(const std::string& preset, bool hasHardware = false)
        : m_bench(preset, hasHardware)
    {
    }

    ~VerbsTestBench()
    {
        for (const VerbsEnd& end : ends) // Notifiers may hold what holds them.
        {
            if (end.sends)
            {
                end.sends->SetNotifier(nullptr);
                end.receives->SetNotifier(nullptr);
            }
        }
    }

    VerbsTestBench(const VerbsTestBench&) = delete;
    VerbsTestBench& operator=(const VerbsTestBench&) = delete;

    /// @param init of both ends: service, capabilities, signalling, shared queue of end 1
    void Start(const QueuePairInit& init = {}, const QueuePairAttributes& attributes = {})
    {
        const DataRate rate("100Gbps");
        const Time delay = NanoSeconds(500);
        m_bench.Build(m_planes > 1 ? AddEndpoints(MakeStar(2, rate, delay), {{1, 1}, m_planes})
                                   : MakeBackToBack(rate, delay));
        for (uint32_t node = 0; node < 2; ++node)
        {
            VerbsEnd& end = ends[node];
            end.node = node;
            end.memory = Create<HostMemory>();
            const Ptr<PayloadMemory> bytes =
                end.placement ? end.placement : Ptr<PayloadMemory>(end.memory);
            end.domain = Create<ProtectionDomain>(bytes, 1 + 1000 * node);
            end.sends = Create<CompletionQueue>(1 << 20);
            end.receives = Create<CompletionQueue>(1 << 20);
            end.region = end.domain->Register(VerbsEnd::BASE, VerbsEnd::BYTES, ALL_ACCESS);
            QueuePairInit mine = init;
            mine.domain = end.domain;
            mine.sendCompletions = end.sends;
            mine.receiveCompletions = end.receives;
            mine.handlers = end.handlers ? end.handlers : init.handlers;
            if (node == 0)
            {
                mine.sharedReceiveQueue = nullptr;
            }
            end.qp = GetNic(node).CreateQueuePair(mine);
            GetNic(node).SetAsyncEventHandler(
                [this, node](const AsyncEvent& event) { events[node].push_back(event.type); });
        }
        for (uint32_t node = 0; node < 2; ++node)
        {
            GetNic(node).Connect(ends[node].qp,
                                 {1 - node, ends[1 - node].qp, 1, m_initialPsn},
                                 attributes);
        }
    }

    /// @param planes ports of each server, with a switch between each pair of ports if there are
    /// several
    void SetPlanes(uint32_t planes)
    {
        m_planes = planes;
    }

    void SetInitialPsn(uint32_t psn)
    {
        m_initialPsn = psn;
    }

    /// @return a request of end 0 from its offset to end 1's, for the other fields to be set.
    SendWorkRequest MakeRequest(WrOpcode opcode,
                                uint64_t wrId,
                                uint64_t localOffset,
                                uint32_t bytes,
                                uint64_t remoteOffset = 0,
                                uint32_t from = 0) const
    {
        const VerbsEnd& peer = ends[1 - from];
        SendWorkRequest request;
        request.wrId = wrId;
        request.opcode = opcode;
        request.sgList = {ends[from].At(localOffset, bytes)};
        request.remoteAddress = peer.region.address + remoteOffset;
        request.remoteKey = peer.region.remoteKey;
        request.destination = {1 - from, 1};
        request.remoteQp = peer.qp;
        return request;
    }

    PostResult Post(const SendWorkRequest& request, uint32_t from = 0)
    {
        return GetNic(from).PostSend(ends[from].qp, request);
    }

    PostResult PostReceive(uint64_t wrId, uint64_t offset, uint32_t bytes, uint32_t at = 1)
    {
        ReceiveWorkRequest request;
        request.wrId = wrId;
        request.sgList = {ends[at].At(offset, bytes)};
        return GetNic(at).PostReceive(ends[at].qp, request);
    }

    RdmaNic& GetNic(uint32_t node)
    {
        return m_bench.GetNic(node);
    }

    QpState GetState(uint32_t node)
    {
        return GetNic(node).FindQueuePair(ends[node].qp)->state;
    }

    NicTestBench& GetBench()
    {
        return m_bench;
    }

    static void Run()
    {
        Simulator::Run();
    }

    static constexpr uint8_t ALL_ACCESS{memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                        memory_access::REMOTE_READ | memory_access::REMOTE_ATOMIC};

    VerbsEnd ends[2];
    std::vector<AsyncEventType> events[2]; ///< By node.

  private:
    NicTestBench m_bench;
    uint32_t m_planes{1};
    uint32_t m_initialPsn{0};
};

} // namespace ns3::rdma

#endif // RDMA_VERBS_TEST_BENCH_H
