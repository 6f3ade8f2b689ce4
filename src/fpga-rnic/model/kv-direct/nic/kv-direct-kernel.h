// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_DIRECT_KERNEL_H
#define FPGA_KV_DIRECT_KERNEL_H

#include "ns3/host-memory.h"
#include "ns3/kv-batch-table.h"
#include "ns3/kv-counted-store.h"
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

/// Memory of a client for the answers to one queue pair's batches.
struct KvReplyWindow
{
    uint64_t address{0};   ///< Of the slot of tag 0, at the client.
    uint32_t slotBytes{0}; ///< Of a slot; tag t uses slot t modulo slots.
    uint32_t slots{1};
    uint32_t remoteKey{0};

    /// @return address of the answers to a batch.
    uint64_t GetAddress(uint32_t tag) const
    {
        return address + uint64_t{tag % slots} * slotBytes;
    }
};

/**
 * @ingroup fpga-kv-direct
 * @brief KV-Direct on a NIC: RDMA WRITEs carry batches of operations and batches of answers
 * (KV-Direct sections 3.1 and 3.2, Figure 2).
 *
 * Each message of a queue pair that is bound to the kernel (KernelHost::BindWrites) is a batch; its
 * address is not used.  A batch longer than attribute MaxBatchBytes is dropped as a whole and
 * counted.  The kernel accepts no packet while WaitingBatches batches have operations that are not
 * yet in the processor.
 *
 * The store's bytes are in the host's memory.  PCIe links and DRAM belong to the board (KvBoard).
 *
 * Not modelled: DMA of the NIC itself on these links, since its messages end on the chip; PCIe and
 * processor time of the host's daemon (SlabDaemon counts its work).
 */
class KvDirectKernel : public OffloadKernel
{
  public:
    static constexpr uint64_t RPC_CODE{64}; ///< Ours: the paper has no codes.

    static TypeId GetTypeId();
    ~KvDirectKernel() override;

    /// Creates the store. Called once, before any batch.
    /// @param memory of the host
    /// @param seed of the run
    /// @param number of the NIC in the run
    /// @param keys expected number, for the load dispatch under a long tail; 0: uniform accesses
    /// @throws VerbsError if settings have a fault
    void Start(const KvStoreSettings& store,
               Ptr<HostMemory> memory,
               uint64_t seed,
               uint64_t number,
               uint64_t keys);

    /// As Start(), with a store that counts accesses without bytes.
    /// @param pairs of the store, which all exist
    void StartCounted(const KvStoreSettings& store,
                      const KvPairsOfStore& pairs,
                      uint64_t seed,
                      uint64_t number,
                      uint64_t keys);

    /// Moves an operation's lines into the NIC's DRAM, as WarmKvMemory(). Only after Start().
    void Warm(const KvOperation& operation);

    /// Adds a function. Called before any batch.
    /// @return its number
    uint8_t AddFunction(Ptr<KvFunction> function);

    /// Adds a queue pair.
    /// @param window with room for a batch of answers in each slot
    void Connect(uint32_t queuePair, const KvReplyWindow& window);

    /// @return the store, for filling it. Only after Start(), not after StartCounted().
    KvStore& GetStore();

    /// @return bytes of the NIC's DRAM that cache a store of these settings.
    uint64_t GetCacheBytes(const KvStoreSettings& store) const;

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

    /// @return batches that were longer than MaxBatchBytes, or arrived on a queue pair without
    /// window.
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

  private:
    /// A queue pair and the received part of a message.
    struct Peer
    {
        KvReplyWindow window;
        std::vector<uint8_t> bytes;
        bool isTooLong{false};
    };

    /// @throws std::invalid_argument if it is neither a share nor -1
    void SetDispatchRatio(double ratio);
    double GetDispatchRatio() const;

    /// @throws std::invalid_argument if PCIe has no link of this width
    void SetLinkLanes(uint32_t lanes);
    uint32_t GetLinkLanes() const;
    KvMemorySettings MakeMemorySettings(const KvStoreSettings& store, uint64_t keys) const;
    /// Checks the settings, and makes all but the store.
    void MakeParts(const KvStoreSettings& store, uint64_t seed, uint64_t number, uint64_t keys);
    void MakeProcessor();
    void TakeBatch(uint32_t queuePair, Peer& peer, Tick now);
    void Advance(Tick now, KernelStep& step);
    void AddAnswer(KvReadyBatch& ready, KernelStep& step) const;

    /// @return the KV processor's clock, which may differ from that of the NIC's pipeline.
    ClockDomain MakeClock() const;

    // Attributes.
    uint64_t m_frequency{0};
    KvBoard m_board;
    KvProcessorSettings m_processing;
    uint64_t m_cacheBytes{0};
    double m_cacheRatio{0};
    double m_dispatchRatio{0};
    uint32_t m_maxBatchBytes{0};
    uint32_t m_waitingBatches{0};

    std::vector<Ptr<PcieLink>> m_links;
    Ptr<ChannelMemory> m_card;
    Ptr<HostMemory> m_bytes;
    KvFunctionTable m_functions;
    KvBatchTable m_batches;
    KvAccesses m_warmed;                        ///< Storage for Warm().
    std::unique_ptr<KvTable> m_store;           ///< Null before Start().
    KvStore* m_storeOfBytes{nullptr};           ///< The same; null if it is counted.
    std::unique_ptr<KvMemoryEngine> m_memory;   ///< Null before Start().
    std::unique_ptr<KvProcessor> m_processor;   ///< Null before Start().
    std::unordered_map<uint32_t, Peer> m_peers; ///< By queue pair. Never iterated.
    Tick m_wakeAt{TICK_NEVER};                  ///< The earliest requested time.
    bool m_isOpen{true};                        ///< Whether it accepts packets.
    uint64_t m_dropped{0};
};

} // namespace ns3::rdma

#endif // FPGA_KV_DIRECT_KERNEL_H
