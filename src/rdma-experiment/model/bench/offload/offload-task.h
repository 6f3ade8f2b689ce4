// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OFFLOAD_TASK_H
#define RDMA_OFFLOAD_TASK_H

#include "ns3/scenario-kind.h"

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
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

    /// Adds counts of its own to "details" of the results. Default: none.
    virtual void Report(nlohmann::ordered_json& details) const;
};

/**
 * @ingroup rdma-offload
 * @brief A task of `rocelab offload`: what the server shall do, with its options, and the
 * methods that can do it.
 *
 * A registered class in a file of its own, found by the name of its KindInfo; its keys are the
 * names that --option takes.
 */
class OffloadTask : public ScenarioKind
{
  public:
    static TypeId GetTypeId();

    /// @return "kernel", "read", "tcp", "cpu" as far as the task has them, the usual one first.
    virtual std::vector<std::string> GetMethods() const = 0;

    /// @return calls that a run does unless the user says how many. Default: 200.
    virtual uint64_t GetUsualCalls() const;

    /// The options are read: checks what a method does not take. Default: nothing.
    /// @param method of GetMethods() @throws InputError
    virtual void Resolve(const JsonValue& options, const std::string& method);

    /// Puts the data into the hosts' memories and deploys the kernels.
    /// @throws InputError if the hosts cannot hold the data
    virtual std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                                OffloadHosts& hosts) const = 0;

  protected:
    /// @throws InputError at an option that is given, if the condition does not hold
    static void CheckOption(const JsonValue& options,
                            const char* name,
                            bool holds,
                            const std::string& expected);
};

/// A run that went wrong: a wrong answer, or none.
class OffloadFailure : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/// @return the method that a task does unless the user says which. @throws InputError
std::string GetUsualMethod(const std::string& task);

/// @return the task of that name with its options read. @param options "NAME=VALUE"
/// @throws InputError
Ptr<OffloadTask> ReadOffloadTask(const std::string& name,
                                 const std::string& method,
                                 const std::vector<std::string>& options);

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_TASK_H
