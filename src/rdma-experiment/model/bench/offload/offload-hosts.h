// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OFFLOAD_HOSTS_H
#define RDMA_OFFLOAD_HOSTS_H

#include "ns3/fabric.h"
#include "ns3/host-memory.h"
#include "ns3/kernel-host.h"
#include "ns3/pinned-memory.h"
#include "ns3/polled-queue.h"
#include "ns3/protection-domain.h"
#include "ns3/rdma-nic.h"
#include "ns3/tcp-rpc.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/// One of the two hosts: a NIC with kernels, memory with real bytes, of which what is allocated is
/// pinned, and a queue pair to the other host.
struct OffloadHost
{
    Ptr<RdmaNic> nic;
    Ptr<HostMemory> memory;
    Ptr<ProtectionDomain> domain;
    MemoryRegion region{}; ///< All that can be allocated, with all rights.
    Ptr<KernelHost> kernels;
    std::unique_ptr<PinnedMemory> pinned;
    std::unique_ptr<PolledQueue> completions;
    uint32_t queuePair{0};
    std::vector<uint64_t> services; ///< Codes of those that what comes in passes.
    WireShare sent;                 ///< By its port, acknowledgments included.
};

/**
 * @ingroup rdma-offload
 * @brief A client and a server, back to back, that offload tasks run on.
 *
 * Operations are asynchronous: each takes a function that is called once, when the host's core
 * has polled its completion, after PCIe and HostCpu.  A core polls all the time; what it does with
 * data is taken from SoftwareCosts by the task.  A queue pair that an error stopped is
 * replaced before the next operation.
 */
class OffloadHosts
{
  public:
    enum End : uint32_t
    {
        CLIENT,
        SERVER
    };

    using Ended = std::function<void(WcStatus status)>;
    /// @param status of a KernelStatus, or of the WcStatus that ended the call
    using Answered = std::function<void(const std::string& status, std::vector<uint8_t> value)>;

    /// Addresses below are pinned nowhere: null and wild pointers.
    static constexpr uint64_t BASE{uint64_t{1} << 32U};

    /// @param fabric of two servers whose NICs have hardware; @param design of NICs, kernels, TLB
    /// and software costs @param seed of the run. Fabric outlives this. @throws VerbsError
    OffloadHosts(Fabric& fabric, NicDesign design, uint64_t seed);
    ~OffloadHosts();

    OffloadHosts(const OffloadHosts&) = delete;
    OffloadHosts& operator=(const OffloadHosts&) = delete;

    OffloadHost& Get(End end)
    {
        return m_hosts[end];
    }

    /// @return pinned memory, on a page border. @throws InputError if the TLB has no entries left
    uint64_t Allocate(End end, uint64_t bytes);

    /// Registers memory of the server's GPU, once. @return its region, whose bytes the server's
    /// memory holds @throws VerbsError if the NIC has no GPU, or one with less memory
    MemoryRegion RegisterGpuMemory(uint64_t bytes);

    /// Adds a kernel with the design's attributes. @param type as "ns3::rdma::TraversalKernel"
    /// @throws VerbsError if there is no such kernel
    void Deploy(const std::string& type, End end = SERVER);

    /// Likewise, a service that what a host receives passes. @param code of the service
    void DeployService(const std::string& type, uint64_t code, End end);

    /// Sets an attribute that the design does not set. @param name full @throws InputError
    void SetDefault(const std::string& name, const std::string& value);

    /// @return an object with the design's attributes, which have an effect from now on.
    template <typename T>
    Ptr<T> Create()
    {
        MarkType(T::GetTypeId());
        return m_design.Create<T>();
    }

    /// Reads an attribute of a kernel that need not be deployed, as the design has it; it has an
    /// effect from now on.
    void ReadAttribute(TypeId kernel, const std::string& attribute, AttributeValue& value);

    /// @return whether an attribute of what stands beside the NICs has an effect on this run.
    /// @param name full
    bool HasEffect(const std::string& name) const;

    /// Posts a request; its wrId is replaced. @param ended called on success only if the request is
    /// signaled @throws VerbsError if the NIC does not take it
    void Post(End from, SendWorkRequest request, Ended ended);

    /// A host reads memory of the other. @param key of local GPU memory; unset: of the host's
    void Read(End from,
              uint64_t remote,
              uint64_t local,
              uint32_t bytes,
              Ended ended,
              std::optional<uint32_t> key = std::nullopt);

    /// A host writes to memory of the other. @param key of GPU memory; unset: of the host's
    void Write(End from,
               uint64_t local,
               uint64_t remote,
               uint32_t bytes,
               Ended ended,
               std::optional<uint32_t> key = std::nullopt);

    /// The client calls a kernel of the server. @param answer where at the client the reply goes:
    /// a word and the value (KernelReply) @throws VerbsError if the NIC does not take the call
    void Call(uint64_t code, std::vector<uint8_t> parameters, uint64_t answer, Answered answered);

    /// A core polls an address until a packet that begins there is in memory. One per end.
    /// @throws VerbsError if it polls already
    void Await(End end, uint64_t address, std::function<void()> seen);

    /// @return requests of a client by kernel TCP over the same cable.
    TcpRpc MakeTcpRpc();

    /// Counts what a calculation puts on the wire.
    void CountWire(End from, const WireShare& share);

    /// A core works, or something else takes time. @throws InputError if simulated time ends before
    static void After(Tick delay, std::function<void()> then);

    static Tick Now();

    /// @return a stream of random numbers. @param consumer a number of its own
    RandomStream MakeRandom(uint64_t consumer) const;

    /// @return connections made anew after an error.
    uint32_t GetReconnections() const
    {
        return m_reconnections;
    }

  private:
    struct Awaited
    {
        uint64_t address{0};
        std::function<void()> seen; ///< Empty: nothing is awaited.
    };

    void MakeHost(End end, Ptr<RdmaNic> nic);
    void MakeKernels(OffloadHost& host);
    void MarkType(TypeId type);
    void Connect();
    void Reconnect();
    void OnCompletion(const WorkCompletion& completion);
    void OnPlaced(End end, const Frame& frame, Time seenAt);
    void CountFrames(End end);
    uint64_t Expect(Ended ended);

    Fabric& m_fabric;
    NicDesign m_design;
    uint64_t m_seed;
    std::set<std::string> m_used; ///< Full names of types and of single attributes.
    OffloadHost m_hosts[2];
    Awaited m_awaited[2];
    std::unordered_map<uint64_t, Ended> m_pending; ///< By wrId. Never iterated.
    uint64_t m_lastWrId{0};
    uint32_t m_connections{0};
    uint32_t m_reconnections{0};
};

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_HOSTS_H
