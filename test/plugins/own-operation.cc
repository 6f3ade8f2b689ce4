// SPDX-License-Identifier: GPL-2.0-only
// An operation of a user's own: its opcode, the request that sends it, and the kernel that executes
// it at the other end.

#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"
#include "ns3/opcode-table.h"
#include "ns3/work-request.h"

namespace ns3::rdma
{

/// Reserved by IBTA for reliable connections (Vol. 1, Table 38).
constexpr uint8_t TALLY_OPERATION{0x15};

const bool HAS_TALLY = [] {
    OpcodeTable::Register(
        Service::RC,
        {{TALLY_OPERATION, "Tally", OpcodeKind::KERNEL, PacketPlace::ONLY, {HeaderKind::RETH}}});
    return true;
}();

/// Adds the numbers of all tallies. A call by another operation reads the sum.
class TallyKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{1000};

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TallyKernel")
                                .SetParent<OffloadKernel>()
                                .SetGroupName("Test")
                                .AddConstructor<TallyKernel>();
        return tid;
    }

    /// @return a request that adds numbers of 8 bytes, all in one packet.
    static SendWorkRequest MakeRequest(uint64_t wrId, const Sge& numbers)
    {
        SendWorkRequest request;
        request.wrId = wrId;
        request.opcode = WrOpcode::KERNEL;
        request.kernelOperation = TALLY_OPERATION;
        request.sgList = {numbers};
        request.remoteAddress = RPC_CODE;
        return request;
    }

    uint64_t GetRpcCode() const override
    {
        return RPC_CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        KernelStep step;
        step.readyAt = After(input.at, 1);
        if (input.opcode == opcode::Make(Service::RC, TALLY_OPERATION))
        {
            for (uint32_t at = 0; at + 8 <= input.bytes.GetSize(); at += 8)
            {
                m_sum += input.bytes.Get64(at);
            }
            return step;
        }
        std::vector<uint8_t> sum(8);
        for (uint32_t i = 0; i < 8; ++i)
        {
            sum[i] = static_cast<uint8_t>(m_sum >> (8 * i));
        }
        const ReplyAddress to{input.queuePair, input.bytes.Get64(0), input.replyKey};
        KernelReply{KernelStatus::OK, sum}.AddTo(step, to, After(input.at, 1));
        return step;
    }

    KernelStep OnData(uint64_t, ByteView, Tick) override
    {
        return {};
    }

    KernelStep OnFault(uint64_t, Tick) override
    {
        return {};
    }

  private:
    uint64_t m_sum{0};
};

NS_OBJECT_ENSURE_REGISTERED(TallyKernel);

} // namespace ns3::rdma
