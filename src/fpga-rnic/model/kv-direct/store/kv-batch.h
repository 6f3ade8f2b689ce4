// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_BATCH_H
#define FPGA_KV_BATCH_H

#include "ns3/kv-operation.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * The format of batches (KV-Direct section 4, vector operation decoder).  The paper names what is
 * in it: several operations in one RDMA WRITE, and two flags that copy sizes or value of the one
 * before.  The layout is ours; integers are little-endian.
 *
 *     batch      count u16 | flags u16 | tag u32 | operations or answers
 *     operation  opcode and flags u8 | function u8, if the opcode has one |
 *                key bytes u8, operand bytes u16 if it has one, unless SAME_SIZES |
 *                key | operand if it has one, unless SAME_VALUE
 *     answer     status and flags u8 | value bytes u16, unless SAME_SIZES | value, unless
 *                SAME_VALUE
 *
 * SAME_SIZES: the key is as long as that of the operation before it, the operand as the last one
 * before it.  SAME_VALUE: the operand, or the answer's value, is that of the last one before it,
 * which has no sizes of its own then.
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

    /// A new batch. @param tag comes back with the answers
    void Begin(uint32_t tag);

    /// @param operation key and operand not longer than their limits
    /// @return bytes that it adds to the batch.
    uint32_t GetBytes(const KvOperation& operation) const;

    /// @param operation as above; fewer than MAX_COUNT are there
    void Add(const KvOperation& operation);

    uint32_t GetCount() const
    {
        return m_count;
    }

    const std::vector<uint8_t>& GetBatch() const
    {
        return m_bytes;
    }

    /// Gives a batch another tag. @param batch that a writer has made
    static void SetTag(std::vector<uint8_t>& batch, uint32_t tag);

  private:
    uint8_t FindFlags(const KvOperation& operation) const;

    bool m_isCompressed;
    std::vector<uint8_t> m_bytes;
    uint32_t m_count{0};
    std::size_t m_keyBytes{0};
    std::size_t m_operandAt{0}; ///< In m_bytes: of the last operand; 0: there is none.
    std::size_t m_operandBytes{0};
};

/**
 * @ingroup fpga-kv-direct
 * @brief The decoder: takes operations out of a batch one by one.
 */
class KvBatchReader
{
  public:
    KvBatchReader() = default;

    /// @param batch outlives what is read from it
    explicit KvBatchReader(ByteView batch);

    uint32_t GetTag() const
    {
        return m_tag;
    }

    /// @return of the header; 0 if there is none.
    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return whether the answers may copy sizes and values.
    bool HasCompressedAnswers() const
    {
        return !m_isPlain;
    }

    /// @return false: there is none left, or the batch is malformed from here on.
    bool Next(KvOperation& operation);

    /// @return bytes of a batch that other bytes follow, up to what is malformed.
    static std::size_t FindEnd(ByteView bytes);

    /// @return whether anything in it violates the format: bytes are missing or left over, an
    /// opcode is unknown, or something is copied from before the first. Found as it is read.
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
    ByteView m_operand; ///< The last one.
    std::size_t m_operandBytes{0};
};

/// Writes the answers to a batch, in the order of its operations.
class KvAnswerWriter
{
  public:
    KvAnswerWriter();

    /// A new batch. @param tag of the operations' batch @param isCompressed whether the two flags
    /// are used
    void Begin(uint32_t tag, bool isCompressed = true);
    /// @param answer its value at most 65,535 bytes
    void Add(const KvAnswer& answer);

    const std::vector<uint8_t>& GetBatch() const
    {
        return m_bytes;
    }

  private:
    bool m_isCompressed{true};
    std::vector<uint8_t> m_bytes;
    uint32_t m_count{0};
    std::size_t m_valueAt{0}; ///< In m_bytes; 0: there is none.
    std::size_t m_valueBytes{0};
};

/// Reads the answers.
class KvAnswerReader
{
  public:
    /// @param batch outlives what is read from it
    explicit KvAnswerReader(ByteView batch);

    uint32_t GetTag() const
    {
        return m_tag;
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return false: there is none left, or the rest violates the format.
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
