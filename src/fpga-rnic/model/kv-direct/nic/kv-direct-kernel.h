// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_DIRECT_KERNEL_H
#define FPGA_KV_DIRECT_KERNEL_H

#include "ns3/host-memory.h"
#include "ns3/kv-batch-table.h"
#include "ns3/kv-memory-engine.h"
#include "ns3/kv-processor.h"
#include "ns3/kv-server-parts.h"
#include "ns3/kv-store.h"
#include "ns3/offload-kernel.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Where the answers to one queue pair's batches go.
struct KvReplyWindow
{
    uint64_t address{0};   ///< At the client: the slot of tag 0.
    uint32_t slotBytes{0}; ///< Of a slot; tag t has the slot t modulo slots.
    uint32_t slots{1};
    uint32_t remoteKey{0};

    /// @return where the answers to a batch go.
    uint64_t GetAddress(uint32_t tag) const
    {
        return address + uint64_t{tag % slots} * slotBytes;
    }
};

/**
 * @ingroup fpga-kv-direct
 * @brief KV-Direct on a NIC: batches of operations come in RDMA WRITEs, and so do the answers go
 * (KV-Direct sections 3.1 and 3.2, Figure 2).
 *
 * Each message of a queue pair that is bound to the kernel (KernelHost::BindWrites) is a batch; its
 * address is not used.  A batch that is longer than the attribute MaxBatchBytes is dropped whole
 * and counted.  No packet is taken while WaitingBatches of them have operations that the processor
 * has not taken.
 *
 * The store's bytes are in the host's memory; PCIe links and DRAM are the board's own (KvBoard).
 *
 * Not modelled: DMA of the NIC's own on these links, since its messages end on the chip; PCIe and
 * processor time of the host's daemon (they are counted, SlabDaemon).
 */
class KvDirectKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{64}; ///< Ours: the paper has no codes.

    static TypeId GetTypeId();
    ~KvDirectKernel() override;

    /// Makes the store, once, before any batch. Throws a VerbsError if settings have a fault.
    /// @param memory of the host @param seed of the run @param number of the NIC in it
    /// @param keys that are expected, for the load dispatch under a long tail; 0: all are alike
    void Start(const KvStoreSettings& store,
               Ptr<HostMemory> memory,
               uint64_t seed,
               uint64_t number,
               uint64_t keys);

    /// Adds a function before batches come. @return its number
    uint8_t AddFunction(Ptr<KvFunction> function);

    /// A queue pair is there. @param window with room for a batch of answers in each slot
    void Connect(uint32_t queuePair, const KvReplyWindow& window);

    /// @return what to fill it with. After Start().
    KvStore& GetStore()
    {
        return *m_store;
    }

    /// @return bytes of the longest batch that is not dropped.
    uint32_t GetMaxBatchBytes() const
    {
        return m_maxBatchBytes;
    }

    uint64_t GetRpcCode() const override
    {
        return RPC_CODE;
    }

    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;
    KernelStep OnWake(Tick now) override;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) override;

    const KvBatchStats& GetBatchStats() const
    {
        return m_batches.GetStats();
    }

    /// @return batches that were longer than MaxBatchBytes, or came on a queue pair without window.
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  private:
    /// A queue pair, and the part of a message that is there.
    struct Peer
    {
        KvReplyWindow window;
        std::vector<uint8_t> bytes;
        bool isTooLong{false};
    };

    /// @throws std::invalid_argument if it is neither a share nor -1
    void SetDispatchRatio(double ratio);
    double GetDispatchRatio() const;

    /// @throws std::invalid_argument if PCIe has no link of so many lanes
    void SetLinkLanes(uint32_t lanes);
    uint32_t GetLinkLanes() const;
    KvMemorySettings MakeMemorySettings(const KvStoreSettings& store, uint64_t keys) const;
    void TakeBatch(uint32_t queuePair, Peer& peer, Tick now);
    void Advance(Tick now, KernelStep& step);
    void AddAnswer(KvReadyBatch& ready, KernelStep& step) const;

    /// @return its own clock's: that of the NIC's pipeline may be another.
    ClockDomain MakeClock() const;

    // Attributes.
    uint64_t m_frequency{0};
    KvBoard m_board;
    KvProcessorSettings m_processing;
    uint64_t m_cacheBytes{0};
    double m_dispatchRatio{0};
    uint32_t m_maxBatchBytes{0};
    uint32_t m_waitingBatches{0};

    std::vector<Ptr<PcieLink>> m_links;
    Ptr<ChannelMemory> m_card;
    Ptr<HostMemory> m_bytes;
    KvFunctionTable m_functions;
    KvBatchTable m_batches;
    std::unique_ptr<KvStore> m_store;           ///< Null before Start().
    std::unique_ptr<KvMemoryEngine> m_memory;   ///< Likewise.
    std::unique_ptr<KvProcessor> m_processor;   ///< Likewise.
    std::unordered_map<uint32_t, Peer> m_peers; ///< By queue pair. Never iterated.
    Tick m_wakeAt{TICK_NEVER};                  ///< The earliest one that is asked for.
    bool m_isOpen{true};                        ///< Whether it takes packets.
    uint64_t m_dropped{0};
};

} // namespace ns3::rdma

#endif // FPGA_KV_DIRECT_KERNEL_H
