// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_COMMAND_EXECUTOR_H
#define FPGA_KERNEL_COMMAND_EXECUTOR_H

#include "ns3/channel-memory.h"
#include "ns3/dma-engine.h"
#include "ns3/host-memory.h"
#include "ns3/kernel-stats.h"
#include "ns3/offload-kernel.h"
#include "ns3/rdma-nic.h"
#include "ns3/tlb.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <functional>
#include <queue>
#include <vector>

namespace ns3::rdma
{

/// Receives the outcome of kernels' commands; a kernel is its slot, a small number.
class KernelCommandClient
{
  public:
    virtual ~KernelCommandClient() = default;

    /// A read is done. @param tag of the command
    virtual void OnKernelData(uint32_t slot, uint64_t tag, ByteView bytes) = 0;

    /// A command cannot reach its memory. @param tag of the command
    virtual void OnKernelFault(uint32_t slot, uint64_t tag) = 0;

    /// A slot that IsFull() was full no longer, as writes have left. Default: nothing.
    virtual void OnKernelRoom(uint32_t slot);
};

/// Of each kernel, with the host's memory.
struct KernelBounds
{
    uint32_t reads;      ///< Outstanding at most; others wait.
    uint64_t writeBytes; ///< Not yet visible to the host, from which on IsFull().
};

/// @return the WRITE of a kernel's SEND_WRITE; takes its bytes.
SendWorkRequest MakeWrite(KernelCommand& command);

/// What an executor works with; all outlive it.
struct KernelExecutorParts
{
    FabricEngine& engine;
    RdmaNic& nic;
    PcieLink& pcie;
    HostMemory& memory;
    Tlb& tlb;
    ChannelMemory& card;
    KernelStats& stats;
};

/**
 * @ingroup fpga-kernel
 * @brief Carries out the commands of a NIC's kernels: DMA through the TLB, accesses to the card's
 * memory, RDMA WRITEs.
 *
 * Commands are carried out in the order of their times; commands with equal times in the order in
 * which they were given.  Reads of the host's memory beyond a kernel's bound wait for earlier ones.
 * A SEND_WRITE leaves when all earlier writes of its kernel are visible to the host: an answer does
 * not overtake, on PCIe, the data that it announces.
 */
class KernelCommandExecutor : private EventTarget, private DmaClient
{
  public:
    /// COMPLETE and INTERRUPT.
    using Listener = std::function<void(const KernelCommand& command, Tick now)>;
    using Trace = TracedCallback<const KernelCommand&>;

    /// The slot of commands that no kernel has given; they must not read.
    static constexpr uint32_t NO_SLOT{UINT32_MAX};

    /// @param trace of each command that is carried out; outlives this, as does the client
    KernelCommandExecutor(const KernelExecutorParts& parts,
                          KernelCommandClient& client,
                          const KernelBounds& bounds,
                          const Trace& trace);
    ~KernelCommandExecutor() override;

    void SetListener(Listener listener);

    /// Carries a command out at its time, at once if that is past.
    void Give(uint32_t slot, KernelCommand command);

    /// As Give(), but never during the call: the caller is not reentrant.
    void GiveLater(uint32_t slot, KernelCommand command);

    /// @return whether reads of a slot wait for earlier ones, or as many bytes as its buffer has
    /// are on their way to the host: the kernel must take no packet.
    bool IsFull(uint32_t slot) const;

  private:
    enum Event : uint32_t
    {
        COMMAND,  ///< Commands may be due.
        FAULT,    ///< Argument: place in m_accesses.
        CARD,     ///< Argument: place in m_waiting of an access to the card that is done.
        NOTIFIED, ///< Argument: place in m_waiting of what the host can see now.
    };

    struct Pending
    {
        Tick at{0};
        uint64_t order{0};
        uint32_t slot{0};
        KernelCommand command;
        bool hasWaited{false}; ///< For the writes before it.
    };

    struct IsLater
    {
        bool operator()(const Pending& a, const Pending& b) const
        {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    /// A DMA command under way.
    struct Access
    {
        uint32_t slot{0};
        uint64_t tag{0};
        uint64_t writtenBytes{0}; ///< Of a write.
    };

    /// A command whose end is awaited.
    struct Waiting
    {
        uint32_t slot{0};
        KernelCommand command;
    };

    /// Of one slot, with the host's memory.
    struct Transfers
    {
        uint32_t outstanding{0};        ///< Reads.
        std::deque<KernelCommand> held; ///< Reads beyond the bound.
        uint64_t writtenBytes{0};       ///< On their way.
        Tick visibleAt{0};              ///< The host can see all that was written.
    };

    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnRead(uint64_t tag, std::vector<uint8_t> bytes) override;
    void OnWritten(uint64_t tag) override;

    void Schedule(Tick at, Event kind, uint32_t argument);
    void RunDue();
    void Push(Pending pending);
    bool MustWait(uint32_t slot, const KernelCommand& command) const;
    void Execute(uint32_t slot, KernelCommand& command);
    void ReadHost(uint32_t slot, const KernelCommand& command);
    void WriteHost(uint32_t slot, KernelCommand& command);
    void AccessCard(uint32_t slot, KernelCommand& command);
    void FinishCard(uint32_t place);
    void SendWrite(KernelCommand& command);
    void Notify(uint32_t slot, KernelCommand& command);
    void Fail(uint32_t slot, uint64_t tag);
    void EndRead(uint32_t slot);
    Transfers& GetTransfers(uint32_t slot);

    KernelExecutorParts m_parts;
    KernelCommandClient& m_client;
    KernelBounds m_bounds;
    const Trace& m_trace;
    Listener m_listener;
    uint32_t m_target;
    DmaEngine m_dma;
    std::vector<Pending> m_commands; ///< A heap, the next one first.
    uint64_t m_order{0};             ///< Of the next command.
    PendingEvents<Access> m_accesses;
    PendingEvents<Waiting> m_waiting;
    std::vector<Transfers> m_transfers; ///< By slot.
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_COMMAND_EXECUTOR_H
