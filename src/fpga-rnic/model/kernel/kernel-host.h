// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_HOST_H
#define FPGA_KERNEL_HOST_H

#include "ns3/host-fallback.h"
#include "ns3/kernel-command-executor.h"
#include "ns3/kernel-queue.h"
#include "ns3/queue-pair-services.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// Largest parameters that a host stores to its NIC with a command, bytes: two AVX2 stores. StRoM's
/// parameters need one (section 5.2: a bus of 32 bytes).
constexpr uint32_t MAX_STORED_PARAMETERS{64};

/// @return the clock of a NIC's kernels, Hz: the NIC's own, at most 322 MHz (StRoM section 7). A
/// faster NIC is a chip connected to an FPGA (section 3.5), without delay between them.
uint64_t GetKernelFrequency(const NicHardware& hardware);

/**
 * @ingroup fpga-kernel
 * @brief Runs the kernels of one NIC: matches requests to kernels and executes their commands.
 *
 * A request packet with a kernel's opcode (OpcodeKind::KERNEL) is passed to the kernel whose code
 * is the address in its RETH.  Each kernel has a queue of packets.  A packet that finds the queue
 * full is dropped and retransmitted by its sender.  A KernelCommandExecutor executes the commands
 * of kernels.  Plain WRITEs to a queue pair with services pass these before they reach memory.
 *
 * A message that matches no kernel of the NIC is passed to a kernel on the host, if one has its
 * code.  Otherwise parameters are answered by NO_KERNEL, and a stream is refused as an invalid
 * request (StRoM section 5.1).
 *
 * It must be disposed of before its NIC.
 */
class KernelHost : public Object, private EventTarget, private KernelCommandClient
{
  public:
    // Signatures of the traces.
    using InputCallback = void (*)(uint64_t code, const KernelInput& input);
    using CommandCallback = void (*)(const KernelCommand& command);
    using StallCallback = void (*)(uint64_t code, Tick waited);

    using Listener = KernelCommandExecutor::Listener;

    static TypeId GetTypeId();
    KernelHost();
    ~KernelHost() override;

    /// Called once, before all other functions.
    /// @param nic started
    /// @param memory of its host
    void Start(Ptr<RdmaNic> nic, Ptr<HostMemory> memory);

    /// Adds a kernel.
    /// @throws VerbsError if another kernel has its code, or if it has a fault
    void Deploy(Ptr<OffloadKernel> kernel);

    /// As above, by the name of its type, for example "ns3::rdma::TraversalKernel".
    /// @throws VerbsError also if there is no such kernel type
    void Deploy(const std::string& typeName);

    /// Appends a service to the chain that the data of plain WRITEs to a queue pair pass.
    /// @param queuePair created with GetHandlers()
    /// @param code of a deployed StreamService
    /// @throws VerbsError if there is none
    void AttachToReceive(uint32_t queuePair, uint64_t code);

    /// @return a new entry of a deployed service, for GetServices(). Chains that use the same
    /// hardware share an entry.
    /// @throws VerbsError if no service has the code
    std::shared_ptr<ServiceEntry> MakeEntry(uint64_t code) const;

    /// Passes the messages of plain WRITEs to a queue pair to a kernel, as messages with its
    /// opcode. Their address and R_Key are not checked.
    /// @param queuePair created with GetHandlers()
    /// @param code of a deployed kernel
    /// @throws VerbsError if there is none
    void BindWrites(uint32_t queuePair, uint64_t code);

    /// @return the code of the kernel that a queue pair is bound to; unset if none.
    std::optional<uint64_t> FindBinding(uint32_t queuePair) const;

    /// @return the kernel with a code; null if none is deployed.
    Ptr<OffloadKernel> FindKernel(uint64_t code) const;

    /// @return the handlers of queue pairs whose requests may address kernels
    /// (QueuePairInit::handlers).
    Ptr<const RequestHandlerFactory> GetHandlers();

    /// Adds a kernel that a core of the host executes, for messages whose code no kernel of the NIC
    /// has (StRoM section 5.1).
    /// @throws VerbsError if another kernel of the host has its code
    void DeployOnHost(Ptr<OffloadKernel> kernel);

    /// @param listener called for COMPLETE and INTERRUPT
    void SetListener(Listener listener);

