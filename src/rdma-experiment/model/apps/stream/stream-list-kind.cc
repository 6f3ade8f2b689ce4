// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/json-value.h"
#include "ns3/quantity.h"
#include "ns3/stream-kind.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t MAX_SERVER{(uint64_t{1} << 31) - 1};
constexpr uint64_t MAX_QUEUE_PAIRS{1 << 20};
constexpr uint64_t MAX_MESSAGE{uint64_t{1} << 31}; ///< 2 GiB: InfiniBand.
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

  protected:
    KindInfo GetPatternInfo() const override
    {
        return {"streams",
                "programs on servers stream messages to each other, as listed",
                {"streams"},
                {}};
    }

    void ReadPattern(const JsonValue& value, const Scenario&) override
    {
        for (const JsonValue& one : value.Get("streams").GetElements())
        {
            one.ExpectKeys({"sender", "receiver", "queuePairs", "messageBytes", "rate"});
            StreamGroup group;
            group.sender = static_cast<uint32_t>(one.Get("sender").GetWhole(0, MAX_SERVER));
            group.receiver = static_cast<uint32_t>(one.Get("receiver").GetWhole(0, MAX_SERVER));
            if (group.sender == group.receiver)
            {
                one.Get("receiver").Fail("another server than the sender");
            }
            if (const auto queuePairs = one.Find("queuePairs"))
            {
                group.queuePairs = static_cast<uint32_t>(queuePairs->GetWhole(1, MAX_QUEUE_PAIRS));
            }
            const JsonValue bytes = one.Get("messageBytes");
            if (bytes.GetBytesOrNumber() > MAX_MESSAGE || bytes.GetBytesOrNumber() == 0)
            {
                bytes.Fail("1 byte to 2 GiB");
            }
            group.messageBytes = static_cast<uint32_t>(bytes.GetBytesOrNumber());
            if (const auto rate = one.Find("rate"))
            {
                group.rate = rate->GetRate();
            }
            m_groups.push_back(group);
        }
        if (m_groups.empty())
        {
            value.Get("streams").Fail("at least one stream");
        }
    }

    void WritePattern(nlohmann::ordered_json& json) const override
    {
        json["streams"] = nlohmann::ordered_json::array();
        for (const StreamGroup& group : m_groups)
        {
            nlohmann::ordered_json one{{"sender", group.sender},
                                       {"receiver", group.receiver},
                                       {"queuePairs", group.queuePairs},
                                       {"messageBytes", group.messageBytes}};
            if (group.rate.GetBitRate() > 0)
            {
                one["rate"] = FormatRate(group.rate);
            }
            json["streams"].push_back(one);
        }
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
