// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/input-error.h"
#include "ns3/number-text.h"
#include "ns3/polled-queue.h"
#include "ns3/program-connector.h"
#include "ns3/record-table.h"
#include "ns3/scenario.h"
#include "ns3/traffic-kind.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// One WRITE of 8 bytes, when it has ended. Times are picoseconds.
struct Beat
{
    uint32_t server;
    int64_t startPs;
    int64_t roundTripPs;
};

/// beats.csv.
const RecordTable<Beat> BEAT_TABLE{
    "beats.csv",
    {{"server", "", "node id of the sender", &Beat::server},
     {"start_ns",
      "ns",
      "when the WRITE was posted",
      [](const Beat& beat) { return NsCell{beat.startPs}; }},
     {"round_trip_ns", "ns", "until its completion", [](const Beat& beat) {
          return NsCell{beat.roundTripPs};
      }}}};

/// Each server writes 8 bytes to the next one, again and again.
class BeatTraffic : public RunTraffic, private EventTarget
{
  public:
    BeatTraffic(const TrafficContext& context, Tick interval, Tick start, Tick end)
        : m_context(context),
          m_engine(*context.fabric->GetCore().engine),
          m_connector(m_context, first_connection::OTHERS),
          m_completions([this](const WorkCompletion& completion) { OnCompletion(completion); }),
          m_interval(interval),
          m_start(start),
          m_end(end),
          m_target(m_engine.Register(this))
    {
        const std::vector<uint32_t> servers = context.fabric->GetGraph().GetServers();
        QueuePairInit init;
        init.sendCompletions = m_completions.Get();
        for (std::size_t place = 0; place < servers.size(); ++place)
        {
            const uint32_t next = servers[(place + 1) % servers.size()];
            const ProgramConnection made = m_connector.Add(servers[place], next);
            for (const ProgramEnd& end : {made.src, made.dst})
            {
                if (end.isHere)
                {
                    m_connector.Make(end, init);
                }
            }
            if (made.src.isHere)
            {
                m_senders.push_back(made.src);
            }
        }
    }

    ~BeatTraffic() override
    {
        m_engine.Unregister(m_target);
    }

    std::vector<uint32_t> CountQueuePairs() const override
    {
        return m_connector.CountQueuePairs();
    }

    void Start() override
    {
        for (uint32_t place = 0; place < m_senders.size(); ++place)
        {
            m_engine.Schedule(m_start, FabricEngine::MakeOwner(m_target, 0), place);
        }
    }

    Tick GetEnd() const override
    {
        return m_end;
    }

    void AddTo(WindowState& state, bool isDue) const override
    {
        state.started += m_started;
        state.done += m_beats.size() + m_failed;
        state.progress += isDue ? m_beats.size() : 0;
        state.endTime = std::max(state.endTime, m_lastEnd);
    }

    std::vector<ResultPart> Report(RankGroup& ranks, bool) override
    {
        ranks.CollectAtFirst(m_beats);
        std::sort(m_beats.begin(), m_beats.end(), [](const Beat& left, const Beat& right) {
            return std::pair(left.startPs, left.server) < std::pair(right.startPs, right.server);
        });
        int64_t longest = 0;
        for (const Beat& beat : m_beats)
        {
            longest = std::max(longest, beat.roundTripPs);
        }
        ResultPart part;
        part.name = "beats";
        part.line = std::to_string(m_beats.size()) + " beats";
        part.summary = {{"count", m_beats.size()}, {"longest_ns", FormatNs(longest)}};
        part.tables = {
            BEAT_TABLE.MakeResult(std::make_shared<const std::vector<Beat>>(std::move(m_beats)))};
        if (m_failed > 0)
        {
            part.troubles = {std::to_string(m_failed) + " beats failed"};
        }
        return {part};
    }

  private:
    void HandleEvent(uint32_t, uint32_t place) override
    {
        const ProgramEnd& sender = m_senders[place];
        sender.nic->PostWrite(sender.queuePair, (m_engine.Now() << 16) | place, 8);
        ++m_started;
        if (m_engine.Now() + m_interval < m_end)
        {
            m_engine.Schedule(m_engine.Now() + m_interval,
                              FabricEngine::MakeOwner(m_target, 0),
                              place);
        }
    }

    void OnCompletion(const WorkCompletion& completion)
    {
        m_lastEnd = m_engine.Now();
        if (completion.status != WcStatus::SUCCESS)
        {
            ++m_failed;
            return;
        }
        const auto start = static_cast<Tick>(completion.wrId >> 16);
        const uint32_t place = completion.wrId & 0xffff;
        m_beats.push_back({m_senders[place].server, start, m_engine.Now() - start});
    }

    TrafficContext m_context;
    FabricEngine& m_engine;
    ProgramConnector m_connector;
    PolledQueue m_completions;
    Tick m_interval;
    Tick m_start;
    Tick m_end;
    uint32_t m_target;
    std::vector<ProgramEnd> m_senders; ///< Of this rank.
    std::vector<Beat> m_beats;
    uint64_t m_started{0};
    uint64_t m_failed{0};
    Tick m_lastEnd{0};
};

/// Workload type "beats".
class BeatKind : public TrafficKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::BeatKind").SetParent<TrafficKind>().AddConstructor<BeatKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"beats", "each server writes 8 bytes to the next one"};
    }

    void Visit(Keys& keys) override
    {
        keys.Time("interval", m_interval, "time between two beats of a server")
            .Positive()
            .Required();
        VisitTimes(keys);
    }

    std::unique_ptr<RunTraffic> MakeTraffic(const Scenario& scenario,
                                            const TrafficContext& context) const override
    {
        return MakeTrafficAtPlace(scenario, [&] {
            return std::make_unique<BeatTraffic>(context,
                                                 m_interval.GetPicoSeconds(),
                                                 GetTimes().start.GetPicoSeconds(),
                                                 GetTimes().until.GetPicoSeconds());
        });
    }

  private:
    Time m_interval;
};

NS_OBJECT_ENSURE_REGISTERED(BeatKind);

} // namespace ns3::rdma
