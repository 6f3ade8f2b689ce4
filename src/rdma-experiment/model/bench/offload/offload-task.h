// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OFFLOAD_TASK_H
#define RDMA_OFFLOAD_TASK_H

#include "ns3/data-rate.h"
#include "ns3/measurement.h"
#include "ns3/nstime.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

class OffloadHosts;

/// How one call of an offload task ended.
struct OffloadOutcome
{
    std::string status; ///< "OK", or the name of a KernelStatus or WcStatus.
    uint64_t bytes{0};  ///< Of the value, once the caller has it.
    std::string fault;  ///< What differs from the expected answer, one line; empty: nothing.
};

/// @return an outcome whose fault says in what an answer differs from the one that is expected.
OffloadOutcome CompareAnswer(const std::string& expectedStatus,
                             const std::vector<uint8_t>& expectedValue,
                             const std::string& status,
                             const std::vector<uint8_t>& value);

/**
 * @ingroup rdma-offload
 * @brief One way of doing a task on two hosts, one call after the other.
 *
 * A call compares its answer with the bytes that it must have.
 */
class OffloadMethod
{
  public:
    using Done = std::function<void(const OffloadOutcome& outcome)>;

    virtual ~OffloadMethod() = default;

    /// Begins a call, while none is under way. @param index from 0 on @param done called once, when
    /// the caller has its answer
    virtual void Call(uint64_t index, Done done) = 0;

    /// Sets columns of its own. Default: none.
    virtual void Report(MeasuredRows& rows) const;
};

/// The keys of all offload tasks, and attributes.
struct OffloadRequest
{
    std::string method;
    std::string nic{"strom10g"};
    std::optional<DataRate> rate; ///< Unset: the NIC's.
    Time delay{NanoSeconds(10)};
    uint32_t mtu{1408}; ///< Payload per packet.
    double lossRate{0};
    uint64_t calls{0};
    uint64_t seed{1};
    std::string pcap;                  ///< Capture at the client; empty: none.
    std::vector<std::string> settings; ///< "NAME=VALUE" of attributes.
};

/**
 * @ingroup rdma-offload
 * @brief A task between two hosts: what the server shall do, with its keys, and the methods that
 * can do it.
 *
 * A registered class in a file of its own.
 */
class OffloadTask : public Measurement
{
  public:
    static TypeId GetTypeId();

    void Visit(Keys& keys) final;
    void SetAttributes(const std::vector<std::string>& settings) final;

    /// @throws MeasurementFailure if an answer is wrong or missing
    MeasuredRows Measure() final;

    const OffloadRequest& GetRequest() const
    {
        return m_request;
    }

    /// Puts the data into the hosts' memories and deploys the kernels. @param method of
    /// GetMethods() @throws InputError if the hosts cannot hold the data
    virtual std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                                OffloadHosts& hosts) const = 0;

  protected:
    /// @return "kernel", "read", "tcp", "cpu" as far as the task has them, the usual one first.
    virtual std::vector<std::string> GetMethods() const = 0;

    /// @return the default number of calls. Default: 200.
    virtual uint64_t GetUsualCalls() const;

    /// Declares the keys of the task.
    virtual void VisitTask(Keys& keys) = 0;

    const std::string& GetMethod() const
    {
        return m_request.method;
    }

  private:
    OffloadRequest m_request;
};

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_TASK_H
