// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/get-table.h"
#include "ns3/kernel-reply.h"
#include "ns3/uinteger.h"

#include <unordered_map>

namespace ns3::rdma
{

/// A GET: reads the entry of a hash table and then the value from the server's memory, and writes
/// the value to the client.
class TemplateName : public OffloadKernel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<OffloadKernel>()
                                .AddConstructor<TemplateName>()
                                .AddAttribute("Cycles",
                                              "From an event to the command that it causes",
                                              UintegerValue(4),
                                              MakeUintegerAccessor(&TemplateName::m_cycles),
                                              MakeUintegerChecker<uint32_t>(1, 1000));
        return tid;
    }

    uint64_t GetRpcCode() const override
    {
        return 100; // Of no other kernel on the same NIC; codes below 100 are reserved.
    }

    KernelStep OnPacket(const KernelInput& input) override // A client's parameters.
    {
        if (input.bytes.GetSize() < GetParameters::BYTES)
        {
            return {}; // There is no address for an answer.
        }
        const Call call{{input.queuePair, input.bytes.Get64(0), input.replyKey},
                        input.bytes.Get64(16)};
        return Read(call, input.bytes.Get64(8), GetEntry::BYTES, input.at);
    }

    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override // The end of a read.
    {
        Call call = m_calls.extract(tag).mapped();
        if (call.isAtValue)
        {
            return Answer(call, KernelStatus::OK, bytes.Copy(), now);
        }
        call.isAtValue = true;
        const GetEntry entry = GetEntry::Decode(bytes);
        const GetBucket* bucket = GetTable::Find(entry, call.key);
        return bucket ? Read(call, bucket->valuePtr, bucket->valueLen, now)
                      : Answer(call, KernelStatus::NOT_FOUND, {}, now);
    }

    KernelStep OnFault(uint64_t tag, Tick now) override // A read of memory that is not pinned.
    {
        return Answer(m_calls.extract(tag).mapped(), KernelStatus::FAULT, {}, now);
    }

  private:
    /// A call whose read is in flight.
    struct Call
    {
        ReplyAddress reply;
        uint64_t key{0};
        bool isAtValue{false}; ///< Else the entry of the table is being read.
    };

    KernelStep Read(const Call& call, uint64_t address, uint32_t bytes, Tick now)
    {
        m_calls[++m_lastTag] = call;
        const auto kind = KernelCommand::Kind::READ_HOST;
        return {{{kind, After(now, m_cycles), address, bytes, {}, m_lastTag}}, After(now, 1)};
    }

    KernelStep Answer(const Call& call, KernelStatus status, std::vector<uint8_t> value, Tick now)
    {
        KernelStep step{{}, After(now, 1)}; // The next packet is accepted one cycle later.
        KernelReply{status, std::move(value)}.AddTo(step, call.reply, After(now, m_cycles));
        return step;
    }

    uint32_t m_cycles{0};
    uint64_t m_lastTag{0};
    std::unordered_map<uint64_t, Call> m_calls; ///< By the tag of their read.
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
