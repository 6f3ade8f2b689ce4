// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_HOST_H
#define FPGA_KERNEL_HOST_H

#include "ns3/channel-memory.h"
#include "ns3/dma-engine.h"
#include "ns3/offload-kernel.h"
#include "ns3/rdma-nic.h"
#include "ns3/tlb.h"
#include "ns3/traced-callback.h"

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Counts of all kernels of a NIC.
struct KernelStats
{
    static constexpr std::size_t KINDS{static_cast<std::size_t>(KernelCommand::Kind::COUNT)};

    uint64_t inputs{0}; ///< Packets that kernels took.
    uint64_t inputBytes{0};
    uint64_t drops{0};       ///< Packets that found their kernel's queue full; they come again.
    uint64_t stalls{0};      ///< Packets that waited for their kernel.
    uint64_t unmatched{0};   ///< Messages with a code that no kernel has.
    uint64_t faults{0};      ///< Commands that could not reach their memory.
    uint64_t failedPosts{0}; ///< WRITEs for a queue pair that takes none (any more).
    std::array<uint64_t, KINDS> commands{};
};

/**
 * @ingroup fpga-kernel
 * @brief The kernels of one NIC: matches requests to them and carries out their commands.
 *
 * A request packet whose opcode is a kernel's (OpcodeKind::KERNEL) is handed to the kernel that has
 * the code in the address of its RETH.  Each kernel has a queue of packets; one that finds it full
 * is dropped and sent again by its sender.  Commands become DMA through the TLB and the NIC's PCIe
 * link, accesses to the card's memory, and RDMA WRITEs that the NIC itself posts.  A message
 * without a kernel goes to the fallback on the host if there is one; else parameters are answered
 * by NO_KERNEL, and a stream is refused as an invalid request (StRoM section 5.1).
 *
 * Outlived by the NIC, but not used any more once that is disposed of.
 */
class KernelHost : public Object, private EventTarget, private DmaClient
{
  public:
    // Signatures of the traces.
    using InputCallback = void (*)(uint64_t code, const KernelInput& input);
    using CommandCallback = void (*)(const KernelCommand& command);
    using StallCallback = void (*)(uint64_t code, Tick waited);

    /// A message that the host handles itself. @param code of its RETH
    using Fallback = std::function<void(uint64_t code, const KernelInput& input)>;
    /// COMPLETE and INTERRUPT.
    using Listener = std::function<void(const KernelCommand& command, Tick now)>;

    static TypeId GetTypeId();
    KernelHost();
    ~KernelHost() override;

    /// Once, before all else. @param nic started; @param memory of its host
    void Start(Ptr<RdmaNic> nic, Ptr<HostMemory> memory);

    /// Adds a kernel. Throws a VerbsError if another one has its code.
    void Deploy(Ptr<OffloadKernel> kernel);

    /// Likewise, made by its name, "ns3::rdma::TraversalKernel"; throws if there is no such kernel.
    void Deploy(const std::string& typeName);

    /// @return what a queue pair is made with whose requests may name kernels
    /// (QueuePairInit::handlers).
    Ptr<const RequestHandlerFactory> GetHandlers();

    void SetFallback(Fallback fallback);
    void SetListener(Listener listener);

    /**
     * @brief The host calls a kernel of its own NIC (StRoM section 5.2).
     * @param queuePair that the kernel shall use; @param parameters at most 64 bytes, stored to the
     * NIC
     * @return false if no kernel has the code or the parameters are too long.
     */
    bool Invoke(uint64_t code,
                uint32_t queuePair,
                uint32_t replyKey,
                std::vector<uint8_t> parameters);

    /// What became of a packet.
    enum class Admission : uint8_t
    {
        TAKEN,
        BUSY,    ///< There is no room for it now.
        UNKNOWN, ///< No kernel has its code, and there is no fallback for streams.
    };

    /// A packet is here. @param code of its message
    Admission Accept(uint64_t code, const KernelInput& input);

    const KernelStats& GetStats() const
    {
        return m_stats;
    }

    Ptr<Tlb> GetTlb() const
    {
        return m_tlb;
    }

    Ptr<ChannelMemory> GetCardMemory() const
    {
        return m_card;
    }

  private:
    enum Event : uint32_t
    {
        RUN,     ///< Argument: slot that may take a packet.
        WAKE,    ///< Argument: slot.
        COMMAND, ///< Argument: place in m_commands.
        FAULT,   ///< Argument: place in m_accesses.
        CARD,    ///< Argument: place in m_commands of an access to the card that is done.
        CALL,    ///< Argument: place in m_calls.
    };

    /// A packet that waits.
    struct Waiting
    {
        KernelInput input;
        std::vector<uint8_t> bytes; ///< What input.bytes is made of.
    };

    struct Slot
    {
        Ptr<OffloadKernel> kernel;
        std::deque<Waiting> queue;
        std::deque<KernelCommand> heldReads; ///< Beyond the reads that may be outstanding.
        uint32_t reads{0};                   ///< Outstanding.
        Tick readyAt{0};
        Tick runAt{TICK_NEVER}; ///< Of the RUN event that counts.
    };

    struct Pending
    {
        uint32_t slot{0};
        KernelCommand command;
    };

    /// A DMA command under way.
    struct Access
    {
        uint32_t slot{0};
        uint64_t tag{0};
        bool isRead{false};
    };

    struct Call
    {
        uint64_t code{0};
        KernelInput input;
        std::vector<uint8_t> bytes;
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnRead(uint64_t tag, std::vector<uint8_t> bytes) override;
    void OnWritten(uint64_t tag) override;

    void Schedule(Tick at, Event kind, uint32_t argument);
    void Enqueue(uint32_t slot, const KernelInput& input);
    bool AnswerUnmatched(uint64_t code, const KernelInput& input);
    void ScheduleRun(uint32_t slot);
    void Run(uint32_t slot);
    void Apply(uint32_t slot, KernelStep step);
    void Execute(uint32_t slot, KernelCommand& command);
    void ReadHost(uint32_t slot, const KernelCommand& command);
    void WriteHost(uint32_t slot, KernelCommand& command);
    void AccessCard(uint32_t slot, KernelCommand& command);
    void SendWrite(KernelCommand& command);
    void FinishCard(uint32_t place);
    void EndRead(uint32_t slot);

    // Attributes.
    uint64_t m_frequency{0};
    uint32_t m_busBytes{0};
    uint32_t m_queuePackets{0};
    uint32_t m_maxReads{0};

    Ptr<RdmaNic> m_nic;
    std::shared_ptr<FabricEngine> m_engine; ///< Null before Start().
    Ptr<PcieLink> m_pcie;
    Ptr<HostMemory> m_memory;
    Ptr<Tlb> m_tlb;
    Ptr<ChannelMemory> m_card;
    std::unique_ptr<DmaEngine> m_dma;
    uint32_t m_target{0};
    std::vector<Slot> m_slots;
    std::unordered_map<uint64_t, uint32_t> m_codes; ///< Slots. Never iterated.
    UnderWay<Pending> m_commands;
    UnderWay<Access> m_accesses;
    UnderWay<Call> m_calls;
    Fallback m_fallback;
    Listener m_listener;
    KernelStats m_stats;
    TracedCallback<uint64_t, const KernelInput&> m_inputTrace;
    TracedCallback<const KernelCommand&> m_commandTrace;
    TracedCallback<uint64_t, Tick> m_stallTrace;
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_HOST_H
