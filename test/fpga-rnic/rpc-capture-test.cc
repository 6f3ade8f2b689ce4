// SPDX-License-Identifier: GPL-2.0-only

// A capture of StRoM's calls, for test/python/test_rpc_captures.py, which sets the folder:
// FOLDER/strom10g-rpc.pcap, and .txt with what its packets must say.

#include "../rdma-nic/capture-folder.h"
#include "../rdma-nic/traffic-tap.h"
#include "../rdma-nic/verbs-test-bench.h"

#include "ns3/kernel-host.h"
#include "ns3/strom-opcodes.h"
#include "ns3/strom-verbs.h"
#include "ns3/traversal-kernel.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t SINK_CODE{77};
constexpr uint64_t ANSWER{1 << 19}; ///< Offset in the caller's region.

/// Takes all data of its messages.
class Sink : public OffloadKernel
{
  public:
    uint64_t GetRpcCode() const override
    {
        return SINK_CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        bytes += input.bytes.Copy().size();
        return {};
    }

    KernelStep OnData(uint64_t, ByteView, Tick) override
    {
        return {};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        return {};
    }

    uint64_t bytes{0};
};

/// A list of one element, whose key is asked for.
std::vector<uint8_t>
MakeCall(HostMemory& memory)
{
    memory.Write64(VerbsEnd::BASE, 100);
    memory.Write64(VerbsEnd::BASE + 16, VerbsEnd::BASE + 4096);
    TraversalParameters call;
    call.target = VerbsEnd::BASE + ANSWER;
    call.remoteAddress = VerbsEnd::BASE;
    call.key = 100;
    call.valueSize = 1500; // Two packets, with the word before it.
    call.valuePtrPosition = 4;
    return call.Encode();
}
} // namespace

TEST(RpcCapture, HoldsAllOpcodesOfTable1)
{
    const CaptureFolder captures;
    VerbsTestBench bench("strom10g");
    const auto host = CreateObject<KernelHost>();
    const auto sink = CreateObject<Sink>();
    host->Deploy(CreateObject<TraversalKernel>());
    host->Deploy(sink);
    QueuePairInit init;
    init.handlers = host->GetHandlers();
    bench.SetInitialPsn(0xfffffe); // Wraps at the third packet.
    bench.Start(init);
    host->Start(Ptr<RdmaNic>(&bench.GetNic(1)), bench.ends[1].memory);
    host->GetTlb()->Pin(VerbsEnd::BASE, 16 << 20);
    const VerbsEnd& caller = bench.ends[0];
    RdmaNic& nic = bench.GetNic(0);

    TrafficTap tap(bench.GetBench(),
                   0,
                   "ns3::rdma::IbtaFormat",
                   IpVersion::V4,
                   captures.GetPath() / "strom10g-rpc");
    PostRpc(nic,
            caller.qp,
            1,
            TraversalKernel::RPC_CODE,
            MakeCall(*bench.ends[1].memory),
            caller.region.remoteKey);
    // Each pad count, one packet exactly, two, three.
    const std::vector<uint32_t> lengths{1, 2, 3, 1024, 1025, 2500};
    uint64_t sent = 0;
    for (const uint32_t length : lengths)
    {
        PostRpcWrite(nic,
                     caller.qp,
                     length,
                     SINK_CODE,
                     {caller.region.address, length, caller.region.localKey});
        sent += length;
    }
    bench.Run();
    tap.Close();
    EXPECT_EQ(sink->bytes, sent);
    EXPECT_EQ(caller.memory->Read64(VerbsEnd::BASE + ANSWER),
              KernelReply::MakeWord(KernelStatus::OK, 1500));
    EXPECT_EQ(tap.opcodes,
              (std::set<uint32_t>{opcode::STROM_RPC_PARAMS,
                                  opcode::STROM_WRITE_FIRST,
                                  opcode::STROM_WRITE_MIDDLE,
                                  opcode::STROM_WRITE_LAST,
                                  opcode::STROM_WRITE_ONLY,
                                  opcode::WRITE_FIRST,
                                  opcode::WRITE_LAST,
                                  opcode::WRITE_ONLY,
                                  opcode::ACK}));
    host->Dispose();
}
