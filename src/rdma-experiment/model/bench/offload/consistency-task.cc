// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/consistency-kernel.h"
#include "ns3/crc64.h"
#include "ns3/offload-hosts.h"
#include "ns3/offload-task.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t CRC_BYTES{ConsistencyKernel::CRC_BYTES};
constexpr uint64_t MAX_SIZE{1U << 20U};
constexpr uint64_t MAX_TEARS{1000};

struct ObjectOptions
{
    uint32_t bytes{64};    ///< With the checksum.
    double failureRate{0}; ///< Probability that an object is torn when a call begins.
    uint32_t tears{1};     ///< Reads that a torn object fails; the next one succeeds.
};

/// An object with a checksum in the server's memory, which a writer leaves torn for some reads.
class RemoteObject
{
  public:
    RemoteObject(const ObjectOptions& options, OffloadHosts& hosts)
        : m_options(options),
          m_random(hosts.MakeRandom(0)),
          m_memory(*hosts.Get(OffloadHosts::SERVER).memory),
          m_address(hosts.Allocate(OffloadHosts::SERVER, options.bytes)),
          m_content(options.bytes)
    {
    }

    /// Writes a new object, torn or not.
    void Renew()
    {
        const std::size_t checked = m_content.size() - CRC_BYTES;
        std::generate(m_content.begin(), m_content.begin() + static_cast<long>(checked), [this] {
            return static_cast<uint8_t>(m_random.Next32());
        });
        boost::endian::store_little_u64(m_content.data() + checked,
                                        ComputeCrc64(ByteView(m_content.data(), checked)));
        m_memory.Write(m_address, m_content.data(), m_content.size());
        m_failures = m_random.NextDouble() < m_options.failureRate ? m_options.tears : 0;
        if (m_failures > 0)
        {
            const uint64_t place = m_random.Next() % checked;
            const auto torn = static_cast<uint8_t>(~m_content[place]);
            m_memory.Write(m_address + place, &torn, 1);
        }
    }

    /// A read of the object has ended, before the next one.
    void EndRead()
    {
        if (m_failures > 0 && --m_failures == 0)
        {
            m_memory.Write(m_address, m_content.data(), m_content.size());
        }
    }

    /// @return reads that fail from now on.
    uint32_t GetFailures() const
    {
        return m_failures;
    }

    uint64_t GetAddress() const
    {
        return m_address;
    }

    const std::vector<uint8_t>& GetContent() const
    {
        return m_content;
    }

  private:
    ObjectOptions m_options;
    RandomStream m_random;
    HostMemory& m_memory;
    uint64_t m_address;
    std::vector<uint8_t> m_content; ///< As it is when it is whole.
    uint32_t m_failures{0};
};

/// What the methods share.
class ObjectMethod : public OffloadMethod
{
  public:
    ObjectMethod(const ObjectOptions& options, OffloadHosts& hosts)
        : m_hosts(hosts),
          m_object(options, hosts),
          m_answer(hosts.Allocate(OffloadHosts::CLIENT, KernelReply::WORD_BYTES + options.bytes))
    {
        // Software has the kernel's bound.
        UintegerValue bound;
        hosts.ReadAttribute(ConsistencyKernel::GetTypeId(), "MaxReads", bound);
        m_maxReads = bound.Get();
    }

    void Call(uint64_t, Done done) override
    {
        m_object.Renew();
        m_isTooTorn = m_object.GetFailures() >= m_maxReads;
        m_done = std::move(done);
        m_reads = 0;
        Begin();
    }

    void Report(MeasuredRows& rows) const override
    {
        rows.Set("repeated_reads", m_repeatedReads, "READs of torn objects, repeated");
    }

  protected:
    virtual void Begin() = 0;

    void End(const std::string& status, const std::vector<uint8_t>& value)
    {
        const std::vector<uint8_t> none;
        m_done(CompareAnswer(m_isTooTorn ? "TOO_MANY_STEPS" : "OK",
                             m_isTooTorn ? none : m_object.GetContent(),
                             status,
                             value));
    }

    /// A read begins. @return whether it repeats another one of the call
    bool CountRead()
    {
        const bool isRepeated = m_reads++ > 0;
        m_repeatedReads += isRepeated;
        return isRepeated;
    }

    OffloadHosts& m_hosts;
    RemoteObject m_object;
    uint64_t m_answer; ///< Where the object comes to.
    uint64_t m_maxReads{0};
    uint64_t m_reads{0}; ///< Of the present call.
    Done m_done;

