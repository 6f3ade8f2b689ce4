// SPDX-License-Identifier: GPL-2.0-only
// Two servers, two connections, one shared receive queue: see README.md beside this file.

#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/host-memory.h"
#include "ns3/rdma-nic.h"
#include "ns3/simple-topologies.h"
#include "ns3/simulator.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t MEMORY{0x10000};
constexpr uint32_t SLOT{32}; ///< Bytes of memory per request.

/// A server with memory that its peers may not touch, and one completion queue.
struct Host
{
    Host(Fabric& fabric, uint32_t node)
        : region(domain->Register(MEMORY, 1 << 20, memory_access::LOCAL_WRITE))
    {
        const HeaderSizes sizes = nic->GetHeaderSizes();
        nic->Start(fabric.GetCore(),
                   fabric.GetServerDevice(node),
                   node,
                   fabric.GetMaxBaseRtt(sizes.GetWriteFrame(false, nic->GetPathMtu()),
                                        sizes.GetAckFrame()));
    }

    uint32_t MakeQueuePair(const Ptr<ReceiveQueue>& shared)
    {
        QueuePairInit init;
        init.domain = domain;
        init.sendCompletions = completions;
        init.receiveCompletions = completions;
        init.sharedReceiveQueue = shared;
        return nic->CreateQueuePair(init);
    }

    SgeList GetSlot(uint64_t slot, uint32_t bytes = SLOT) const
    {
        return {{MEMORY + slot * SLOT, bytes, region.localKey}};
    }

    Ptr<RdmaNic> nic{CreateObject<RdmaNic>()};
    Ptr<HostMemory> memory{Create<HostMemory>()};
    Ptr<ProtectionDomain> domain{Create<ProtectionDomain>(memory)};
    Ptr<CompletionQueue> completions{Create<CompletionQueue>(100)};
    MemoryRegion region;
};

void
PostReceives(Host& host, ReceiveQueue& queue, uint64_t first, uint64_t end)
{
    for (uint64_t slot = first; slot < end; ++slot)
    {
        ReceiveWorkRequest request;
        request.wrId = slot;
        request.sgList = host.GetSlot(slot);
        queue.Post(request);
    }
}

/// Sends the text that it writes into memory slot wrId.
void
Send(Host& host, uint32_t queuePair, uint64_t wrId, const std::string& text, bool isSolicited)
{
    const std::vector<uint8_t> bytes(text.begin(), text.end());
    host.memory->Write(MEMORY + wrId * SLOT, bytes.data(), bytes.size());
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = WrOpcode::SEND;
    request.sgList = host.GetSlot(wrId, static_cast<uint32_t>(bytes.size()));
    request.isSolicited = isSolicited;
    host.nic->PostSend(queuePair, request);
}

/// Prints what the completion queue holds, and waits for the next completion.
void
Drain(Host& host, const char* name)
{
    std::vector<WorkCompletion> completions;
    host.completions->Poll(100, completions);
    for (const WorkCompletion& ended : completions)
    {
        std::cout << Simulator::Now().As(Time::NS) << " " << name << ": request " << ended.wrId
                  << " of queue pair " << ended.qpNumber << " " << GetWcStatusName(ended.status);
        if (ended.opcode == WcOpcode::RECV)
        {
            std::vector<uint8_t> bytes(ended.byteLength);
            host.memory->Read(MEMORY + ended.wrId * SLOT, bytes.data(), bytes.size());
            std::cout << ": " << std::string(bytes.begin(), bytes.end());
        }
        std::cout << "\n";
    }
    host.completions->RequestNotify(false);
}
} // namespace

int
main()
{
    UseFabricSimulator();
    auto fabric = CreateObject<Fabric>();
    fabric->Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(1)), {});
    Host client(*fabric, 0);
    Host server(*fabric, 1);

    // Both connections of the server take receive requests from one queue, which asks for more
    // when fewer than two are left.
    auto shared = Create<ReceiveQueue>(16, 1);
    PostReceives(server, *shared, 0, 3);
    shared->SetLimit(2, [&] {
        std::cout << Simulator::Now().As(Time::NS) << " server: posts more\n";
        PostReceives(server, *shared, 3, 8);
    });
    uint32_t queuePairs[2];
    for (uint32_t path = 0; path < 2; ++path)
    {
        queuePairs[path] = client.MakeQueuePair(nullptr);
        const uint32_t peer = server.MakeQueuePair(shared);
        client.nic->Connect(queuePairs[path], {1, peer, path});
        server.nic->Connect(peer, {0, queuePairs[path], path});
    }

    // The server sleeps until a solicited message comes; the client wakes at each acknowledgment.
    server.completions->SetNotifier([&] { Drain(server, "server"); });
    server.completions->RequestNotify(true);
    client.completions->SetNotifier([&] { Drain(client, "client"); });
    client.completions->RequestNotify(false);
    Send(client, queuePairs[0], 0, "one", false);
    Send(client, queuePairs[1], 1, "two", false);
    Send(client, queuePairs[0], 2, "three, and wake up", true);

    Simulator::Run();
    client.nic->Dispose();
    server.nic->Dispose();
    fabric->Dispose();
    Simulator::Destroy();
}
