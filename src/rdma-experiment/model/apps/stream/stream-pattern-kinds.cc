// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/json-value.h"
#include "ns3/quantity.h"
#include "ns3/scenario.h"
#include "ns3/server-group.h"
#include "ns3/stream-kind.h"
#include "ns3/stream-pattern.h"

#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t MAX_SERVERS{1 << 16};
constexpr uint64_t MAX_CHANNELS{1 << 20};
constexpr uint64_t MAX_ANTENNAS{256}; ///< Of ALMA: each sends to as many nodes on each lane.
constexpr uint64_t MAX_LANES{64};
constexpr uint64_t MAX_MESSAGE{uint64_t{1} << 31}; ///< 2 GiB: InfiniBand.
constexpr uint32_t TESTBED_HOSTS{4};               ///< At the many's side: thesis, section 3.5.3.
constexpr uint32_t MESSAGE_BYTES{16384};           ///< Thesis, section 5.2.5.

/// Reads a whole number, if the key is there.
void
ReadCount(const JsonValue& value, const char* key, uint64_t max, uint32_t& count)
{
    if (const auto found = value.Find(key))
    {
        count = static_cast<uint32_t>(found->GetWhole(1, max));
    }
}
} // namespace

/**
 * @ingroup rdma-stream
 * @brief What patterns have in common: their servers, which groups name, or which are the first
 * ones of the fabric, senders before receivers; the size of messages; a rate.
 */
class StreamPatternKind : public StreamKind
{
  protected:
    StreamPatternKind(uint32_t senders, uint32_t receivers, DataRate rate)
        : m_rate(rate)
    {
        m_places.senders.resize(senders);
        m_places.receivers.resize(receivers);
    }

    /// @return keys of ReadPlaces() and more. @param more of the pattern
    static std::vector<std::string> AddKeys(const std::vector<std::string>& more)
    {
        std::vector<std::string> keys{"senders", "receivers", "messageBytes", "rate"};
        keys.insert(keys.end(), more.begin(), more.end());
        return keys;
    }

    /// Reads the groups and fills up what they leave open. @param senders, receivers that the
    /// pattern has unless groups say otherwise
    void ReadPlaces(const JsonValue& value,
                    const Scenario& scenario,
                    uint32_t senders,
                    uint32_t receivers)
    {
        m_senders = value.Find("senders") ? ReadGroupName(value.Get("senders"), scenario.groups)
                                          : std::string();
        m_receivers = value.Find("receivers")
                          ? ReadGroupName(value.Get("receivers"), scenario.groups)
                          : std::string();
        if (m_senders.empty() != m_receivers.empty())
        {
            value.Get(m_senders.empty() ? "receivers" : "senders")
                .Fail("\"senders\" and \"receivers\", or neither of them");
        }
        if (!m_senders.empty() && m_senders == m_receivers)
        {
            value.Get("receivers").Fail("another group than that of the senders");
        }
        m_places.senders = FindMembers(scenario.groups, m_senders);
        m_places.receivers = FindMembers(scenario.groups, m_receivers);
        if (m_senders.empty())
        {
            m_places.senders.resize(senders);
            m_places.receivers.resize(receivers);
            std::iota(m_places.senders.begin(), m_places.senders.end(), 0);
            std::iota(m_places.receivers.begin(), m_places.receivers.end(), senders);
        }
        if (const auto bytes = value.Find("messageBytes"))
        {
            if (bytes->GetBytesOrNumber() > MAX_MESSAGE || bytes->GetBytesOrNumber() == 0)
            {
                bytes->Fail("1 byte to 2 GiB");
            }
            m_messageBytes = static_cast<uint32_t>(bytes->GetBytesOrNumber());
        }
        if (const auto rate = value.Find("rate"))
        {
            m_rate = rate->GetRate();
        }
    }

    void WritePlaces(nlohmann::ordered_json& json) const
    {
        if (!m_senders.empty())
        {
            json["senders"] = m_senders;
            json["receivers"] = m_receivers;
        }
        json["messageBytes"] = m_messageBytes;
        if (m_rate.GetBitRate() > 0)
        {
            json["rate"] = FormatRate(m_rate);
        }
    }

    /// @param what as "one sender". Fails at the key of the group, if there are not so many.
    static void ExpectCount(const JsonValue& value,
                            const char* key,
                            const std::vector<uint32_t>& members,
                            std::size_t count,
                            const std::string& what)
    {
        if (members.size() != count)
        {
            value.Get(key).Fail("a group of " + what, std::to_string(members.size()) + " servers");
        }
    }

    uint32_t CountNeededServers() const override
    {
        const std::size_t count = m_places.senders.size() + m_places.receivers.size();
        return m_senders.empty() ? static_cast<uint32_t>(count) : 0;
    }

