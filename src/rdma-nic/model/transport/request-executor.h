// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_EXECUTOR_H
#define RDMA_REQUEST_EXECUTOR_H

#include "ns3/request-handler.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief Carries out requests on memory: places bytes, takes receive requests, checks keys (IBTA
 * Vol. 1, Sections 9.7.4.1, 9.8.2 and 9.8.3).
 *
 * A READ is only checked here; its response is sent later.
 *
 * Errors follow Table 59: a forbidden remote access, an invalid request and a protection error of
 * the responder's own buffers each have their NAK and stop the queue pair; on unreliable services
 * the message is dropped silently.  The next message uses the receive request of an abandoned one.
 */
class RequestExecutor : public RequestHandler
{
  public:
    explicit RequestExecutor(const RequestContext& context);

    Execution Execute(const Frame& frame, const FrameDetail* detail) override;
    Execution CheckRead(const Frame& frame, const FrameDetail* detail) const override;

    void SetAccess(uint8_t access) override
    {
        m_context.access = access;
    }

    void SetQueueKey(uint32_t queueKey)
    {
        m_context.queueKey = queueKey;
    }

    /// Abandons the current message: a part of it was lost.
    void Abandon();

    /// @return whether a message has begun and not ended.
    bool IsInMessage() const
    {
        return m_message != NO_MESSAGE;
    }

    /// @return flush completions of the receive request in use and, unless the queue is shared, of
    /// all posted ones.
    std::vector<WorkCompletion> Flush() override;

  private:
    static constexpr OpcodeKind NO_MESSAGE{OpcodeKind::UNKNOWN};
    static constexpr uint32_t GRH_BYTES{40};

    Execution ExecuteSend(const Frame& frame, const FrameDetail* detail);
    Execution ExecuteWrite(const Frame& frame, const FrameDetail* detail);
    Execution ExecuteAtomic(const Frame& frame, const FrameDetail* detail);
    bool IsOutOfSequence(const Frame& frame) const;
    bool TakeReceive();
    bool IsAllowed(uint32_t key, uint64_t address, uint64_t bytes, uint8_t access) const;
    Execution EndReceive(WcOpcode opcode, const Frame& frame, const FrameDetail* detail);
    Execution Refuse(uint8_t nak, AsyncEventType error);
    Execution FailReceive(uint8_t nak, WcStatus status);
    const std::vector<uint8_t>* GetBytes(const FrameDetail* detail) const;

    RequestContext m_context;
    OpcodeKind m_message{NO_MESSAGE}; ///< SEND or WRITE during a message.
    uint64_t m_offset{0};             ///< Bytes of the message that were placed.
    uint64_t m_messageBytes{0};       ///< Of a WRITE: from its RETH; 0 if the format has no length.
    uint64_t m_address{0};            ///< Of a WRITE.
    uint32_t m_key{0};                ///< Of a WRITE.
    std::optional<ReceiveWorkRequest> m_receive;
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_EXECUTOR_H
