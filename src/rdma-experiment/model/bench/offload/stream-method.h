// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STREAM_METHOD_H
#define RDMA_STREAM_METHOD_H

#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-offload
 * @brief A method of a task whose call is a whole transfer of many requests: it ends once, with the
 * first of them that fails or when all data are there and right.
 */
class StreamMethod : public OffloadMethod
{
  public:
    /// @param hosts outlive this
    explicit StreamMethod(OffloadHosts& hosts);

    void Call(uint64_t index, Done done) final;

  protected:
    /// Begins the transfer of a call.
    virtual void Begin() = 0;

    /// @return bytes of a transfer.
    virtual uint64_t GetBytes() const = 0;

    /// Ends the present call; without one it does nothing: later requests of a call that has ended
    /// end, too.
    void End(const std::string& status, const std::string& fault);

    /// Ends it if a request has failed.
    void EndIfFailed(WcStatus status);

    OffloadHosts& m_hosts;

  private:
    Done m_done; ///< Empty: no call is under way.
};

/// A task of whole transfers, one by default: "kernel" on the server's NIC, "cpu" in software, and
/// "write" without the task's work.
class StreamTask : public OffloadTask
{
  public:
    std::vector<std::string> GetMethods() const override;
    uint64_t GetUsualCalls() const override;

  protected:
    /// @return the object of a method. @tparam Kernel class of "kernel", Write and Cpu likewise
    template <typename Kernel, typename Write, typename Cpu, typename Options>
    static std::unique_ptr<OffloadMethod> MakeMethod(const std::string& method,
                                                     const Options& options,
                                                     OffloadHosts& hosts)
    {
        if (method == "kernel")
        {
            return std::make_unique<Kernel>(options, hosts);
        }
        if (method == "write")
        {
            return std::make_unique<Write>(options, hosts);
        }
        return std::make_unique<Cpu>(options, hosts);
    }
};

} // namespace ns3::rdma

#endif // RDMA_STREAM_METHOD_H
