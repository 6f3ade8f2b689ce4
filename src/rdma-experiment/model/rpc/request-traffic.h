// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_TRAFFIC_H
#define RDMA_REQUEST_TRAFFIC_H

#include "ns3/rpc-collection.h"
#include "ns3/run-traffic.h"

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
 * Each rank makes all clients, and starts those of its own servers.
 *
 * @tparam Client with GetNode(), Start(), Finish(RpcStatus), GetStarted(), GetRecords(),
 * GetProgress() and GetLastEnd()
 */
template <class Client>
class RequestTraffic : public RunTraffic
{
  public:
    /// @param warmup, duration requests that begin between them are measured
    RequestTraffic(const TrafficContext& context, Time warmup, Time duration)
        : m_context(context),
          m_warmup(warmup.GetPicoSeconds()),
          m_duration(duration.GetPicoSeconds()),
          m_queuePairs(context.nics->size(), 0)
    {
    }

    std::vector<uint32_t> CountQueuePairs() const override
    {
        return m_queuePairs;
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
        return m_duration;
    }

    void AddTo(WindowState& state, bool isDue) const override
    {
        for (const auto& client : m_clients)
        {
            state.started += client->GetStarted();
            state.done += client->GetRecords().size();
            state.progress += isDue ? client->GetProgress() : 0;
            state.endTime = std::max(state.endTime, client->GetLastEnd());
        }
    }

    void Finish(bool isStalled) override
    {
        for (const auto& client : m_clients)
        {
            client->Finish(isStalled ? RpcStatus::STALLED : RpcStatus::UNFINISHED);
        }
    }

    void Report(RankGroup& ranks, RunReport& report) override
    {
        RpcReport own{m_warmup, m_duration, {}};
        for (const auto& client : m_clients)
        {
            const auto& records = client->GetRecords();
            own.records.insert(own.records.end(), records.begin(), records.end());
        }
        CollectRpcs(ranks, std::move(own), report);
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

    /// @return how many queue pairs were made at a node before this one.
    uint32_t CountQueuePair(uint32_t node)
    {
        return m_queuePairs[node]++;
    }

  private:
    TrafficContext m_context;
    Tick m_warmup;
    Tick m_duration;
    std::vector<std::unique_ptr<Client>> m_clients; ///< In the order of the plan; of all ranks.
    std::vector<uint32_t> m_queuePairs;             ///< Made, by node.
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_TRAFFIC_H
