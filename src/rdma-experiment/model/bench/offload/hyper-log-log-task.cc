// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/hyper-log-log-kernel.h"
#include "ns3/software-costs.h"
#include "ns3/stream-method.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_DATA{uint64_t{1} << 30U};
constexpr uint64_t MAX_MESSAGES{100'000};
constexpr uint64_t MAX_THREADS{256};
constexpr double BITS_PER_PS_IN_GBPS{8e3};

struct SketchOptions
{
    uint64_t bytes{4096};    ///< Of a WRITE.
    uint64_t messages{64};   ///< WRITEs of a call, posted together.
    uint64_t distinct{1000}; ///< Items are drawn from so many.
    uint64_t threads{8};     ///< Of the server's software.
};

/// Items in the client's memory, room at the server, and the sketch that plain C++ makes.
class SketchData
{
  public:
    SketchData(const SketchOptions& options, OffloadHosts& hosts)
        : m_options(options),
          m_hosts(hosts),
          m_source(hosts.Allocate(OffloadHosts::CLIENT, options.bytes * options.messages)),
          m_copy(hosts.Allocate(OffloadHosts::SERVER, options.bytes * options.messages))
    {
        BooleanValue isWide;
        hosts.ReadAttribute(HyperLogLogKernel::GetTypeId(), "WideItems", isWide);
        itemBytes = isWide.Get() ? sizeof(uint64_t) : sizeof(uint32_t);
        MakeItems();
    }

    /// Posts all WRITEs. @param ended called for each
    void Post(const OffloadHosts::Ended& ended)
    {
        for (uint64_t i = 0; i < m_options.messages; ++i)
        {
            m_hosts.Write(OffloadHosts::CLIENT,
                          m_source + i * m_options.bytes,
                          m_copy + i * m_options.bytes,
                          static_cast<uint32_t>(m_options.bytes),
                          ended);
        }
    }

    /// @return bytes of a message, as they are at the server.
    std::vector<uint8_t> ReadCopy(uint64_t message) const
    {
        std::vector<uint8_t> bytes(static_cast<std::size_t>(m_options.bytes));
        m_hosts.Get(OffloadHosts::SERVER)
            .memory->Read(m_copy + message * m_options.bytes, bytes.data(), bytes.size());
        return bytes;
    }

    /// @return what of the server's memory differs; empty: nothing.
    std::string FindFault() const
    {
        std::vector<uint8_t> sent(static_cast<std::size_t>(m_options.bytes));
        for (uint64_t i = 0; i < m_options.messages; ++i)
        {
            m_hosts.Get(OffloadHosts::CLIENT)
                .memory->Read(m_source + i * m_options.bytes, sent.data(), sent.size());
            if (sent != ReadCopy(i))
            {
                return "message " + std::to_string(i) + " differs";
            }
        }
        return {};
    }

    /// @return what a sketch of all messages must estimate.
    uint64_t GetExpected(uint32_t precision) const
    {
        HyperLogLog plain(precision);
        for (uint64_t i = 0; i < m_options.messages; ++i)
        {
            const std::vector<uint8_t> bytes = ReadCopy(i);
            plain.AddItems(ByteView(bytes), itemBytes);
        }
        return static_cast<uint64_t>(std::llround(plain.Estimate()));
    }

    uint64_t GetTotal() const
    {
        return m_options.bytes * m_options.messages;
    }

    /// @return the message whose last packet a WRITE of the client's is.
    std::optional<uint64_t> FindEnd(const Frame& frame) const
    {
        const bool isEnd = opcode::GetKind(frame.opcode) == OpcodeKind::WRITE &&
                           opcode::IsLast(frame.opcode) && frame.remoteAddress >= m_copy &&
                           frame.remoteAddress < m_copy + GetTotal();
        return isEnd ? std::optional<uint64_t>((frame.remoteAddress - m_copy) / m_options.bytes)
                     : std::nullopt;
    }

    uint32_t itemBytes{0};

  private:
    void MakeItems()
    {
        RandomStream random = m_hosts.MakeRandom(0);
        HostMemory& memory = *m_hosts.Get(OffloadHosts::CLIENT).memory;
        std::vector<uint8_t> bytes(static_cast<std::size_t>(m_options.bytes));
        for (uint64_t i = 0; i < m_options.messages; ++i)
        {
            for (std::size_t at = 0; at + itemBytes <= bytes.size(); at += itemBytes)
            {
                const auto item = static_cast<uint32_t>(random.Next() % m_options.distinct);
                boost::endian::store_little_u32(bytes.data() + at, item);
            }
            memory.Write(m_source + i * m_options.bytes, bytes.data(), bytes.size());
        }
    }

    SketchOptions m_options;
    OffloadHosts& m_hosts;
    uint64_t m_source;
    uint64_t m_copy;
};

/// What the methods share: WRITEs, and how long they take.
class SketchMethod : public StreamMethod
{
  public:
    SketchMethod(const SketchOptions& options, OffloadHosts& hosts)
        : StreamMethod(hosts),
          m_options(options),
          m_data(options, hosts)
    {
    }

    void Report(MeasuredRows& rows) const override
    {
        rows.Set("write_gbps", GetRate(m_wrote), "data until the last acknowledgment");
    }

  protected:
    void Begin() final
    {
        m_begunAt = OffloadHosts::Now();
        m_left = m_options.messages;
        Prepare();
        m_data.Post([this](WcStatus status) {
            EndIfFailed(status);
            if (status == WcStatus::SUCCESS && --m_left == 0)
            {
                m_wrote += OffloadHosts::Now() - m_begunAt;
                ++m_calls;
                OnWritten();
            }
        });
    }

    uint64_t GetBytes() const override
    {
        return m_data.GetTotal();
    }

    /// Before the first WRITE. Default: nothing.
    virtual void Prepare()
    {
    }

    /// All WRITEs are acknowledged.
    virtual void OnWritten() = 0;

    /// @return the kernel's precision, which software has, too.
    uint32_t ReadPrecision()
    {
        UintegerValue value;
        m_hosts.ReadAttribute(HyperLogLogKernel::GetTypeId(), "Precision", value);
        return static_cast<uint32_t>(value.Get());
    }

    /// @return Gb/s of all calls that are done. @param time of them together
    double GetRate(Tick time) const
    {
        return time == 0 ? 0
                         : static_cast<double>(m_data.GetTotal() * m_calls) * BITS_PER_PS_IN_GBPS /
                               static_cast<double>(time);
    }

    SketchOptions m_options;
    SketchData m_data;
    Tick m_begunAt{0}; ///< The present call.

  private:
    uint64_t m_left{0};
    uint64_t m_calls{0};
    Tick m_wrote{0};
};

/// The server's NIC adds a copy of what passes to its sketch; a call then reads the estimate.
class KernelSketch : public SketchMethod
{
  public:
    KernelSketch(const SketchOptions& options, OffloadHosts& hosts)
        : SketchMethod(options, hosts),
          m_precision(ReadPrecision()),
          m_answer(hosts.Allocate(OffloadHosts::CLIENT, ANSWER_BYTES))
    {
        hosts.DeployService("ns3::rdma::HyperLogLogKernel",
                            HyperLogLogKernel::RPC_CODE,
                            OffloadHosts::SERVER);
    }

  private:
    static constexpr uint64_t ANSWER_BYTES{KernelReply::WORD_BYTES + 16};

    void OnWritten() override
    {
        const HyperLogLogParameters ask{m_answer, HyperLogLogParameters::Action::CLEAR};
        m_hosts.Call(HyperLogLogKernel::RPC_CODE,
                     ask.Encode(),
                     m_answer,
                     [this](const std::string& status, const std::vector<uint8_t>& value) {
                         Check(status, value);
                     });
    }

    void Check(const std::string& status, const std::vector<uint8_t>& value)
    {
        std::string fault = m_data.FindFault();
        if (status != "OK" || value.size() != 2 * sizeof(uint64_t))
        {
            fault = "got " + status;
        }
        else if (ByteView(value).Get64(0) != m_data.GetExpected(m_precision))
        {
            fault = "another estimate than that of software over the same items";
        }
        End(status, fault);
    }

    uint32_t m_precision;
    uint64_t m_answer;
};

/// WRITEs alone.
class PlainWrites : public SketchMethod
{
  public:
    using SketchMethod::SketchMethod;

  private:
    void OnWritten() override
    {
        End("OK", m_data.FindFault());
    }
};

/// Threads of the server take messages as they come to memory, the next one each.
class SoftwareSketch : public SketchMethod
{
  public:
    SoftwareSketch(const SketchOptions& options, OffloadHosts& hosts)
        : SketchMethod(options, hosts),
          m_costs(hosts.Create<SoftwareCosts>()),
          m_precision(ReadPrecision())
    {
        const std::function<void(const Frame&, Time)> tap = [this](const Frame& frame, Time at) {
            OnPlaced(frame, at);
        };
        hosts.Get(OffloadHosts::SERVER)
            .nic->GetPlacedTrace()
            .ConnectWithoutContext(Callback<void, const Frame&, Time>(tap));
    }

    void Report(MeasuredRows& rows) const override
    {
        SketchMethod::Report(rows);
        rows.Set("sketch_gbps", GetRate(m_sketched), "data until the threads are done");
    }

  private:
    void Prepare() override
    {
        m_sketches.assign(m_options.threads, HyperLogLog(m_precision));
        m_freeAt.assign(m_options.threads, 0);
        m_isAllWritten = false;
        m_taken = 0;
    }

    void OnPlaced(const Frame& frame, Time at)
    {
        if (const auto message = m_data.FindEnd(frame))
        {
            OffloadHosts::After(ToTick(at) - OffloadHosts::Now(),
                                [this, message] { Take(*message); });
        }
    }

    void Take(uint64_t message)
    {
        const auto next = std::min_element(m_freeAt.begin(), m_freeAt.end());
        const std::vector<uint8_t> bytes = m_data.ReadCopy(message);
        m_sketches[static_cast<std::size_t>(next - m_freeAt.begin())].AddItems(ByteView(bytes),
                                                                               m_data.itemBytes);
        *next = std::max(*next, OffloadHosts::Now()) + m_costs->GetSketch(m_options.bytes);
        ++m_taken;
        EndWhenDone();
    }

    void OnWritten() override
    {
        m_isAllWritten = true;
        EndWhenDone();
    }

    void EndWhenDone()
    {
        if (!m_isAllWritten || m_taken < m_options.messages)
        {
            return;
        }
        const Tick last = *std::max_element(m_freeAt.begin(), m_freeAt.end());
        OffloadHosts::After(std::max<Tick>(last - OffloadHosts::Now(), 0), [this] { Check(); });
    }

    void Check()
    {
        m_sketched += OffloadHosts::Now() - m_begunAt;
        for (const HyperLogLog& sketch : m_sketches)
        {
            m_sketches.front().Merge(sketch);
        }
        const auto estimate = static_cast<uint64_t>(std::llround(m_sketches.front().Estimate()));
        End("OK",
            estimate == m_data.GetExpected(m_precision) ? m_data.FindFault() : "another estimate");
    }

    Ptr<SoftwareCosts> m_costs;
    uint32_t m_precision;
    std::vector<HyperLogLog> m_sketches; ///< By thread.
    std::vector<Tick> m_freeAt;          ///< Likewise.
    uint64_t m_taken{0};                 ///< Messages.
    bool m_isAllWritten{false};
    Tick m_sketched{0}; ///< Of all calls.
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief WRITEs whose different items are estimated by a HyperLogLog sketch (StRoM section 7.2,
 * Figure 13).
 *
 * "kernel" on the server's NIC while they come in, "cpu" by threads of the server that read them
 * from memory; "write" does not estimate.
 */
class HyperLogLogTask : public StreamTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::HyperLogLogTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<HyperLogLogTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-hyperloglog", "how many different items WRITEs have"};
    }

    void VisitTask(Keys& keys) override
    {
        keys.Bytes("size", m_options.bytes, "data of each WRITE")
            .Between(uint64_t{sizeof(uint64_t)}, MAX_DATA);
        keys.Count("messages", m_options.messages, "WRITEs of a call, posted together")
            .Between(uint64_t{1}, MAX_MESSAGES);
        keys.Check(m_options.messages <= MAX_DATA / m_options.bytes,
                   "",
                   "at most 1 GiB in all",
                   std::to_string(m_options.messages) + " times " +
                       std::to_string(m_options.bytes) + " bytes");
        keys.Count("distinct", m_options.distinct, "number of different items")
            .Between(1U, UINT32_MAX);
        keys.Count("threads", m_options.threads, "threads of the server, of method cpu")
            .Between(uint64_t{1}, MAX_THREADS)
            .OnlyIf(GetMethod() == "cpu", "method=cpu beside it");
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        return MakeMethod<KernelSketch, PlainWrites, SoftwareSketch>(method, m_options, hosts);
    }

  private:
    SketchOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(HyperLogLogTask);

} // namespace ns3::rdma
