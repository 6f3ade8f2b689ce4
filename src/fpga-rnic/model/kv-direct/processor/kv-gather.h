// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_GATHER_H
#define FPGA_KV_GATHER_H

#include "ns3/pcie-link.h"
#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Costs and limits of CPU-based scatter-gather.
struct KvGatherSettings
{
    uint32_t cores{1};
    uint32_t batch{256};      ///< DMA operations per doorbell (section 6.1).
    uint32_t addressBytes{8}; ///< In the request queue; our choice.
    /// Of an operation: 256 take 10 us (section 6.1). Random accesses alone would take 34 ns: 29.3
    /// million per second and core (section 2.2).
    Tick accessCost{39'062};
    /// Beyond the first line of an operation: 60.3 GB/s for eight cores (Table 4).
    double gigabytesPerSecond{7.54};
    uint32_t buffers{4}; ///< Outstanding batches per core, at most. Ours.
};

/**
 * @ingroup fpga-kv-direct
 * @brief Scatter-gather DMA by the host's cores: many small reads become few large ones (KV-Direct
 * section 6.1, Figure 19).
 *
 * The NIC writes a batch of addresses to a queue in the host's memory.  A core polls the queue,
 * copies the data into one block and rings a doorbell; the NIC then reads the block.  Batches are
 * assigned to the cores round-robin.  Only times are modelled, as in PcieLink.
 *
 * Not modelled: the polling interval; contention of the cores for memory.
 */
class KvGather
{
  public:
    /// @param pcie started, outlives this
    KvGather(const KvGatherSettings& settings, PcieLink& pcie);

    /// @param now not before that of an earlier call
    /// @param bytes of each read
    /// @return when all data of a batch are in the NIC
    Tick Read(Tick now, uint32_t bytes);

  private:
    KvGatherSettings m_settings;
    PcieLink& m_pcie;
    std::vector<Tick> m_free; ///< When each core is idle.
    std::size_t m_next{0};
};

} // namespace ns3::rdma

#endif // FPGA_KV_GATHER_H