    const StreamPlaces& GetPlaces() const
    {
        return m_places;
    }

    uint32_t GetMessageBytes() const
    {
        return m_messageBytes;
    }

    DataRate GetRate() const
    {
        return m_rate;
    }

  private:
    std::string m_senders;   ///< Group; empty: none.
    std::string m_receivers; ///< Likewise.
    StreamPlaces m_places;
    uint32_t m_messageBytes{MESSAGE_BYTES};
    DataRate m_rate; ///< Of what the pattern says.
};

/**
 * @ingroup rdma-stream
 * @brief Workload types "one-to-one", "many-to-one" and "one-to-many" (thesis, section 3.5): as
 * many queue pairs in all, divided among the servers of the many's side.
 */
class TestbedPatternKind : public StreamPatternKind
{
  protected:
    TestbedPatternKind(uint32_t senders, uint32_t receivers)
        : StreamPatternKind(senders, receivers, DataRate(0)),
          m_senderCount(senders),
          m_receiverCount(receivers)
    {
    }

    KindInfo MakeInfo(const std::string& name, const std::string& description) const
    {
        return {name, description, AddKeys({"queuePairs"}), {}};
    }

    void ReadPattern(const JsonValue& value, const Scenario& scenario) override
    {
        ReadPlaces(value, scenario, m_senderCount, m_receiverCount);
        const StreamPlaces& places = GetPlaces();
        if (m_senderCount == 1)
        {
            ExpectCount(value, "senders", places.senders, 1, "one sender");
        }
        if (m_receiverCount == 1)
        {
            ExpectCount(value, "receivers", places.receivers, 1, "one receiver");
        }
        const std::size_t many = std::max(places.senders.size(), places.receivers.size());
        m_queuePairs = static_cast<uint32_t>(many);
        ReadCount(value, "queuePairs", MAX_CHANNELS, m_queuePairs);
        if (m_queuePairs < many)
        {
            value.Get("queuePairs")
                .Fail("at least one for each of the " + std::to_string(many) + " servers");
        }
    }

    void WritePattern(nlohmann::ordered_json& json) const override
    {
        WritePlaces(json);
        json["queuePairs"] = m_queuePairs;
    }

    std::vector<StreamGroup> MakeGroups(const Scenario&) const override
    {
        const StreamPlaces& places = GetPlaces();
        if (places.senders.size() == 1)
        {
            return Transpose{m_queuePairs, GetMessageBytes(), GetRate()}.Make(places);
        }
        const auto senders = static_cast<uint32_t>(places.senders.size());
        std::vector<StreamGroup> groups;
        for (uint32_t i = 0; i < senders; ++i)
        {
            groups.push_back({places.senders[i],
                              places.receivers[0],
                              GetShare(m_queuePairs, senders, i),
                              GetMessageBytes(),
                              GetRate()});
        }
        return groups;
    }

  private:
    uint32_t m_senderCount;
    uint32_t m_receiverCount;
    uint32_t m_queuePairs{1};
};

/// Workload type "one-to-one".
class OneToOneKind : public TestbedPatternKind
{
  public:
    OneToOneKind()
        : TestbedPatternKind(1, 1)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OneToOneKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<OneToOneKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return MakeInfo("one-to-one", "a program on one server streams messages to another");
    }
};

/// Workload type "many-to-one".
class ManyToOneKind : public TestbedPatternKind
{
  public:
    ManyToOneKind()
        : TestbedPatternKind(TESTBED_HOSTS, 1)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ManyToOneKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<ManyToOneKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return MakeInfo("many-to-one", "programs on several servers stream messages to one");
    }
};

/// Workload type "one-to-many".
class OneToManyKind : public TestbedPatternKind
{
  public:
    OneToManyKind()
        : TestbedPatternKind(1, TESTBED_HOSTS)
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OneToManyKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<OneToManyKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return MakeInfo("one-to-many", "a program on one server streams messages to several");
    }
};

/// Workload type "lofar": see LofarPattern.
class LofarKind : public StreamPatternKind
{
  public:
    LofarKind()
        : StreamPatternKind(LofarPattern::SENDERS,
                            LofarPattern::NODES,
                            DataRate(LofarPattern::SENDER_BITS_PER_SECOND))
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::LofarKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<LofarKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return {"lofar",
                "LOFAR's stations send each subband to the node that processes it",
                AddKeys({"subbands"}),
                {}};
    }

    void ReadPattern(const JsonValue& value, const Scenario& scenario) override
    {
        ReadPlaces(value, scenario, LofarPattern::SENDERS, LofarPattern::NODES);
        ReadCount(value, "subbands", MAX_CHANNELS, m_subbands);
        if (m_subbands < GetPlaces().receivers.size())
        {
            value.Get("subbands")
                .Fail("at least one for each of the " +
                      std::to_string(GetPlaces().receivers.size()) + " receivers");
        }
    }

    void WritePattern(nlohmann::ordered_json& json) const override
    {
        WritePlaces(json);
        json["subbands"] = m_subbands;
    }

    std::vector<StreamGroup> MakeGroups(const Scenario&) const override
    {
        return Transpose{m_subbands, GetMessageBytes(), GetRate()}.Make(GetPlaces());
    }

  private:
    uint32_t m_subbands{LofarPattern::SUBBANDS};
};