  private:
    bool m_isTooTorn{false};
    uint64_t m_repeatedReads{0};
};

/// The kernel of the server's NIC reads until the checksum is right.
class KernelObject : public ObjectMethod
{
  public:
    KernelObject(const ObjectOptions& options, OffloadHosts& hosts)
        : ObjectMethod(options, hosts)
    {
        hosts.Deploy("ns3::rdma::ConsistencyKernel");
        // The kernel repeats a read after the data of the one before have arrived.
        const std::function<void(const KernelCommand&)> tap = [this](const KernelCommand& command) {
            if (command.kind == KernelCommand::Kind::READ_HOST && CountRead())
            {
                m_object.EndRead();
            }
        };
        hosts.Get(OffloadHosts::SERVER)
            .kernels->TraceConnectWithoutContext("Command",
                                                 Callback<void, const KernelCommand&>(tap));
    }

  private:
    void Begin() override
    {
        const ConsistencyParameters parameters{m_answer,
                                               m_object.GetAddress(),
                                               static_cast<uint32_t>(m_object.GetContent().size())};
        m_hosts.Call(ConsistencyKernel::RPC_CODE,
                     parameters.Encode(),
                     m_answer,
                     [this](const std::string& status, const std::vector<uint8_t>& value) {
                         End(status, value);
                     });
    }
};

/// The client reads, and checks or not.
class ReadObject : public ObjectMethod
{
  public:
    ReadObject(const ObjectOptions& options, OffloadHosts& hosts, bool isChecked)
        : ObjectMethod(options, hosts),
          m_costs(isChecked ? hosts.Create<SoftwareCosts>() : nullptr)
    {
    }

  private:
    void Begin() override
    {
        CountRead();
        const auto bytes = static_cast<uint32_t>(m_object.GetContent().size());
        const auto ended = [this, bytes](WcStatus status) {
            if (status != WcStatus::SUCCESS)
            {
                End(GetWcStatusName(status), {});
            }
            else if (m_costs)
            {
                OffloadHosts::After(m_costs->GetCrc(bytes - CRC_BYTES), [this] { Check(); });
            }
            else
            {
                End("OK", GetAnswer());
            }
        };
        m_hosts.Read(OffloadHosts::CLIENT, m_object.GetAddress(), m_answer, bytes, ended);
    }

    void Check()
    {
        const std::vector<uint8_t> found = GetAnswer();
        const ByteView view(found);
        const std::size_t checked = found.size() - CRC_BYTES;
        if (ComputeCrc64(ByteView(found.data(), checked)) == view.Get64(checked))
        {
            End("OK", found);
        }
        else if (m_reads >= m_maxReads)
        {
            End("TOO_MANY_STEPS", {});
        }
        else
        {
            m_object.EndRead();
            Begin();
        }
    }

    std::vector<uint8_t> GetAnswer() const
    {
        std::vector<uint8_t> found(m_object.GetContent().size());
        m_hosts.Get(OffloadHosts::CLIENT).memory->Read(m_answer, found.data(), found.size());
        return found;
    }

    Ptr<SoftwareCosts> m_costs; ///< Null: it does not check.
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Fetches an object whose last 8 bytes are the CRC64 of the others, again if it is torn
 * (StRoM section 6.3, Figures 9 and 10).
 *
 * "read" does not check, "cpu" checks at the client.
 */
class ConsistencyTask : public OffloadTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ConsistencyTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<ConsistencyTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-consistency", "an object at the server that may be torn"};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"kernel", "read", "cpu"};
    }

    void VisitTask(Keys& keys) override
    {
        keys.Bytes("size", m_options.bytes, "size of the object with its checksum of 8 bytes")
            .Between(CRC_BYTES + 1, MAX_SIZE);
        keys.Number("failure-rate",
                    m_options.failureRate,
                    "probability that the object is torn when a call begins")
            .Between(0.0, 1.0)
            .OnlyIf(GetMethod() != "read", "another method than read, which checks nothing");
        keys.Count("tears", m_options.tears, "reads for which a torn object stays torn")
            .Between(uint64_t{1}, MAX_TEARS);
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "kernel")
        {
            return std::make_unique<KernelObject>(m_options, hosts);
        }
        return std::make_unique<ReadObject>(m_options, hosts, method == "cpu");
    }

  private:
    ObjectOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(ConsistencyTask);

} // namespace ns3::rdma
