// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_FUNCTION_H
#define FPGA_KV_FUNCTION_H

#include "ns3/byte-view.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief A function that clients can apply to the elements of a value (KV-Direct section 3.2).
 *
 * It is registered with a KvFunctionTable before the first operation, as the paper's functions are
 * compiled to hardware in advance.  A value is an array of elements of one width.  A function
 * overrides the operations that it supports; the others return false, and the caller gets
 * NO_FUNCTION.
 *
 * Elements are little-endian.  A function keeps no state between calls.
 */
class KvFunction : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return bytes of one element, at least 1.
    virtual uint32_t GetElementBytes() const = 0;

    /// @return bytes of the operand of one update. Default: GetElementBytes().
    virtual uint32_t GetOperandBytes() const;

    /// (v, operand) -> v.
    /// @param element replaced by the result
    /// @return false if it does not support updates
    virtual bool Update(uint8_t* element, ByteView operand) const;

    /// (v, sum) -> sum.
    /// @param sum of an element's width, replaced by the result
    /// @return false if it does not support reductions
    virtual bool Reduce(ByteView element, uint8_t* sum) const;

    /// v -> bool.
    /// @param isKept set to the result
    /// @return false if it does not support filters
    virtual bool Filter(ByteView element, bool& isKept) const;
};

/// Elements of 1, 2, 4 or 8 bytes as unsigned integers: the base of the functions below.
class KvIntegerFunction : public KvFunction
{
  public:
    static TypeId GetTypeId();

    uint32_t GetElementBytes() const override
    {
        return m_elementBytes;
    }

  protected:
    void NotifyConstructionCompleted() override;

    uint64_t Load(const uint8_t* element) const;
    void Store(uint8_t* element, uint64_t value) const;

  private:
    uint32_t m_elementBytes{0};
};

/// v + operand, modulo 2^width; as a reduction the sum.
class KvAdd : public KvIntegerFunction
{
  public:
    static TypeId GetTypeId();
    bool Update(uint8_t* element, ByteView operand) const override;
    bool Reduce(ByteView element, uint8_t* sum) const override;
};

/// The larger one of v and the operand; as a reduction the maximum.
class KvMax : public KvIntegerFunction
{
  public:
    static TypeId GetTypeId();
    bool Update(uint8_t* element, ByteView operand) const override;
    bool Reduce(ByteView element, uint8_t* sum) const override;
};

/// Compare and swap: the operand is the expected value, then the new value.
class KvCompareSwap : public KvIntegerFunction
{
  public:
    static TypeId GetTypeId();
    uint32_t GetOperandBytes() const override;
    bool Update(uint8_t* element, ByteView operand) const override;
};

/// Keeps elements that are not zero (sparse vectors, KV-Direct section 3.2).
class KvNonZero : public KvIntegerFunction
{
  public:
    static TypeId GetTypeId();
    bool Filter(ByteView element, bool& isKept) const override;
};

/**
 * @ingroup fpga-kv-direct
 * @brief The functions of a store, by number.
 */
class KvFunctionTable
{
  public:
    /// @return its number
    /// @throws VerbsError if there are 256 functions, or if elements or operands have no bytes
    uint8_t Add(Ptr<KvFunction> function);

    /// @return null if there is none.
    const KvFunction* Find(uint8_t number) const
    {
        return number < m_functions.size() ? PeekPointer(m_functions[number]) : nullptr;
    }

  private:
    std::vector<Ptr<KvFunction>> m_functions;
};

} // namespace ns3::rdma

#endif // FPGA_KV_FUNCTION_H
