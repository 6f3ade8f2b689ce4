// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KV_WORKLOAD_H
#define RDMA_KV_WORKLOAD_H

#include "ns3/kv-operation.h"
#include "ns3/random-stream.h"
#include "ns3/zipfian.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Which keys a workload asks for.
enum class KvPopularity : uint8_t
{
    UNIFORM,
    ZIPF,      ///< Key i in proportion to (i + 1)^-theta: KV-Direct's long tail.
    SCRAMBLED, ///< YCSB's zipfian: the same, scattered by a hash, of 10^10 numbers.
    LATEST,    ///< The newest key most often (YCSB D).
    IN_TURN,   ///< One key after the other, from 0 on again and again.
};

/// What a workload asks for, and of what.
struct KvWorkloadSettings
{
    double getShare{1};       ///< The shares are 1 together.
    double putShare{0};       ///< Replaces the value of a key that is there.
    double insertShare{0};    ///< A new key.
    double modifyShare{0};    ///< Read, modify, write: an update of each element by a function.
    uint32_t operandBytes{1}; ///< Of an update: a one, little-endian.
    bool hasReturn{true};     ///< Whether updates answer with the value as it was.

    KvPopularity popularity{KvPopularity::UNIFORM};
    double theta{0.99};   ///< Of all but UNIFORM and IN_TURN.
    uint64_t keys{1};     ///< That are there from the start, at least 1.
    uint64_t hotKeys{0};  ///< Operations are for the first so many only; 0: for all.
    uint32_t keyBytes{8}; ///< 1 to 255: room for all numbers of keys.
    uint32_t valueBytes{8};

    /// @return what is wrong, one line; empty: nothing.
    std::string FindFault() const;
};

/**
 * @return the shares and the popularity of a YCSB core workload, "a" to "f".  Its popularity is
 * YCSB's own (SCRAMBLED, for D LATEST).  E scans keys in their order, which a hash table does not
 * have: unset, as for names that are none.
 */
std::optional<KvWorkloadSettings> FindYcsbWorkload(const std::string& name);

/// Keys and values by number.
class KvPairs
{
  public:
    KvPairs(uint32_t keyBytes, uint32_t valueBytes);

    /// @return of a key; valid until the next call.
    ByteView GetKey(uint64_t number);
    /// @return its value as it is written first; valid until the next call.
    ByteView GetValue(uint64_t number);

  private:
    std::vector<uint8_t> m_key;
    std::vector<uint8_t> m_value;
};

/**
 * @ingroup rdma-kv
 * @brief An endless stream of operations: YCSB's core workloads and the mixes of KV-Direct
 * section 5.
 *
 * All of one random stream, so that two of the same seed are the same.  Values depend on the
 * number of the key alone, except for those that an update has changed.
 */
class KvWorkload
{
  public:
    /// @param settings without a fault; @param modify number of the function that updates name
    KvWorkload(const KvWorkloadSettings& settings, RandomStream random, uint8_t modify = 0);

    /// @return the next operation; valid until the next call.
    KvOperation Next();

    /// @return the number of the key of the last operation.
    uint64_t GetNumber() const
    {
        return m_number;
    }

    const KvWorkloadSettings& GetSettings() const
    {
        return m_settings;
    }

  private:
    KvOpcode DrawOpcode(bool& isInsert);
    uint64_t DrawNumber();

    KvWorkloadSettings m_settings;
    RandomStream m_random;
    uint8_t m_modify;
    Zipfian m_zipf;
    KvPairs m_pairs;
    std::vector<uint8_t> m_operand; ///< Of updates.
    uint64_t m_keys;                ///< That are there by now.
    uint64_t m_number{0};
    uint64_t m_drawn{0}; ///< Keys that were drawn in turn.
};

} // namespace ns3::rdma

#endif // RDMA_KV_WORKLOAD_H
