// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SENT_PAYLOADS_H
#define FPGA_SENT_PAYLOADS_H

#include "ns3/psn.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Payload of a packet after the services of its queue pair.
struct SentPayload
{
    std::optional<std::vector<uint8_t>> bytes; ///< Unset: unchanged.
    uint32_t messageBytes{0};                  ///< Of its message, after the services.
};

/**
 * @ingroup fpga-kernel
 * @brief Stores the payload that a queue pair may have to retransmit, after its services (BALBOA
 * section 4.2: payload is held in card memory until it is acknowledged).
 *
 * Requests are released by their acknowledgment.  READ responses are not acknowledged.  They are
 * released when more READs are stored than a requester may have outstanding.
 */
class SentPayloads
{
  public:
    /// @param maxReads READs of the peer whose responses are stored
    explicit SentPayloads(uint32_t maxReads);

    /// @return null if the request is not stored.
    const SentPayload* FindRequest(Psn psn) const;
    const SentPayload* FindResponse(Psn psn) const;

    /// Stores a request with the newest PSN. Requests with the same or a later PSN are discarded.
    void KeepRequest(Psn psn, SentPayload payload);

    /// @param isFirst whether it is the first response of its READ
    void KeepResponse(Psn psn, bool isFirst, SentPayload payload);

    /// Releases the requests before a PSN, which are acknowledged.
    void Release(Psn oldest);

    void Clear();

    std::size_t GetCount() const
    {
        return m_requests.size() + m_responses.size();
    }

  private:
    struct Request
    {
        Psn psn;
        SentPayload payload;
    };

    struct Response
    {
        uint32_t psn;
        bool isFirst;
    };

    void DropOldestRead();

    uint32_t m_maxReads;
    std::deque<Request> m_requests;                        ///< In the order of their PSNs.
    std::unordered_map<uint32_t, SentPayload> m_responses; ///< By PSN. Never iterated.
    std::deque<Response> m_order;                          ///< Of m_responses, oldest first.
    uint32_t m_reads{0};                                   ///< In m_order.
};

} // namespace ns3::rdma

#endif // FPGA_SENT_PAYLOADS_H
