// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_METHOD_H
#define RDMA_RPC_METHOD_H

#include "ns3/host-memory.h"
#include "ns3/polled-queue.h"
#include "ns3/rdma-nic.h"
#include "ns3/rpc-store.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A client's end of its connection to a server.
struct RpcConnection
{
    Ptr<RdmaNic> nic;
    uint32_t queuePair{0};
    const RpcStore* store{nullptr}; ///< Of the server.
};

/// What came of looking for a key in one entry of a server's table.
struct RpcLook
{
    enum class Result : uint8_t
    {
        FOUND,
        NOT_HERE, ///< It may be in the next entry.
        ABSENT,   ///< The entry has room: no later one has the key.
        REFUSED,  ///< A kernel cannot do it.
        FAILED,   ///< A work request ended with an error.
    };

    Result result{Result::FOUND};
    std::vector<uint8_t> value; ///< If found.
};

/**
 * @ingroup rdma-rpc
 * @brief How the requests of one client are carried out: memory for their answers, and the work
 * requests that bring these.
 *
 * A request under way has a slot; its answer comes to the slot's part of the client's memory.
 */
class RpcMethod
{
  public:
    /// @param slot of the request
    using Handler = std::function<void(uint32_t slot, RpcLook look)>;

    /// @param slots requests that may be under way @param handler called at the end of each look
    RpcMethod(FabricEngine& engine, const RpcPlan& plan, uint32_t slots, Handler handler);
    virtual ~RpcMethod() = default;

    RpcMethod(const RpcMethod&) = delete;
    RpcMethod& operator=(const RpcMethod&) = delete;

    /// @return what the client's end of a connection is made with.
    virtual QueuePairInit MakeEnd(Ptr<RdmaNic> nic);

    /// A connection of this rank's is there. In the order of the plan's servers. Default: nothing.
    virtual void OnConnected(const RpcConnection& connection);

    /// Looks for a key in an entry. @param probe which of the entries that it may be in, from 0
    /// @return false: its queue pair takes nothing (any more)
    virtual bool Look(uint32_t slot,
                      const RpcConnection& connection,
                      uint64_t key,
                      uint32_t probe) = 0;

  protected:
    /// Bytes before the value in a slot: the word of a kernel's answer.
    static constexpr uint32_t HEAD_BYTES{8};

    /// A work request has ended.
    virtual void OnCompletion(const WorkCompletion& completion) = 0;

    /// @return address of a slot.
    uint64_t GetSlot(uint32_t slot) const
    {
        return m_region.address + slot * m_stride;
    }

    /// @return the slot that begins at an address of the client's memory.
    uint32_t FindSlot(uint64_t address) const
    {
        return static_cast<uint32_t>((address - m_region.address) / m_stride);
    }

    const MemoryRegion& GetRegion() const
    {
        return m_region;
    }

    PayloadMemory& GetMemory() const
    {
        return *m_domain->GetMemory();
    }

    ProtectionDomain& GetDomain() const
    {
        return *m_domain;
    }

    std::vector<uint8_t> ReadMemory(uint64_t address, uint32_t bytes) const;

    void End(uint32_t slot, RpcLook look)
    {
        m_handler(slot, std::move(look));
    }

  private:
    uint64_t m_stride;
    Handler m_handler;
    Ptr<ProtectionDomain> m_domain;
    MemoryRegion m_region;
    PolledQueue m_completions;
};

/// How requests may be carried out.
struct RpcMethodInfo
{
    /// @return the parameters of a call. @param target of the answer @param entry of the table
    using Encode = std::vector<uint8_t> (*)(const RpcPlan& plan,
                                            uint64_t target,
                                            uint64_t entry,
                                            uint64_t key);

    std::string name;
    std::string kernel; ///< TypeId name of the kernel that is called by default; empty: none is.
    Encode encode{nullptr}; ///< Of calls of a kernel; null: none is called.
    bool hasService{false}; ///< Whether the server's cores carry them out (TcpService).
    std::unique_ptr<RpcMethod> (*make)(FabricEngine& engine,
                                       const RpcPlan& plan,
                                       uint32_t slots,
                                       RpcMethod::Handler handler);
};

const std::vector<RpcMethodInfo>& GetRpcMethods();

/// @param name of one of them
const RpcMethodInfo& FindRpcMethod(const std::string& name);

} // namespace ns3::rdma

#endif // RDMA_RPC_METHOD_H
