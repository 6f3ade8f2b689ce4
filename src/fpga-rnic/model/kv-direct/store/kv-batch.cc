// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-batch.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

namespace
{
using namespace kvbatch;

void
Put16(std::vector<uint8_t>& bytes, std::size_t value)
{
    bytes.push_back(static_cast<uint8_t>(value));
    bytes.push_back(static_cast<uint8_t>(value >> 8));
}

void
PutBytes(std::vector<uint8_t>& bytes, ByteView view)
{
    bytes.insert(bytes.end(), view.GetData(), view.GetData() + view.GetSize());
}

void
PutHeader(std::vector<uint8_t>& bytes, uint32_t tag, bool isCompressed)
{
    bytes.assign(HEADER_BYTES, 0);
    boost::endian::store_little_u16(bytes.data() + 2, isCompressed ? 0 : PLAIN);
    boost::endian::store_little_u32(bytes.data() + 4, tag);
}

void
SetCount(std::vector<uint8_t>& bytes, uint32_t count)
{
    boost::endian::store_little_u16(bytes.data(), static_cast<uint16_t>(count));
}

bool
IsEqual(ByteView view, const uint8_t* bytes)
{
    return std::equal(view.GetData(), view.GetData() + view.GetSize(), bytes);
}

uint16_t
Load16(ByteView view)
{
    return boost::endian::load_little_u16(view.GetData());
}
} // namespace

KvBatchWriter::KvBatchWriter(bool isCompressed)
    : m_isCompressed(isCompressed)
{
    Begin(0);
}

void
KvBatchWriter::SetTag(std::vector<uint8_t>& batch, uint32_t tag)
{
    boost::endian::store_little_u32(batch.data() + 4, tag);
}

void
KvBatchWriter::Begin(uint32_t tag)
{
    PutHeader(m_bytes, tag, m_isCompressed);
    m_count = 0;
    m_keyBytes = 0;
    m_operandAt = 0;
    m_operandBytes = 0;
}

uint8_t
KvBatchWriter::FindFlags(const KvOperation& operation) const
{
    uint8_t flags = operation.isWithoutReturn ? WITHOUT_RETURN : 0;
    if (!m_isCompressed || m_count == 0)
    {
        return flags;
    }
    const bool hasOperand = HasKvOperand(operation.opcode);
    const bool isSameSize = m_operandAt != 0 && operation.operand.GetSize() == m_operandBytes;
    if (operation.key.GetSize() == m_keyBytes && (!hasOperand || isSameSize))
    {
        flags |= SAME_SIZES;
        if (hasOperand && IsEqual(operation.operand, m_bytes.data() + m_operandAt))
        {
            flags |= SAME_VALUE;
        }
    }
    return flags;
}

uint32_t
KvBatchWriter::GetBytes(const KvOperation& operation) const
{
    const uint8_t flags = FindFlags(operation);
    const bool hasOperand = HasKvOperand(operation.opcode);
    std::size_t bytes = 1 + HasKvFunction(operation.opcode) + operation.key.GetSize();
    if ((flags & SAME_SIZES) == 0)
    {
        bytes += hasOperand ? 3 : 1;
    }
    if (hasOperand && (flags & SAME_VALUE) == 0)
    {
        bytes += operation.operand.GetSize();
    }
    return static_cast<uint32_t>(bytes);
}

void
KvBatchWriter::Add(const KvOperation& operation)
{
    const uint8_t flags = FindFlags(operation);
    const bool hasOperand = HasKvOperand(operation.opcode);
    m_bytes.push_back(static_cast<uint8_t>(operation.opcode) | flags);
    if (HasKvFunction(operation.opcode))
    {
        m_bytes.push_back(operation.function);
    }
    if ((flags & SAME_SIZES) == 0)
    {
        m_bytes.push_back(static_cast<uint8_t>(operation.key.GetSize()));
        if (hasOperand)
        {
            Put16(m_bytes, operation.operand.GetSize());
        }
    }
    PutBytes(m_bytes, operation.key);
    m_keyBytes = operation.key.GetSize();
    if (hasOperand && (flags & SAME_VALUE) == 0)
    {
        m_operandAt = m_bytes.size();
        m_operandBytes = operation.operand.GetSize();
        PutBytes(m_bytes, operation.operand);
    }
    SetCount(m_bytes, ++m_count);
}

KvBatchReader::KvBatchReader(ByteView batch)
    : m_batch(batch)
{
    ByteView header;
    if (Take(HEADER_BYTES, header))
    {
        m_count = Load16(header);
        m_tag = header.Get32(4);
        const uint32_t flags = header.Get32(0) >> 16;
        m_isPlain = (flags & PLAIN) != 0;
        m_isMalformed = flags > PLAIN || (m_count == 0 && m_at != batch.GetSize());
    }
}

bool
KvBatchReader::Fail()
{
    m_isMalformed = true;
    return false;
}

bool
KvBatchReader::Take(std::size_t bytes, ByteView& view)
{
    if (m_batch.GetSize() - m_at < bytes)
    {
        return Fail();
    }
    view = ByteView(m_batch.GetData() + m_at, bytes);
    m_at += bytes;
    return true;
}

