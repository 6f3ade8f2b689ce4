// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LOOKUP_METHOD_H
#define RDMA_LOOKUP_METHOD_H

#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"
#include "ns3/remote-reader.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What tasks have in common that look a key up in the server's memory.
namespace lookup
{
constexpr uint64_t MAX_VALUE{64U << 10U};
constexpr uint64_t MAX_DATA{1U << 30U};
constexpr uint64_t WILD{OffloadHosts::BASE / 2}; ///< Pinned and registered nowhere.

/// @return room of a value: whole cache lines.
constexpr uint64_t
GetStride(uint64_t valueBytes)
{
    constexpr uint64_t LINE{64};
    return (valueBytes + LINE - 1) / LINE * LINE;
}

/// @return so many random bytes.
std::vector<uint8_t> DrawBytes(RandomStream& random, std::size_t bytes);
} // namespace lookup

/// One lookup, and the answer that it must get.
struct LookupQuestion
{
    uint64_t key{0};
    uint64_t address{0}; ///< Where in the server's memory the search begins.
    std::string status;
    std::vector<uint8_t> value;
};

/**
 * @ingroup rdma-offload
 * @brief A method of a task that looks keys up: each call draws a question and compares the answer.
 */
class LookupMethod : public OffloadMethod
{
  public:
    /// @param hosts outlive this
    explicit LookupMethod(OffloadHosts& hosts);

    void Call(uint64_t index, Done done) final;

  protected:
    /// @return the question of the next call.
    virtual LookupQuestion Draw() = 0;

    /// Begins to answer the question of the present call.
    virtual void Begin() = 0;

    const LookupQuestion& GetQuestion() const
    {
        return m_question;
    }

    /// The present call must end with another status than its question has.
    void Expect(const std::string& status);

    /// The present call has its answer.
    void End(const std::string& status, const std::vector<uint8_t>& value);

    /// A kernel of the server answers the present call. @param answer where at the client
    void CallKernel(uint64_t code, std::vector<uint8_t> parameters, uint64_t answer);

    OffloadHosts& m_hosts;

  private:
    LookupQuestion m_question;
    Done m_done;
};

/// The client reads what it compares (Pilaf, FaRM).
class ReadLookup : public LookupMethod
{
  public:
    explicit ReadLookup(OffloadHosts& hosts);

    void Report(MeasuredRows& rows) const override;

  protected:
    /// Reads a piece of the server's memory. @param then called unless the READ fails, which ends
    /// the present call
    void Read(uint64_t address,
              uint32_t bytes,
              std::function<void(const std::vector<uint8_t>&)> then);

  private:
    RemoteReader m_reader;
};

/// A core of the server does the lookup, called over kernel TCP.
class TcpLookup : public LookupMethod
{
  public:
    explicit TcpLookup(OffloadHosts& hosts);

  protected:
    /// The present call ends when messages and loads have taken their time. @param argumentBytes of
    /// the call @param misses loads of the core that miss its caches
    void Answer(uint64_t argumentBytes,
                uint64_t misses,
                const std::string& status,
                const std::vector<uint8_t>& value);

  private:
    TcpRpc m_rpc;
    Ptr<SoftwareCosts> m_costs;
};

/// A method with its data. @tparam Base LookupMethod or one of those below it @tparam Data what is
/// made from the options and the hosts, and whose Draw() returns questions
template <typename Base, typename Data>
class LookupIn : public Base
{
  public:
    template <typename Options>
    LookupIn(const Options& options, OffloadHosts& hosts)
        : Base(hosts),
          m_data(options, hosts)
    {
    }

  protected:
    LookupQuestion Draw() override
    {
        return m_data.Draw();
    }

    Data m_data;
};

/// A task that looks keys up: "kernel" on the server's NIC, "read" by READs, "tcp" by RPC.
class LookupTask : public OffloadTask
{
  public:
    std::vector<std::string> GetMethods() const override;
};

} // namespace ns3::rdma

#endif // RDMA_LOOKUP_METHOD_H
