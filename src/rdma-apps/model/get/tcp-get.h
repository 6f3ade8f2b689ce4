// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TCP_GET_H
#define RDMA_TCP_GET_H

#include "ns3/pending-events.h"
#include "ns3/rpc-method.h"
#include "ns3/tcp-cores.h"
#include "ns3/tcp-rpc.h"

namespace ns3::rdma
{

/// A call of TcpGet and its answer: the heads of ONC RPC (TcpRpc), and 16 bytes behind that.
struct TcpGetMessage
{
    static constexpr uint32_t SLOT{0};        ///< Place of the request's slot, 8 bytes.
    static constexpr uint32_t KEY{8};         ///< In a call: 8 bytes.
    static constexpr uint32_t VALUE_BYTES{8}; ///< In an answer: 8 bytes; 0: there is no value.
    static constexpr uint32_t CALL_BYTES{TcpRpc::CALL_BYTES + 16};
    static constexpr uint32_t ANSWER_BYTES{TcpRpc::REPLY_BYTES + 16}; ///< Behind them the value.
};

/**
 * @ingroup rdma-rpc
 * @brief A GET by an RPC over kernel TCP: one message each way, and the server's core looks the key
 * up (StRoM section 6.2's baseline).
 *
 * The cores' time is that of TcpCores.  The messages cross the fabric as SENDs of the NIC's own
 * transport, with its congestion control and loss recovery: TCP's are not modelled.
 */
class TcpGet : public RpcMethod, private EventTarget
{
  public:
    TcpGet(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);
    ~TcpGet() override;

    QueuePairInit MakeEnd(Ptr<RdmaNic> nic) override;
    void OnConnected(const RpcConnection& connection) override;
    bool Look(uint32_t slot,
              const RpcConnection& connection,
              uint64_t key,
              uint32_t probe) override;

  private:
    enum Event : uint32_t
    {
        SEND,     ///< The call is with the NIC. Argument: slot.
        RECEIVED, ///< A core has read the answer. Argument: place in m_answers.
    };

    struct Answer
    {
        uint32_t slot{0};
        std::vector<uint8_t> value;
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnCompletion(const WorkCompletion& completion) override;
    void OnReceived(const WorkCompletion& completion);
    void PostReceive(uint64_t buffer);
    void SendCall(uint32_t slot);
    void Fail(uint32_t slot);

    FabricEngine& m_engine;
    uint32_t m_slots;
    uint32_t m_target;
    TcpCores m_cores;
    std::vector<const RpcConnection*> m_used; ///< By slot; null: no request is under way.
    std::vector<RpcConnection> m_connections;
    uint32_t m_bufferBytes; ///< Of an answer.
    MemoryRegion m_buffers; ///< Those of a connection behind those of the one before.
    PendingEvents<Answer> m_answers;
    PolledQueue m_received;
};

} // namespace ns3::rdma

#endif // RDMA_TCP_GET_H
