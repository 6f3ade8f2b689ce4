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

/// Receives the results of kernels' commands. A slot is the number of a kernel.
class KernelCommandClient
{
  public:
    virtual ~KernelCommandClient() = default;

    /// A read has completed.
    /// @param tag of the command
    virtual void OnKernelData(uint32_t slot, uint64_t tag, ByteView bytes) = 0;

    /// The memory of a command is not accessible.
    /// @param tag of the command
    virtual void OnKernelFault(uint32_t slot, uint64_t tag) = 0;

    /// IsFull() of a slot has become false, since writes have completed. Default: ignored.
    virtual void OnKernelRoom(uint32_t slot);
};

/// Limits of each kernel's accesses to the host's memory.
struct KernelBounds
{
    uint32_t reads;      ///< Outstanding at most; others are queued.
    uint64_t writeBytes; ///< Bytes not yet visible to the host that make it full (IsFull()).
};

/// @param command a SEND_WRITE; its bytes are moved
/// @return its RDMA WRITE.
SendWorkRequest MakeWrite(KernelCommand& command);

/// The parts that an executor uses; all outlive it.
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
 * @brief Executes the commands of a NIC's kernels: DMA through the TLB, accesses to the card's
 * memory, RDMA WRITEs.
 *
 * Commands are executed in the order of their times, and commands with equal times in the order in
 * which they were issued.  Reads of the host's memory beyond a kernel's limit are queued.  A
 * SEND_WRITE leaves when all earlier writes of its kernel are visible to the host.  On PCIe, an
 * answer therefore does not overtake the data that it announces.
 */
class KernelCommandExecutor : private EventTarget, private DmaClient
{
  public:
    /// Called for COMPLETE and INTERRUPT.
    using Listener = std::function<void(const KernelCommand& command, Tick now)>;
    using Trace = TracedCallback<const KernelCommand&>;

    /// Slot of commands that no kernel has issued. They must not be reads.
    static constexpr uint32_t NO_SLOT{UINT32_MAX};

    /// @param client outlives this
    /// @param trace of each executed command; outlives this
    KernelCommandExecutor(const KernelExecutorParts& parts,
                          KernelCommandClient& client,
                          const KernelBounds& bounds,
                          const Trace& trace);
    ~KernelCommandExecutor() override;

    void SetListener(Listener listener);

    /// Executes a command at its time, or at once if that time has passed.
    void Give(uint32_t slot, KernelCommand command);

    /// As Give(), but never executes it during the call, for callers that are not reentrant.
    void GiveLater(uint32_t slot, KernelCommand command);

    /// @return whether reads of a slot are queued, or its bytes in flight to the host fill its
    /// buffer. The kernel must then accept no packet.
    bool IsFull(uint32_t slot) const;

  private:
    enum Event : uint32_t
    {
        COMMAND,  ///< Commands may be due.
        FAULT,    ///< Argument: place in m_accesses.
        CARD,     ///< An access to the card has completed. Argument: place in m_waiting.
        NOTIFIED, ///< A notification is visible to the host. Argument: place in m_waiting.
    };

    struct Pending
    {
        Tick at{0};
        uint64_t order{0};
        uint32_t slot{0};
        KernelCommand command;
        bool hasWaited{false}; ///< Delayed until earlier writes were visible.
    };

    struct IsLater
    {
        bool operator()(const Pending& a, const Pending& b) const
        {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    /// An outstanding DMA command.
    struct Access
    {
        uint32_t slot{0};
        uint64_t tag{0};
        uint64_t writtenBytes{0}; ///< 0 for a read.
    };

    /// A command in progress.
    struct Waiting
    {
        uint32_t slot{0};
        KernelCommand command;
    };

    /// Accesses of one slot to the host's memory.
    struct Transfers
    {
        uint32_t outstanding{0};        ///< Reads.
        std::deque<KernelCommand> held; ///< Reads beyond the limit, queued.
        uint64_t writtenBytes{0};       ///< In flight.
        Tick visibleAt{0};              ///< All written data are visible to the host.
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
    std::vector<Pending> m_commands; ///< A heap, the earliest one first.
    uint64_t m_order{0};             ///< Of the next command.
    PendingEvents<Access> m_accesses;
    PendingEvents<Waiting> m_waiting;
    std::vector<Transfers> m_transfers; ///< By slot.
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_COMMAND_EXECUTOR_H
