// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_TRAFFIC_H
#define RDMA_REQUEST_TRAFFIC_H

#include "ns3/program-connector.h"
#include "ns3/record-queue.h"
#include "ns3/request-book.h"
#include "ns3/rpc-report.h"
#include "ns3/run-traffic.h"
#include "ns3/traffic-times.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief What a run sees of clients that make requests to servers.
 *
 * Each rank makes all clients, and starts those of its own servers.  With StreamTo(), rows of
 * requests are written as the run goes on, so that a run that is stopped has few left to write.
 *
 * @tparam Client with GetNode(), Start(), Finish(RpcStatus), GetBook() and GetProgress()
 */
template <class Client>
class RequestTraffic : public RunTraffic
{
  public:
    RequestTraffic(const TrafficContext& context, const TrafficTimes& times)
        : m_context(context),
          m_until(times.until.GetPicoSeconds()),
          m_connector(m_context, first_connection::REQUESTS)
    {
        m_report.totals = RpcTotals(times.from.GetPicoSeconds(), m_until);
    }

    std::vector<uint32_t> CountQueuePairs() const override
    {
        return m_connector.CountQueuePairs();
    }

    void Start() override
    {
        for (const auto& client : m_clients)
        {
            if (m_context.isHere(client->GetNode()))
            {
                client->Start();
            }
        }
    }

    Tick GetEnd() const override
    {
        return m_until;
    }

    void AddTo(WindowState& state, bool isDue) const override
    {
        for (const auto& client : m_clients)
        {
            const RequestBook& book = client->GetBook();
            state.started += book.GetStarted();
            state.done += book.GetEnded();
            state.progress += isDue ? client->GetProgress() : 0;
            state.endTime = std::max(state.endTime, book.GetLastEnd());
        }
    }

    void AddDelivered(std::vector<uint64_t>& bytes) const override
    {
        m_connector.AddDelivered(bytes);
    }

    void Finish(bool isStalled, Tick) override
    {
        for (const auto& client : m_clients)
        {
            client->Finish(isStalled ? RpcStatus::STALLED : RpcStatus::UNFINISHED);
        }
    }

    void StreamTo(const std::filesystem::path& folder,
                  const std::string& workload,
                  bool isFirst) override
    {
        m_isStreaming = true;
        m_report.row = TextRow(workload);
        if (isFirst)
        {
            m_report.file = std::make_shared<TableFile>(RPC_TABLE, folder);
        }
    }

    void Pack(uint32_t rank, ByteBuffer& buffer) override
    {
        if (m_isStreaming && rank == 0)
        {
            TakeRecords();
            buffer.Put(GetOldestStart());
            buffer.Put(m_queue.Take());
        }
    }

    void Unpack(ByteReader& reader) override
    {
        if (m_report.file) // On the first rank.
        {
            m_oldestOfOthers = std::min(m_oldestOfOthers, reader.Get<Tick>());
            m_queue.Add(reader.Get<std::vector<RpcRecord>>());
        }
    }

    void WriteEnded() override
    {
        if (m_isStreaming)
        {
            TakeRecords();
            m_queue.WriteBefore(std::min(GetOldestStart(), m_oldestOfOthers),
                                [this](const RpcRecord& record) { m_report.AddRow(record); });
            m_oldestOfOthers = TICK_NEVER;
        }
    }

    std::vector<ResultPart> Report(RankGroup& ranks, bool isPartial) override
    {
        TakeRecords();
        std::vector<RpcRecord> last = m_queue.Take();
        ranks.CollectAtFirst(last);
        m_report.AddLast(std::move(last), isPartial ? RpcReport::MAX_LATE_ROWS : SIZE_MAX);
        return {MakeRpcPart(std::move(m_report))};
    }

  protected:
    const TrafficContext& GetContext() const
    {
        return m_context;
    }

    Client& AddClient(std::unique_ptr<Client> client)
    {
        m_clients.push_back(std::move(client));
        return *m_clients.back();
    }

    /// In the destructor of a class whose members clients refer to.
    void RemoveClients()
    {
        m_clients.clear();
    }

    const std::vector<std::unique_ptr<Client>>& GetClients() const
    {
        return m_clients;
    }

    /// Adds counts to the report. Before Report().
    void SetRenewals(const RenewalCounts& counts)
    {
        m_report.renewals = counts;
    }

    ProgramConnector& GetConnector()
    {
        return m_connector;
    }

  private:
    void TakeRecords()
    {
        for (const auto& client : m_clients)
        {
            m_queue.Add(client->GetBook().TakeRecords());
        }
    }

    /// @return before which time no request of this rank's clients began that has not ended, nor
    /// will begin.
    Tick GetOldestStart() const
    {
        const Tick now = m_context.fabric->GetCore().engine->Now();
        Tick oldest = TICK_NEVER;
        for (const auto& client : m_clients)
        {
            if (m_context.isHere(client->GetNode()))
            {
                oldest = std::min(oldest, client->GetBook().GetOldestStart(now));
            }
        }
        return oldest;
    }

    TrafficContext m_context;
    Tick m_until; ///< No request begins then or later.
    ProgramConnector m_connector;
    bool m_isStreaming{false};
    RpcReport m_report;
    RecordQueue<RpcRecord> m_queue;
    Tick m_oldestOfOthers{TICK_NEVER}; ///< GetOldestStart() of other ranks, since WriteEnded().
    std::vector<std::unique_ptr<Client>> m_clients; ///< In the order of the plan; of all ranks.
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_TRAFFIC_H
