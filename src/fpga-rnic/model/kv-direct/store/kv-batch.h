// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_BATCH_H
#define FPGA_KV_BATCH_H

#include "ns3/kv-operation.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * The format of batches (KV-Direct section 4, vector operation decoder).  The paper names its
 * content: several operations in one RDMA WRITE, and two flags that copy sizes or value of the
 * previous one.  The layout is ours; integers are little-endian.
 *
 *     batch      count u16 | flags u16 | tag u32 | operations or answers
 *     operation  opcode and flags u8 | function u8, if the opcode has one |
 *                key bytes u8, operand bytes u16 if it has one, unless SAME_SIZES |
 *                key | operand if it has one, unless SAME_VALUE
 *     answer     status and flags u8 | value bytes u16, unless SAME_SIZES | value, unless
 *                SAME_VALUE
 *
 * SAME_SIZES: the key is as long as that of the previous operation, and the operand as long as the
 * last operand.  SAME_VALUE: the operand, or the answer's value, equals the last one; SAME_SIZES is
 * then set, too.
 *
 * The only flag of a batch is PLAIN: this batch, and the answers to it, use neither of the two.
 */
namespace kvbatch
{
constexpr uint32_t HEADER_BYTES{8};
constexpr uint16_t PLAIN{1};       ///< Flag of a batch.
constexpr uint8_t CODE_MASK{0x0f}; ///< Opcode, or status.
constexpr uint8_t SAME_SIZES{0x10};
constexpr uint8_t SAME_VALUE{0x20};
constexpr uint8_t WITHOUT_RETURN{0x40};
constexpr uint32_t MAX_COUNT{65535};
} // namespace kvbatch

/**
 * @ingroup fpga-kv-direct
 * @brief Writes a batch of operations.
 */
class KvBatchWriter
{
  public:
    /// @param isCompressed whether the two flags are used
    explicit KvBatchWriter(bool isCompressed = true);

    /// Begins a new batch.
    /// @param tag returned with the answers
    void Begin(uint32_t tag);

    /// @param operation key and operand not longer than their limits
    /// @return bytes that the operation adds to the batch.
    uint32_t GetBytes(const KvOperation& operation) const;

    /// Only if GetCount() is below MAX_COUNT.
    /// @param operation as above
    void Add(const KvOperation& operation);

    uint32_t GetCount() const
    {
        return m_count;
    }

    const std::vector<uint8_t>& GetBatch() const
    {
        return m_bytes;
    }

    /// Changes the tag of a batch.
    /// @param batch of a KvBatchWriter
    static void SetTag(std::vector<uint8_t>& batch, uint32_t tag);

  private:
    uint8_t FindFlags(const KvOperation& operation) const;

    bool m_isCompressed;
    std::vector<uint8_t> m_bytes;
    uint32_t m_count{0};
    std::size_t m_keyBytes{0};
    std::size_t m_operandAt{0}; ///< Of the last operand in m_bytes; 0: there is none.
    std::size_t m_operandBytes{0};
};

/**
 * @ingroup fpga-kv-direct
 * @brief Decodes the operations of a batch one by one.
 */
class KvBatchReader
{
  public:
    KvBatchReader() = default;

    /// @param batch outlives the decoded operations
    explicit KvBatchReader(ByteView batch);

    uint32_t GetTag() const
    {
        return m_tag;
    }

    /// @return the count in the header; 0 without a header.
    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return whether the answers may copy sizes and values.
    bool HasCompressedAnswers() const
    {
        return !m_isPlain;
    }

    /// @return false if no operation is left, or the batch is malformed from here on.
    bool Next(KvOperation& operation);

    /// @param bytes a batch and any bytes after it
    /// @return size of the batch, up to a malformed part.
    static std::size_t FindEnd(ByteView bytes);

    /// @return whether the part decoded so far violates the format: bytes are missing or left over,
    /// an opcode is unknown, or the first operation copies from an earlier one.
    bool IsMalformed() const
    {
        return m_isMalformed;
    }

  private:
    bool Take(std::size_t bytes, ByteView& view);
    bool TakeSizes(uint8_t flags, bool hasOperand);
    bool Fail();

    ByteView m_batch;
    std::size_t m_at{0};
    uint32_t m_tag{0};
    uint32_t m_count{0};
    uint32_t m_read{0};
    bool m_isPlain{false};
    bool m_isMalformed{false};
    std::size_t m_keyBytes{0};
    ByteView m_operand; ///< The last operand.
    std::size_t m_operandBytes{0};
};

/// Writes the answers to a batch, in the order of its operations.
class KvAnswerWriter
{
  public:
    KvAnswerWriter();

    /// Begins a new batch.
    /// @param tag of the operations' batch
    /// @param isCompressed whether the two flags are used
    void Begin(uint32_t tag, bool isCompressed = true);
    /// @param answer with a value of at most 65,535 bytes
    void Add(const KvAnswer& answer);

    const std::vector<uint8_t>& GetBatch() const
    {
        return m_bytes;
    }

  private:
    bool m_isCompressed{true};
    std::vector<uint8_t> m_bytes;
    uint32_t m_count{0};
    std::size_t m_valueAt{0}; ///< Of the last value in m_bytes; 0: there is none.
    std::size_t m_valueBytes{0};
};

/// Decodes the answers of a batch.
class KvAnswerReader
{
  public:
    /// @param batch outlives the decoded answers
    explicit KvAnswerReader(ByteView batch);

    uint32_t GetTag() const
    {
        return m_tag;
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return false if no answer is left, or the rest violates the format.
    bool Next(KvAnswer& answer);

  private:
    ByteView m_batch;
    std::size_t m_at{0};
    uint32_t m_tag{0};
    uint32_t m_count{0};
    uint32_t m_read{0};
    ByteView m_value;
    bool m_hasValue{false};
};

} // namespace ns3::rdma

#endif // FPGA_KV_BATCH_H
