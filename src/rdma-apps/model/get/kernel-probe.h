// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KERNEL_PROBE_H
#define RDMA_KERNEL_PROBE_H

#include "ns3/checked-kernel.h"
#include "ns3/host-memory.h"
#include "ns3/offload-kernel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief One call of a kernel outside of any run, on memory without latency, to see whether it
 * answers a request of workload "rpc".
 *
 * Give memory its bytes, then Call().
 */
class KernelProbe
{
  public:
    /// @param kernel a new one, of no use afterwards; outlives this
    explicit KernelProbe(OffloadKernel& kernel);

    /// @return the memory of the kernel's host; all of it is pinned.
    HostMemory& GetHostMemory()
    {
        return *m_host;
    }

    /// @param target of the answer, in the caller's memory @param value that it must have
    /// @return what is wrong: "answers BAD_PARAMETERS", ...; empty: nothing
    std::string Call(const std::vector<uint8_t>& parameters,
                     uint64_t target,
                     const std::vector<uint8_t>& value);

  private:
    void Apply(const KernelStep& step, Tick now);
    void Execute(const KernelCommand& command, Tick now);
    std::string Compare(uint64_t word, uint64_t target, const std::vector<uint8_t>& value) const;

    CheckedKernel m_kernel;
    Ptr<HostMemory> m_host;
    Ptr<HostMemory> m_card;
    Ptr<HostMemory> m_caller;
    std::multimap<Tick, std::optional<KernelCommand>> m_events; ///< Unset: OnWake().
};

} // namespace ns3::rdma

#endif // RDMA_KERNEL_PROBE_H