bool
KvBatchReader::TakeSizes(uint8_t flags, bool hasOperand)
{
    if ((flags & SAME_SIZES) != 0)
    {
        return m_read > 0 && (!hasOperand || m_operand.GetData()) ? true : Fail();
    }
    ByteView sizes;
    if (!Take(hasOperand ? 3 : 1, sizes))
    {
        return false;
    }
    m_keyBytes = *sizes.GetData();
    if (hasOperand)
    {
        m_operandBytes = Load16(ByteView(sizes.GetData() + 1, 2));
    }
    return true;
}

bool
KvBatchReader::Next(KvOperation& operation)
{
    if (m_isMalformed || m_read == m_count)
    {
        return false;
    }
    ByteView code;
    if (!Take(1, code))
    {
        return false;
    }
    const uint8_t flags = *code.GetData() & ~CODE_MASK;
    const uint8_t opcode = *code.GetData() & CODE_MASK;
    constexpr uint8_t KNOWN{SAME_SIZES | SAME_VALUE | WITHOUT_RETURN};
    if (opcode >= static_cast<uint8_t>(KvOpcode::COUNT) || (flags & ~KNOWN) != 0)
    {
        return Fail();
    }
    operation.opcode = static_cast<KvOpcode>(opcode);
    operation.isWithoutReturn = (flags & WITHOUT_RETURN) != 0;
    operation.function = 0;
    const bool hasOperand = HasKvOperand(operation.opcode);
    if ((flags & SAME_VALUE) != 0 && (!hasOperand || (flags & SAME_SIZES) == 0))
    {
        return Fail();
    }
    ByteView function;
    if (HasKvFunction(operation.opcode))
    {
        if (!Take(1, function))
        {
            return false;
        }
        operation.function = *function.GetData();
    }
    if (!TakeSizes(flags, hasOperand) || !Take(m_keyBytes, operation.key))
    {
        return false;
    }
    operation.operand = {};
    if (hasOperand)
    {
        if ((flags & SAME_VALUE) == 0 && !Take(m_operandBytes, m_operand))
        {
            return false;
        }
        operation.operand = m_operand;
    }
    ++m_read;
    if (m_read == m_count && m_at != m_batch.GetSize())
    {
        m_isMalformed = true; // Bytes are left over: this operation is the last one.
    }
    return true;
}

std::size_t
KvBatchReader::FindEnd(ByteView bytes)
{
    KvBatchReader reader(bytes);
    KvOperation operation;
    while (reader.Next(operation))
    {
    }
    return reader.m_at;
}

KvAnswerWriter::KvAnswerWriter()
{
    Begin(0);
}

void
KvAnswerWriter::Begin(uint32_t tag, bool isCompressed)
{
    m_isCompressed = isCompressed;
    PutHeader(m_bytes, tag, isCompressed);
    m_count = 0;
    m_valueAt = 0;
    m_valueBytes = 0;
}

void
KvAnswerWriter::Add(const KvAnswer& answer)
{
    const bool isSameSize =
        m_isCompressed && m_valueAt != 0 && answer.value.GetSize() == m_valueBytes;
    const bool isSameValue = isSameSize && IsEqual(answer.value, m_bytes.data() + m_valueAt);
    m_bytes.push_back(static_cast<uint8_t>(answer.status) | (isSameSize ? SAME_SIZES : 0) |
                      (isSameValue ? SAME_VALUE : 0));
    if (!isSameSize)
    {
        Put16(m_bytes, answer.value.GetSize());
    }
    if (!isSameValue)
    {
        m_valueAt = m_bytes.size();
        m_valueBytes = answer.value.GetSize();
        PutBytes(m_bytes, answer.value);
    }
    SetCount(m_bytes, ++m_count);
}

KvAnswerReader::KvAnswerReader(ByteView batch)
    : m_batch(batch)
{
    if (batch.GetSize() >= HEADER_BYTES)
    {
        m_count = Load16(batch);
        m_tag = batch.Get32(4);
        m_at = HEADER_BYTES;
    }
}

bool
KvAnswerReader::Next(KvAnswer& answer)
{
    if (m_read == m_count || m_at == m_batch.GetSize())
    {
        return false;
    }
    const uint8_t code = m_batch.GetData()[m_at];
    ++m_at;
    answer.status = static_cast<KvStatus>(code & CODE_MASK);
    std::size_t bytes = m_value.GetSize();
    if (answer.status >= KvStatus::COUNT || ((code & SAME_SIZES) != 0 && !m_hasValue))
    {
        return false;
    }
    if ((code & SAME_SIZES) == 0)
    {
        if (m_batch.GetSize() - m_at < 2)
        {
            return false;
        }
        bytes = Load16(ByteView(m_batch.GetData() + m_at, 2));
        m_at += 2;
    }
    if ((code & SAME_VALUE) == 0)
    {
        if (m_batch.GetSize() - m_at < bytes)
        {
            return false;
        }
        m_value = ByteView(m_batch.GetData() + m_at, bytes);
        m_at += bytes;
        m_hasValue = true;
    }
    answer.value = m_value;
    ++m_read;
    return true;
}

} // namespace ns3::rdma
