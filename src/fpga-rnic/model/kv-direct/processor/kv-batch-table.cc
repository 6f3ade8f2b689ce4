// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-batch-table.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// The upper half of a tag is the batch, the lower half the index of the operation.
constexpr int BATCH_SHIFT{32};
/// Status and size of an answer that copies nothing from the previous one.
constexpr uint32_t ANSWER_HEAD_BYTES{3};
} // namespace

uint32_t
KvBatchTable::GetMinAnswerBytes(uint32_t count)
{
    return kvbatch::HEADER_BYTES + ANSWER_HEAD_BYTES * count;
}

/// @return number of answers without values that fit into a number of bytes.
uint32_t
KvBatchTable::CountAnswersThatFit(uint32_t bytes)
{
    return (std::max(bytes, kvbatch::HEADER_BYTES) - kvbatch::HEADER_BYTES) / ANSWER_HEAD_BYTES;
}

uint32_t
KvBatchTable::NewBatch()
{
    if (m_free.empty())
    {
        m_batches.emplace_back();
        return static_cast<uint32_t>(m_batches.size() - 1);
    }
    const uint32_t number = m_free.back();
    m_free.pop_back();
    return number;
}

void
KvBatchTable::Add(uint32_t queuePair, std::vector<uint8_t> bytes, uint32_t maxAnswerBytes, Tick now)
{
    ++m_stats.batches;
    const uint32_t room = CountAnswersThatFit(maxAnswerBytes);
    if (bytes.size() < kvbatch::HEADER_BYTES || room == 0)
    {
        ++m_stats.malformed;
        ++m_stats.unreadable;
        return;
    }
    const uint32_t number = NewBatch();
    Batch& batch = m_batches[number];
    batch.queuePair = queuePair;
    batch.isForgotten = false;
    batch.maxAnswerBytes = maxAnswerBytes;
    batch.bytes = std::move(bytes);
    batch.reader = KvBatchReader(ByteView(batch.bytes));
    batch.taken = 0;
    batch.answered = 0;
    const bool isTooMany = batch.reader.GetCount() > room;
    batch.answers.assign(std::min(batch.reader.GetCount(), room), Answer{});
    batch.values.clear();
    batch.lastAt = now;
    m_stats.operations += batch.reader.GetCount();
    if (batch.reader.GetCount() == 0 || batch.reader.IsMalformed() || isTooMany)
    {
        m_stats.malformed += batch.reader.IsMalformed() || isTooMany;
        RefuseRest(batch, now);
        Finish(number);
        return;
    }
    m_waiting.push_back(number);
}

void
KvBatchTable::RefuseRest(Batch& batch, Tick now)
{
    for (; batch.taken < batch.answers.size(); ++batch.taken)
    {
        batch.answers[batch.taken].status = KvStatus::MALFORMED;
        ++batch.answered;
    }
    batch.lastAt = std::max(batch.lastAt, now);
}

bool
KvBatchTable::Next(Tick now, KvOperation& operation, uint64_t& tag)
{
    while (!m_waiting.empty())
    {
        const uint32_t number = m_waiting.front();
        Batch& batch = m_batches[number];
        if (batch.reader.Next(operation))
        {
            tag = uint64_t{number} << BATCH_SHIFT | batch.taken;
            ++batch.taken;
            if (batch.taken == batch.answers.size())
            {
                m_stats.malformed += batch.reader.IsMalformed(); // Bytes are left over.
                m_waiting.pop_front();
            }
            return true;
        }
        ++m_stats.malformed;
        m_waiting.pop_front();
        RefuseRest(batch, now);
        if (batch.answered == batch.answers.size())
        {
            Finish(number);
        }
    }
    return false;
}

void
KvBatchTable::OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at)
{
    const auto number = static_cast<uint32_t>(tag >> BATCH_SHIFT);
    Batch& batch = m_batches[number];
    Answer& kept = batch.answers[static_cast<uint32_t>(tag)];
    kept.status = answer.status;
    kept.offset = static_cast<uint32_t>(batch.values.size());
    kept.bytes = static_cast<uint32_t>(answer.value.GetSize());
    batch.values.insert(batch.values.end(),
                        answer.value.GetData(),
                        answer.value.GetData() + answer.value.GetSize());
    batch.lastAt = std::max(batch.lastAt, at);
    if (++batch.answered == batch.answers.size())
    {
        Finish(number);
    }
}

void
KvBatchTable::Finish(uint32_t number)
{
    Batch& batch = m_batches[number];
    m_free.push_back(number);
    if (batch.isForgotten)
    {
        return;
    }
    m_writer.Begin(batch.reader.GetTag(), batch.reader.HasCompressedAnswers());
    uint32_t left = static_cast<uint32_t>(batch.answers.size());
    for (const Answer& answer : batch.answers)
    {
        --left;
        const std::size_t needed =
            m_writer.GetBatch().size() + ANSWER_HEAD_BYTES * (left + 1) + answer.bytes;
        if (needed > batch.maxAnswerBytes && answer.bytes > 0)
        {
            ++m_stats.tooLong;
            m_writer.Add({KvStatus::VALUE_TOO_LONG, {}});
            continue;
        }
        m_writer.Add({answer.status, ByteView(batch.values.data() + answer.offset, answer.bytes)});
    }
    m_ready.push_back({batch.queuePair, batch.reader.GetTag(), batch.lastAt, m_writer.GetBatch()});
}

void
KvBatchTable::Forget(uint32_t queuePair)
{
    for (Batch& batch : m_batches)
    {
        batch.isForgotten = batch.isForgotten || batch.queuePair == queuePair;
    }
}

std::vector<KvReadyBatch>
KvBatchTable::TakeReady()
{
    return std::exchange(m_ready, {});
}

} // namespace ns3::rdma
