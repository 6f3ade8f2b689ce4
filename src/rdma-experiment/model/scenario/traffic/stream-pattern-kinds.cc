// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario.h"
#include "ns3/server-group.h"
#include "ns3/stream-kind.h"
#include "ns3/stream-pattern.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

namespace
{
constexpr int MAX_SERVERS{1 << 16};
constexpr int MAX_CHANNELS{1 << 20};
constexpr int MAX_ANTENNAS{256}; ///< Of ALMA: each sends to as many nodes on each lane.
constexpr int MAX_LANES{64};
constexpr uint32_t MAX_MESSAGE{1U << 31}; ///< 2 GiB: InfiniBand.
constexpr uint32_t TESTBED_HOSTS{4};      ///< At the many's side: thesis, section 3.5.3.
constexpr uint32_t MESSAGE_BYTES{16384};  ///< Thesis, section 5.2.5.
} // namespace

/**
 * @ingroup rdma-stream
 * @brief What patterns have in common: their servers, which groups name, or which are the first
 * ones of the fabric, senders before receivers; the size of messages; a rate.
 */
class StreamPatternKind : public StreamKind
{
  protected:
    /// @param rate 0: unlimited @param rateMeaning whose rate it is
    StreamPatternKind(DataRate rate, const char* rateMeaning)
        : m_rate(rate),
          m_rateMeaning(rateMeaning)
    {
    }

    void VisitPattern(Keys& keys) override
    {
        keys.Group("senders", m_senders, "group of servers that send")
            .Otherwise("the first servers of the fabric");
        keys.Group("receivers", m_receivers, "group of servers that receive")
            .Otherwise("the servers after the senders");
        keys.Check(m_senders.empty() == m_receivers.empty(),
                   m_senders.empty() ? "receivers" : "senders",
                   "\"senders\" and \"receivers\", or neither of them");
        keys.Check(m_senders.empty() || m_senders != m_receivers,
                   "receivers",
                   "another group than that of the senders");
        keys.Bytes("messageBytes", m_messageBytes, "size of each message").AtMost(MAX_MESSAGE);
        keys.Rate("rate", m_rate, m_rateMeaning)
            .OmitIf(m_rate.GetBitRate() == 0)
            .Otherwise(m_rate.GetBitRate() == 0 ? "unlimited" : "");
    }

    /// @param senders, receivers servers that the pattern has unless groups say otherwise
    void FindPlaces(const Scenario& scenario, uint32_t senders, uint32_t receivers)
    {
        m_places.senders = FindMembers(scenario.groups, m_senders);
        m_places.receivers = FindMembers(scenario.groups, m_receivers);
        if (m_senders.empty())
        {
            m_places.senders.resize(senders);
            m_places.receivers.resize(receivers);
            std::iota(m_places.senders.begin(), m_places.senders.end(), 0);
            std::iota(m_places.receivers.begin(), m_places.receivers.end(), senders);
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
    DataRate m_rate; ///< Of what m_rateMeaning says; 0: unlimited.
    const char* m_rateMeaning;
};

/**
 * @ingroup rdma-stream
 * @brief Workload types "one-to-one", "many-to-one" and "one-to-many" (thesis, section 3.5): as
 * many queue pairs in all, divided among the servers of the many's side.
 */
class TestbedPatternKind : public StreamPatternKind
{
  public:
    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        FindPlaces(scenario, m_senderCount, m_receiverCount);
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
        m_queuePairs = m_queuePairs == 0 ? static_cast<uint32_t>(many) : m_queuePairs;
        if (m_queuePairs < many)
        {
            value.Get("queuePairs")
                .Fail("at least one for each of the " + std::to_string(many) + " servers");
        }
    }

  protected:
    TestbedPatternKind(uint32_t senders, uint32_t receivers)
        : StreamPatternKind(DataRate(0), "payload rate of each sender"),
          m_senderCount(senders),
          m_receiverCount(receivers)
    {
    }

    void VisitPattern(Keys& keys) override
    {
        StreamPatternKind::VisitPattern(keys);
        keys.Count("queuePairs", m_queuePairs, "queue pairs in all, divided among the servers")
            .Between(1, MAX_CHANNELS)
            .Otherwise("one for each server of the larger side");
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
    uint32_t m_queuePairs{0}; ///< Read: 0 if the key is not there.
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

    KindInfo GetInfo() const override
    {
        return {"one-to-one", "a program on one server streams messages to another"};
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

    KindInfo GetInfo() const override
    {
        return {"many-to-one", "programs on several servers stream messages to one"};
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

    KindInfo GetInfo() const override
    {
        return {"one-to-many", "a program on one server streams messages to several"};
    }
};

/// Workload type "lofar": see LofarPattern.
class LofarKind : public StreamPatternKind
{
  public:
    LofarKind()
        : StreamPatternKind(DataRate(LofarPattern::SENDER_BITS_PER_SECOND),
                            "payload rate of each sender")
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

    KindInfo GetInfo() const override
    {
        return {"lofar", "LOFAR's stations send each subband to the node that processes it"};
    }

    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        FindPlaces(scenario, LofarPattern::SENDERS, LofarPattern::NODES);
        if (m_subbands < GetPlaces().receivers.size())
        {
            value.Get("subbands")
                .Fail("at least one for each of the " +
                      std::to_string(GetPlaces().receivers.size()) + " receivers");
        }
    }

  protected:
    void VisitPattern(Keys& keys) override
    {
        StreamPatternKind::VisitPattern(keys);
        keys.Count("subbands", m_subbands, "subbands of each sender").Between(1, MAX_CHANNELS);
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
        : StreamPatternKind(DataRate(AartfaacPattern::BITS_PER_SECOND),
                            "payload rate of all senders together")
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

    KindInfo GetInfo() const override
    {
        return {"aartfaac",
                "stations send the samples of their antennas to nodes that image the sky"};
    }

    void Resolve(const JsonValue&, const Scenario& scenario) override
    {
        FindPlaces(scenario, AartfaacPattern::STATIONS, TESTBED_HOSTS);
    }

  protected:
    void VisitPattern(Keys& keys) override
    {
        StreamPatternKind::VisitPattern(keys);
        keys.Count("antennas", m_antennas, "antennas of each station").Between(1, MAX_SERVERS);
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
        : StreamPatternKind(DataRate(AlmaPattern::RECEIVER_BITS_PER_SECOND),
                            "payload rate of each receiver of an antenna")
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

    KindInfo GetInfo() const override
    {
        return {"alma",
                "ALMA's antennas send slices of their bands to the nodes that correlate them"};
    }

    void Resolve(const JsonValue& value, const Scenario& scenario) override
    {
        m_pattern.lanes = AlmaPattern::RECEIVERS * m_lanes;
        const uint32_t senders = m_pattern.antennas * m_pattern.lanes;
        FindPlaces(scenario, senders, senders);
        const std::string count = std::to_string(senders) + ", the lanes of all antennas";
        ExpectCount(value, "senders", GetPlaces().senders, senders, count);
        ExpectCount(value, "receivers", GetPlaces().receivers, senders, count);
        m_pattern.messageBytes = GetMessageBytes();
        m_pattern.laneRate = DataRate(GetRate().GetBitRate() / m_lanes);
    }

  protected:
    void VisitPattern(Keys& keys) override
    {
        StreamPatternKind::VisitPattern(keys);
        keys.Count("antennas", m_pattern.antennas, "antennas in all").Between(1, MAX_ANTENNAS);
        keys.Count("lanes", m_lanes, "senders that share the band of a receiver of an antenna")
            .Between(1, MAX_LANES);
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