/// Workload type "aartfaac": see AartfaacPattern. The rate is that of all antennas together.
class AartfaacKind : public StreamPatternKind
{
  public:
    AartfaacKind()
        : StreamPatternKind(AartfaacPattern::STATIONS,
                            TESTBED_HOSTS,
                            DataRate(AartfaacPattern::BITS_PER_SECOND))
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::AartfaacKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<AartfaacKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return {"aartfaac",
                "stations send the samples of their antennas to nodes that image the sky",
                AddKeys({"antennas"}),
                {}};
    }

    void ReadPattern(const JsonValue& value, const Scenario& scenario) override
    {
        ReadPlaces(value, scenario, AartfaacPattern::STATIONS, TESTBED_HOSTS);
        ReadCount(value, "antennas", MAX_SERVERS, m_antennas);
    }

    void WritePattern(nlohmann::ordered_json& json) const override
    {
        WritePlaces(json);
        json["antennas"] = m_antennas;
    }

    std::vector<StreamGroup> MakeGroups(const Scenario&) const override
    {
        const auto receivers = static_cast<uint32_t>(GetPlaces().receivers.size());
        const DataRate station(GetRate().GetBitRate() / GetPlaces().senders.size());
        // Each antenna's samples go to all nodes: as many channels of a station as both say.
        return Transpose{m_antennas * receivers, GetMessageBytes(), station}.Make(GetPlaces());
    }

  private:
    uint32_t m_antennas{AartfaacPattern::ANTENNAS_PER_STATION}; ///< Of a station.
};

/// Workload type "alma": see AlmaPattern. The rate is that of one receiver of an antenna.
class AlmaKind : public StreamPatternKind
{
  public:
    AlmaKind()
        : StreamPatternKind(0, 0, DataRate(AlmaPattern::RECEIVER_BITS_PER_SECOND))
    {
    }

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::AlmaKind")
                                .SetParent<StreamKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<AlmaKind>();
        return tid;
    }

  protected:
    KindInfo GetPatternInfo() const override
    {
        return {"alma",
                "ALMA's antennas send slices of their bands to the nodes that correlate them",
                AddKeys({"antennas", "lanes"}),
                {}};
    }

    void ReadPattern(const JsonValue& value, const Scenario& scenario) override
    {
        ReadCount(value, "antennas", MAX_ANTENNAS, m_pattern.antennas);
        ReadCount(value, "lanes", MAX_LANES, m_lanes);
        m_pattern.lanes = AlmaPattern::RECEIVERS * m_lanes;
        const uint32_t senders = m_pattern.antennas * m_pattern.lanes;
        ReadPlaces(value, scenario, senders, senders);
        const std::string count = std::to_string(senders) + ", the lanes of all antennas";
        ExpectCount(value, "senders", GetPlaces().senders, senders, count);
        ExpectCount(value, "receivers", GetPlaces().receivers, senders, count);
        m_pattern.messageBytes = GetMessageBytes();
        m_pattern.laneRate = DataRate(GetRate().GetBitRate() / m_lanes);
    }

    void WritePattern(nlohmann::ordered_json& json) const override
    {
        WritePlaces(json);
        json["antennas"] = m_pattern.antennas;
        json["lanes"] = m_lanes;
    }

    std::vector<StreamGroup> MakeGroups(const Scenario&) const override
    {
        return m_pattern.Make(GetPlaces());
    }

  private:
    AlmaPattern m_pattern;
    /// Of a receiver: the fewest of 100 Gb/s, which carry 98.1 Gb/s of payload (thesis, Eq. 2.1).
    uint32_t m_lanes{13};
};

NS_OBJECT_ENSURE_REGISTERED(OneToOneKind);
NS_OBJECT_ENSURE_REGISTERED(ManyToOneKind);
NS_OBJECT_ENSURE_REGISTERED(OneToManyKind);
NS_OBJECT_ENSURE_REGISTERED(LofarKind);
NS_OBJECT_ENSURE_REGISTERED(AartfaacKind);
NS_OBJECT_ENSURE_REGISTERED(AlmaKind);

} // namespace ns3::rdma
