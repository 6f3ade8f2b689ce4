// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_CLIENT_H
#define RDMA_RPC_CLIENT_H

#include "ns3/fabric-engine.h"
#include "ns3/key-distribution.h"
#include "ns3/poisson-arrivals.h"
#include "ns3/request-book.h"
#include "ns3/rpc-method.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief One client: requests keys, one after the other or at random times, and checks the answers.
 *
 * Of a closed loop the next request arrives when one has ended; of an open loop they arrive by
 * themselves, and those beyond the plan's bound wait at the client, which is part of their latency.
 */
class RpcClient : private EventTarget
{
  public:
    /// @param node of the client; @param keys all outlive this
    RpcClient(FabricEngine& engine,
              const RpcPlan& plan,
              const KeyDistribution& keys,
              uint32_t node);
    ~RpcClient() override;

    RpcClient(const RpcClient&) = delete;
    RpcClient& operator=(const RpcClient&) = delete;

    uint32_t GetNode() const
    {
        return m_node;
    }

    RpcMethod& GetMethod()
    {
        return *m_method;
    }

    /// Connections in the order of the plan's servers.
    void AddConnection(const RpcConnection& connection)
    {
        m_connections.push_back(connection);
    }

    /// @return whether a request arrives before the duration is over: in an open loop the first one
    /// may come later. Before Start().
    bool HasArrival() const;

    /// Requests begin. Once.
    void Start();

    /// Makes a record of each request under way. @param status of these
    void Finish(RpcStatus status);

    RequestBook& GetBook()
    {
        return m_book;
    }

    /// @return looks and requests that have ended: stands still in a stall.
    uint64_t GetProgress() const
    {
        return m_looks;
    }

  private:
    /// A request that has arrived.
    struct Request
    {
        RpcRecord record;
        uint64_t number{0}; ///< Of its key.
        std::size_t server{0};
        bool isUnderWay{false};
    };

    enum Event : uint32_t
    {
        START,  ///< Argument: unused.
        ARRIVE, ///< Argument: unused.
        FAIL,   ///< Argument: slot, whose queue pair takes nothing.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Arrive();
    void ScheduleArrival();
    void BeginWaiting();
    void Post(uint32_t slot);
    void ScheduleFailure(uint32_t slot);
    void OnLook(uint32_t slot, const RpcLook& look);
    void End(uint32_t slot, RpcStatus status);
    bool IsAbsent(const Request& request) const;
    RpcStatus Classify(const Request& request, const RpcLook& look) const;

    FabricEngine& m_engine;
    const RpcPlan& m_plan;
    const KeyDistribution& m_keys;
    uint32_t m_node;
    uint32_t m_target;
    RandomStream m_keyRandom;
    PoissonArrivals m_arrivals;
    std::unique_ptr<RpcMethod> m_method;
    std::vector<RpcConnection> m_connections;
    std::vector<Request> m_requests; ///< By slot.
    std::vector<uint32_t> m_free;    ///< Slots.
    std::deque<Request> m_waiting;
    RequestBook m_book;
    uint64_t m_looks{0};
};

} // namespace ns3::rdma

#endif // RDMA_RPC_CLIENT_H
