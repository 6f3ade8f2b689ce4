// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REQUEST_EXECUTOR_H
#define RDMA_REQUEST_EXECUTOR_H

#include "ns3/frame.h"
#include "ns3/queue-pair-attributes.h"

#include <optional>

namespace ns3::rdma
{

/// What a request executor is made with.
struct ExecutorConfig
{
    Service service{Service::RC};
    Ptr<ProtectionDomain> domain;   ///< Null: memory is neither checked nor moved.
    Ptr<ReceiveQueue> receiveQueue; ///< Null: SENDs and immediate data are refused.
    bool isReceiveQueueShared{false};
    uint8_t access{0xff}; ///< Of memory_access: what peers may do.
    uint32_t queueKey{0}; ///< Datagrams.
    uint32_t qpNumber{0};
};

/// What became of one request packet.
struct Execution
{
    uint8_t nak{0};          ///< AETH syndrome of the refusal; 0: it was carried out.
    bool isSolicited{false}; ///< Of the completion.
    bool endsMessage{false};
    uint64_t originalValue{0};                ///< Of an atomic.
    std::optional<WorkCompletion> completion; ///< Of a receive request.
    std::optional<AsyncEventType> error;      ///< The queue pair must stop.
};

/**
 * @ingroup rdma-transport
 * @brief Carries out request packets that come in order: places bytes, takes receive requests,
 * checks keys (IBTA Vol. 1, Sections 9.7.4.1, 9.8.2 and 9.8.3).
 *
 * Knows no PSN: what is in order is the responders' part.  A READ is only checked here; its
 * response is sent later.
 *
 * Errors follow Table 59: a forbidden remote access, an invalid request and a protection error of
 * the responder's own buffers each have their NAK and stop the queue pair; on unreliable services
 * the message is dropped without a word.  A receive request of a message that is given up serves
 * the next one.
 */
class RequestExecutor
{
  public:
    explicit RequestExecutor(const ExecutorConfig& config);
    /// @param qpNumber instead of that in config, which many have
    RequestExecutor(const ExecutorConfig& config, uint32_t qpNumber);

    /// @param detail null if the frame has none
    Execution Execute(const Frame& frame, const FrameDetail* detail);

    /// @return whether a READ request may be answered; nothing is carried out.
    Execution CheckRead(const Frame& frame, const FrameDetail* detail) const;

    /// @param access of memory_access: what peers may do from now on
    void SetAccess(uint8_t access)
    {
        m_config.access = access;
    }

    void SetQueueKey(uint32_t queueKey)
    {
        m_config.queueKey = queueKey;
    }

    /// Gives up the message that is under way: a part of it was lost.
    void Abandon();

    /// @return whether a message has begun and not ended.
    bool IsInMessage() const
    {
        return m_family != NO_MESSAGE;
    }

    /// @return flush completions of the receive request in use and, unless the queue is shared, of
    /// all that wait.
    std::vector<WorkCompletion> Flush();

  private:
    static constexpr uint8_t NO_MESSAGE{0xff};
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

    ExecutorConfig m_config;
    uint8_t m_family{NO_MESSAGE}; ///< SEND_FIRST or WRITE_FIRST while a message is under way.
    uint64_t m_offset{0};         ///< Bytes of it that were placed.
    uint64_t m_messageBytes{0};   ///< Of a WRITE: from its RETH; 0 where the format has none.
    uint64_t m_address{0};        ///< Of a WRITE.
    uint32_t m_key{0};            ///< Of a WRITE.
    std::optional<ReceiveWorkRequest> m_receive;
};

} // namespace ns3::rdma

#endif // RDMA_REQUEST_EXECUTOR_H