    /**
     * @brief Calls a kernel of the host's own NIC (StRoM section 5.2).
     * @param queuePair that the kernel answers on
     * @param parameters at most MAX_STORED_PARAMETERS, stored to the NIC
     * @return false if no kernel has the code or the parameters are too long.
     */
    bool Invoke(uint64_t code,
                uint32_t queuePair,
                uint32_t replyKey,
                std::vector<uint8_t> parameters);

    /// Result of Accept().
    enum class Admission : uint8_t
    {
        TAKEN,
        BUSY,    ///< The kernel's queue is full.
        UNKNOWN, ///< No kernel has its code, and it cannot be answered.
    };

    /// Receives a packet.
    /// @param code of its message
    Admission Accept(uint64_t code, const KernelInput& input);

    /// A queue pair has stopped or is destroyed: its queued packets are dropped, and all kernels
    /// are notified. Repeated calls have no effect.
    void EndQueuePair(uint32_t queuePair);

    /// @return the services of the NIC's queue pairs.
    QueuePairServices& GetServices()
    {
        return m_services;
    }

    /// @return whether all services can accept a packet now.
    bool HasRoom(const ServiceChain& services) const;

    /// @return largest payload of a packet after the services, bytes.
    uint32_t GetMaxPacketBytes() const
    {
        return m_maxPacketBytes;
    }

    const KernelStats& GetStats() const
    {
        return m_stats;
    }

    Ptr<Tlb> GetTlb() const
    {
        return m_tlb;
    }

    const HostFallback& GetFallback() const
    {
        return *m_fallback;
    }

  private:
    enum Event : uint32_t
    {
        RUN,  ///< A kernel may accept a packet. Argument: slot.
        WAKE, ///< Argument: slot.
        CALL, ///< Argument: place in m_calls.
    };

    /// A kernel; its index is its slot number.
    struct Slot
    {
        KernelQueue queue;
        std::shared_ptr<ServiceEntry> received; ///< For received data; null if not a service.
    };

    struct Call
    {
        uint64_t code{0};
        KernelInput input;
        std::vector<uint8_t> bytes;
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void OnKernelData(uint32_t slot, uint64_t tag, ByteView bytes) override;
    void OnKernelFault(uint32_t slot, uint64_t tag) override;
    void OnKernelRoom(uint32_t slot) override;

    void Schedule(Tick at, Event kind, uint32_t argument);
    bool AnswerUnmatched(uint64_t code, const KernelInput& input);
    void ScheduleRun(uint32_t slot);
    void Run(uint32_t slot);
    void RunCall(Call call);
    void Apply(uint32_t slot, KernelStep step);
    uint32_t FindService(uint64_t code) const; ///< @return its slot.
    /// Passes a packet through services.
    /// @return its bytes after them, and when they leave
    ChainOutcome Pass(ServiceChain& services, StreamInput input);

    // Attributes.
    uint64_t m_frequency{0};
    uint32_t m_busBytes{0};
    uint32_t m_queuePackets{0};
    uint32_t m_maxReads{0};
    uint32_t m_writeBufferBytes{0};
    uint32_t m_maxPacketBytes{0};

    Ptr<RdmaNic> m_nic;
    std::shared_ptr<FabricEngine> m_engine; ///< Null before Start().
    Ptr<PcieLink> m_pcie;
    Ptr<HostMemory> m_memory;
    Ptr<Tlb> m_tlb;
    Ptr<ChannelMemory> m_card;
    Ptr<HostFallback> m_fallback;
    uint32_t m_target{0};
    std::unique_ptr<KernelCommandExecutor> m_executor;
    std::vector<Slot> m_slots;
    std::unordered_map<uint64_t, uint32_t> m_codes;    ///< Slots by code. Never iterated.
    std::unordered_map<uint32_t, uint64_t> m_bindings; ///< Codes by queue pair. Never iterated.
    QueuePairServices m_services;
    PendingEvents<Call> m_calls;
    Listener m_listener; ///< Kept until the executor exists.
    KernelStats m_stats;
    TracedCallback<uint64_t, const KernelInput&> m_inputTrace;
    KernelCommandExecutor::Trace m_commandTrace;
    TracedCallback<uint64_t, Tick> m_stallTrace;
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_HOST_H
