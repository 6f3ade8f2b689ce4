// SPDX-License-Identifier: GPL-2.0-only

// A GET that keeps values on the chip. They never change: there is no invalidation.

#include "ns3/get-table.h"
#include "ns3/kernel-reply.h"
#include "ns3/uinteger.h"

#include <unordered_map>

namespace ns3::rdma
{

class CachedGet : public OffloadKernel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::CachedGet")
                                .SetParent<OffloadKernel>()
                                .AddConstructor<CachedGet>()
                                .AddAttribute("Values",
                                              "On the chip, one for each remainder of the key",
                                              UintegerValue(256),
                                              MakeUintegerAccessor(&CachedGet::m_values),
                                              MakeUintegerChecker<uint32_t>(1, 1 << 20));
        return tid;
    }

    uint64_t GetRpcCode() const override
    {
        return 100; // Of no other kernel on the same NIC.
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        if (input.bytes.GetSize() < GetParameters::BYTES)
        {
            return {}; // Nowhere to answer to.
        }
        const uint64_t key = input.bytes.Get64(16);
        const Call call{{input.queuePair, input.bytes.Get64(0), input.replyKey}, key};
        const auto kept = m_kept.find(key % m_values);
        return kept != m_kept.end() && kept->second.first == key
                   ? Answer(call, KernelStatus::OK, kept->second.second, input.at)
                   : Read(call, input.bytes.Get64(8), GetEntry::BYTES, input.at);
    }

    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override
    {
        Call call = m_calls.extract(tag).mapped();
        if (call.isAtValue)
        {
            m_kept[call.key % m_values] = {call.key, bytes.Copy()};
            return Answer(call, KernelStatus::OK, bytes.Copy(), now);
        }
        call.isAtValue = true;
        const GetEntry entry = GetEntry::Decode(bytes);
        const GetBucket* bucket = GetTable::Find(entry, call.key);
        return bucket ? Read(call, bucket->valuePtr, bucket->valueLen, now)
                      : Answer(call, KernelStatus::NOT_FOUND, {}, now);
    }

    KernelStep OnFault(uint64_t tag, Tick now) override
    {
        return Answer(m_calls.extract(tag).mapped(), KernelStatus::FAULT, {}, now);
    }

  private:
    struct Call
    {
        ReplyAddress reply;
        uint64_t key{0};
        bool isAtValue{false}; // Else the entry of the table is being read.
    };

    KernelStep Read(const Call& call, uint64_t address, uint32_t bytes, Tick now)
    {
        m_calls[++m_lastTag] = call;
        const auto kind = KernelCommand::Kind::READ_HOST;
        return {{{kind, After(now, 4), address, bytes, {}, m_lastTag}}, After(now, 1)};
    }

    KernelStep Answer(const Call& call, KernelStatus status, std::vector<uint8_t> value, Tick now)
    {
        KernelStep step{{}, After(now, 1)}; // The next call is taken one cycle later.
        KernelReply{status, std::move(value)}.AddTo(step, call.reply, After(now, 4));
        return step;
    }

    uint32_t m_values{0};
    uint64_t m_lastTag{0};
    std::unordered_map<uint64_t, Call> m_calls; // Under way, by the tag of their read.
    std::unordered_map<uint64_t, std::pair<uint64_t, std::vector<uint8_t>>> m_kept;
};

NS_OBJECT_ENSURE_REGISTERED(CachedGet);

} // namespace ns3::rdma
