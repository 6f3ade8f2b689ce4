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
    uint64_t batches{0};    ///< Received.
    uint64_t operations{0}; ///< In these batches, according to their headers.
    uint64_t malformed{0};  ///< Batches that violate the format.
    uint64_t unreadable{0}; ///< Of these: without a header, or without room for one answer.
    uint64_t tooLong{0};    ///< Answers whose value did not fit.
};

/**
 * @ingroup fpga-kv-direct
 * @brief The vector operation decoder and its counterpart: decodes batches of operations and
 * encodes batches of answers (KV-Direct section 4).
 *
 * Operations are decoded one by one on request of the processor, in the order in which their
 * batches arrived.  Answers leave in the order of the operations, when the last answer of the batch
 * is available.  From the first operation that cannot be decoded, all are answered by MALFORMED.
 *
 * The caller has limited room for a batch of answers.  If a value does not fit into it, the answer
 * is VALUE_TOO_LONG without the value, as are later ones that do not fit.  If the header counts
 * more operations than answers fit, the whole batch is malformed, and gets as many answers as fit.
 */
class KvBatchTable : public KvOperationSource, public KvAnswerSink
{
  public:
    /// Adds a received batch.
    /// @param maxAnswerBytes room of its caller for the answers
    void Add(uint32_t queuePair, std::vector<uint8_t> bytes, uint32_t maxAnswerBytes, Tick now);

    /// @return batches with operations that are not yet in the processor.
    std::size_t CountWaiting() const
    {
        return m_waiting.size();
    }

    /// Discards the answers of a queue pair. Its operations are still executed.
    void Forget(uint32_t queuePair);

    /// Removes the ready batches, in the order in which they became ready.
    std::vector<KvReadyBatch> TakeReady();

    bool Next(Tick now, KvOperation& operation, uint64_t& tag) override;
    void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) override;

    const KvBatchStats& GetStats() const
    {
        return m_stats;
    }

    /// @return size of the shortest batch of answers to `count` operations.
    static uint32_t GetMinAnswerBytes(uint32_t count);

  private:
    struct Answer
    {
        KvStatus status{KvStatus::OK};
        uint32_t offset{0}; ///< Of its value in Batch::values.
        uint32_t bytes{0};
    };

    struct Batch
    {
        uint32_t queuePair{0};
        bool isForgotten{false};
        uint32_t maxAnswerBytes{0};
        std::vector<uint8_t> bytes;
        KvBatchReader reader;
        uint32_t taken{0};    ///< Operations passed to the processor.
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
