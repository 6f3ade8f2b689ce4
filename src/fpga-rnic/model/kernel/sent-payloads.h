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

/// What a packet carried behind the services of its queue pair.
struct SentPayload
{
    std::optional<std::vector<uint8_t>> bytes; ///< Unset: as before them.
    uint32_t messageBytes{0};                  ///< Of its message, behind them.
};

/**
 * @ingroup fpga-kernel
 * @brief The payload that a queue pair has sent and may have to send again, as its services left
 * it (BALBOA section 4.2: payload is held in card memory until it is acknowledged).
 *
 * Requests are released by their acknowledgment; READ responses, which have none, when so many
 * younger READs have been answered as a requester may have under way.
 */
class SentPayloads
{
  public:
    /// @param maxReads READs of the peer that may be asked for again
    explicit SentPayloads(uint32_t maxReads);

    /// @return null: the request was not sent before.
    const SentPayload* FindRequest(Psn psn) const;
    const SentPayload* FindResponse(Psn psn) const;

    /// Keeps a request with the newest PSN. Requests with the same or a later PSN are dropped.
    void KeepRequest(Psn psn, SentPayload payload);

    /// @param isFirst of its READ
    void KeepResponse(Psn psn, bool isFirst, SentPayload payload);

    /// Requests before a PSN are acknowledged.
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
