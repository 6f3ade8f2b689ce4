// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MESSAGE_RECORD_H
#define RDMA_MESSAGE_RECORD_H

#include "ns3/bandwidth-summary.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-perftest
 * @brief What one direction of a bandwidth test remembers of its messages.
 */
class MessageRecord
{
  public:
    virtual ~MessageRecord() = default;
    virtual void OnPosted(Tick now, uint32_t messages) = 0;
    virtual void OnCompleted(Tick now, uint32_t messages) = 0;
    /// @return the messages that are measured.
    virtual uint64_t GetCount() const = 0;
    /// @param bytes per message
    virtual BandwidthSummary Summarize(uint64_t bytes) const = 0;
};

/// The times of all messages: of a test with a number of messages.
class EachMessage : public MessageRecord
{
  public:
    void OnPosted(Tick now, uint32_t messages) override;
    void OnCompleted(Tick now, uint32_t messages) override;
    uint64_t GetCount() const override;
    BandwidthSummary Summarize(uint64_t bytes) const override;

  private:
    std::vector<Tick> m_posted;
    std::vector<Tick> m_completed;
};

/// The number of messages that are completed in an interval: of a test with a duration, as
/// perftest's SAMPLE_STATE. It has no peak.
class SampledMessages : public MessageRecord
{
  public:
    SampledMessages(Tick begin, Tick end);
    void OnPosted(Tick now, uint32_t messages) override;
    void OnCompleted(Tick now, uint32_t messages) override;
    uint64_t GetCount() const override;
    BandwidthSummary Summarize(uint64_t bytes) const override;

  private:
    Tick m_begin;
    Tick m_end;
    uint64_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_MESSAGE_RECORD_H
