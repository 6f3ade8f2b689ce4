// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_BATCH_TABLE_H
#define FPGA_KV_BATCH_TABLE_H

#include "ns3/kv-batch.h"
#include "ns3/kv-processor.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rdma
{

/// A batch of answers that is ready to leave.
struct KvReadyBatch
{
    uint32_t queuePair{0};
    uint32_t tag{0}; ///< Of the batch of operations.
    Tick at{0};      ///< When the last answer has left the processor.
    std::vector<uint8_t> bytes;
};

/// Counts of the batches of one store.
struct KvBatchStats
{
    uint64_t batches{0};    ///< That came in.
    uint64_t operations{0}; ///< In them, by their headers.
    uint64_t malformed{0};  ///< Batches that violate the format.
    uint64_t unreadable{0}; ///< Of these: without a header, or without room for one answer.
    uint64_t tooLong{0};    ///< Answers without a value, since it did not fit.
};

/**
 * @ingroup fpga-kv-direct
 * @brief The vector operation decoder and its counterpart: batches of operations in, batches of
 * answers out (KV-Direct section 4).
 *
 * Operations are decoded one by one when the processor takes them, batches in the order in which
 * they came.  Answers leave in the order of the operations, when the last one of the batch is
 * there.  From the first operation on that cannot be decoded, all are answered by MALFORMED.  An
 * answer whose value would make the batch longer than the caller has room for is VALUE_TOO_LONG,
 * without the value; so is one after it that does not fit.  A batch whose header counts more
 * operations than answers fit into that room is malformed as a whole, and gets as many answers as
 * fit.
 */
class KvBatchTable : public KvOperationSource, public KvAnswerSink
{
  public:
    /// A batch has arrived. @param maxAnswerBytes room that its caller has for the answers
    void Add(uint32_t queuePair, std::vector<uint8_t> bytes, uint32_t maxAnswerBytes, Tick now);

    /// @return batches with operations that the processor has not taken.
    std::size_t CountWaiting() const
    {
        return m_waiting.size();
    }

    /// Drops the answers of a queue pair. Operations that the processor has taken are carried out.
    void Forget(uint32_t queuePair);

    /// Takes the batches that are ready, in the order in which they became so.
    std::vector<KvReadyBatch> TakeReady();

    bool Next(Tick now, KvOperation& operation, uint64_t& tag) override;
    void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) override;

    const KvBatchStats& GetStats() const
    {
        return m_stats;
    }

    /// @return the shortest batch of answers to so many operations.
    static uint32_t GetMinAnswerBytes(uint32_t count);

  private:
    struct Answer
    {
        KvStatus status{KvStatus::OK};
        uint32_t offset{0}; ///< Of its value in the batch's.
        uint32_t bytes{0};
    };

    struct Batch
    {
        uint32_t queuePair{0};
        bool isForgotten{false};
        uint32_t maxAnswerBytes{0};
        std::vector<uint8_t> bytes;
        KvBatchReader reader;
        uint32_t taken{0};    ///< Operations that the processor has.
        uint32_t answered{0}; ///< Operations.
        std::vector<Answer> answers;
        std::vector<uint8_t> values;
        Tick lastAt{0};
    };

    uint32_t NewBatch();
    static uint32_t CountAnswersThatFit(uint32_t bytes);
    void RefuseRest(Batch& batch, Tick now);
    void Finish(uint32_t number);

    std::vector<Batch> m_batches;
    std::vector<uint32_t> m_free;
    std::deque<uint32_t> m_waiting;
    std::vector<KvReadyBatch> m_ready;
    KvAnswerWriter m_writer;
    KvBatchStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_KV_BATCH_TABLE_H
