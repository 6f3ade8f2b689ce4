// SPDX-License-Identifier: GPL-2.0-only
#ifndef KV_REFERENCE_MODEL_H
#define KV_REFERENCE_MODEL_H

#include "kv-test-bench.h"

#include "ns3/kv-operation.h"
#include "ns3/random-stream.h"

#include <boost/endian/conversion.hpp>
#include <unordered_map>
#include <vector>

namespace ns3::rdma::test
{

/// An operation that owns its bytes.
struct OwnedOperation
{
    KvOpcode opcode{KvOpcode::GET};
    Bytes key;
    Bytes operand;
    uint8_t function{0};

    KvOperation View() const
    {
        KvOperation operation;
        operation.opcode = opcode;
        operation.function = function;
        operation.key = ByteView(key);
        operation.operand = ByteView(operand);
        return operation;
    }
};

/// A store as a map: draws random operations, and says whether their answers are right, in the
/// order in which they took effect.
class KvReferenceModel
{
  public:
    static constexpr uint8_t ADD_BYTE{1}; ///< The number of a function that adds to a byte.

    /// @param utilization below which values are put, above which keys are removed
    KvReferenceModel(uint64_t seed, double utilization)
        : m_random(seed, 7),
          m_utilization(utilization)
    {
    }

    /// @param used share of the memory; half of the operations are on eight keys
    OwnedOperation Draw(double used)
    {
        OwnedOperation operation;
        operation.key =
            MakeKeyOf(m_random.Next32() % (m_random.Next32() % 2 == 0 ? POPULAR : KEYS));
        const uint32_t kind = m_random.Next32() % 6;
        if (kind < 2)
        {
            return operation;
        }
        if (kind == 2)
        {
            operation.opcode = KvOpcode::UPDATE_VECTOR;
            operation.function = ADD_BYTE;
            operation.operand = {static_cast<uint8_t>(m_random.Next32())};
            return operation;
        }
        operation.opcode = used < m_utilization ? KvOpcode::PUT : KvOpcode::DELETE;
        if (operation.opcode == KvOpcode::PUT)
        {
            const uint32_t longest = m_random.Next32() % 8 == 0 ? 480 : 40;
            operation.operand.assign(m_random.Next32() % longest,
                                     static_cast<uint8_t>(m_random.Next32()));
        }
        return operation;
    }

    /// @return whether an answer is right. The operation takes effect.
    bool Check(const OwnedOperation& operation, const KvAnswer& answer)
    {
        const uint64_t number = GetNumber(operation.key);
        const auto found = m_map.find(number);
        if (operation.opcode == KvOpcode::PUT)
        {
            if (answer.status == KvStatus::OK)
            {
                m_map[number] = operation.operand;
            }
            return answer.status == KvStatus::OK || answer.status == KvStatus::NO_MEMORY;
        }
        if (found == m_map.end())
        {
            return answer.status == KvStatus::NOT_FOUND;
        }
        if (operation.opcode == KvOpcode::DELETE)
        {
            m_map.erase(found);
            return answer.status == KvStatus::OK;
        }
        const bool isRight = answer.status == KvStatus::OK && answer.value.Copy() == found->second;
        if (operation.opcode == KvOpcode::UPDATE_VECTOR)
        {
            for (uint8_t& byte : found->second)
            {
                byte = static_cast<uint8_t>(byte + operation.operand[0]);
            }
        }
        return isRight;
    }

    /// @return keys that are not in a store as they are here.
    uint64_t CountDifferences(KvStore& store) const
    {
        uint64_t differences = store.GetStats().keys != m_map.size();
        for (const auto& [number, value] : m_map)
        {
            KvGetter getter;
            KvAccesses accesses;
            const Bytes key = MakeKeyOf(number);
            store.Visit(ByteView(key), getter, accesses);
            differences += !getter.IsFound() || getter.GetValue() != value;
        }
        return differences;
    }

  private:
    static constexpr uint64_t KEYS{3000};
    static constexpr uint64_t POPULAR{8};

    static Bytes MakeKeyOf(uint64_t number)
    {
        return MakeKey(number, 4 + number % 13);
    }

    static uint64_t GetNumber(Bytes key)
    {
        key.resize(4); // Numbers are small, the rest is filling.
        return boost::endian::load_little_u32(key.data());
    }

    RandomStream m_random;
    double m_utilization;
    std::unordered_map<uint64_t, Bytes> m_map;
};

} // namespace ns3::rdma::test

#endif // KV_REFERENCE_MODEL_H
