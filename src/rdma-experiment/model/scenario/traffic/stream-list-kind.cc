// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-kind.h"

namespace ns3::rdma
{

namespace
{
constexpr uint32_t MAX_SERVER{(1U << 31) - 1};
constexpr int MAX_QUEUE_PAIRS{1 << 20};
constexpr uint32_t MAX_MESSAGE{1U << 31}; ///< 2 GiB: InfiniBand.
} // namespace

/// Workload type "streams": an explicit list.
class StreamListKind : public StreamKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::StreamListKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<StreamListKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"streams", "programs on servers stream messages to each other, as listed"};
    }

  protected:
    void VisitPattern(Keys& keys) override
    {
        const auto visit = [](Keys& one, StreamGroup& group) {
            one.Count("sender", group.sender, "server that sends").AtMost(MAX_SERVER).Required();
            one.Count("receiver", group.receiver, "server that receives")
                .AtMost(MAX_SERVER)
                .Required();
            one.Check(group.sender != group.receiver, "receiver", "another server than the sender");
            one.Count("queuePairs", group.queuePairs, "queue pairs between the two")
                .Between(1, MAX_QUEUE_PAIRS);
            one.Bytes("messageBytes", group.messageBytes, "size of each message")
                .AtMost(MAX_MESSAGE)
                .Required();
            one.Rate("rate", group.rate, "payload of all queue pairs together")
                .OmitIf(group.rate.GetBitRate() == 0)
                .Otherwise("unlimited");
        };
        keys.List("streams", m_groups, visit, "messages from one server to another")
            .AtLeast(1)
            .Required();
    }

    std::vector<StreamGroup> MakeGroups(const Scenario&) const override
    {
        return m_groups;
    }

  private:
    std::vector<StreamGroup> m_groups;
};

NS_OBJECT_ENSURE_REGISTERED(StreamListKind);

} // namespace ns3::rdma
