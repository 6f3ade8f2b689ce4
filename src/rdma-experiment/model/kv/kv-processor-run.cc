// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-processor-run.h"

#include "ns3/host-memory.h"
#include "ns3/input-error.h"
#include "ns3/kv-load-dispatch.h"
#include "ns3/kv-store-filling.h"
#include "ns3/object-factory.h"
#include "ns3/pcie-link.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t CLOCK_HERTZ{180'000'000}; // KV-Direct section 4.
constexpr uint32_t BUS_BYTES{64};

/// Operations of a workload, from when they arrive on.
class WorkloadSource : public KvOperationSource
{
  public:
    WorkloadSource(KvWorkload& workload, const KvProcessorRequest& request, uint64_t count)
        : m_workload(workload),
          m_interval(request.rate > 0 ? 1e12 / request.rate : 0),
          m_atomics(request.atomics),
          m_random(request.seed, 1),
          m_left(count)
    {
        m_pending.reserve(count);
    }

    bool Next(Tick now, KvOperation& operation, uint64_t& tag) override
    {
        if (m_left == 0 || GetNextArrival() > now)
        {
            return false;
        }
        --m_left;
        tag = m_pending.size();
        m_pending.push_back(m_interval > 0 ? GetNextArrival() : now);
        operation = m_atomics > 0 ? MakeAtomic() : m_workload.Next();
        return true;
    }

    /// @return when the next operation arrives; TICK_NEVER: none is left.
    Tick GetNextArrival() const
    {
        return m_left == 0
                   ? TICK_NEVER
                   : static_cast<Tick>(m_interval * static_cast<double>(m_pending.size()));
    }

    /// @return when an operation arrived.
    Tick GetArrival(uint64_t tag) const
    {
        return m_pending[tag];
    }

  private:
    KvOperation MakeAtomic()
    {
        static constexpr uint8_t ONE[8]{1};
        const auto key = static_cast<uint64_t>(m_random.NextDouble() * double(m_atomics));
        KvOperation operation;
        operation.opcode = KvOpcode::UPDATE_SCALAR;
        operation.function = 1;
        operation.key = m_pairs.GetKey(key);
        operation.operand = ByteView(ONE, sizeof ONE);
        return operation;
    }

    KvWorkload& m_workload;
    double m_interval; ///< ps; 0: they are always there.
    uint64_t m_atomics;
    RandomStream m_random;
    KvPairs m_pairs{8, 8};
    uint64_t m_left;
    std::vector<Tick> m_pending; ///< Arrival of each.
};

} // namespace

} // namespace ns3::rdma
