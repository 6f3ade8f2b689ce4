// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/send-shuffle-kernel.h"
#include "ns3/shuffle-data.h"
#include "ns3/software-costs.h"
#include "ns3/stream-method.h"
#include "ns3/strom-opcodes.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <set>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t VALUE{ShuffleKernel::VALUE_BYTES};
constexpr uint64_t BUFFER{ShuffleKernel::BUFFER_VALUES *
                          VALUE}; ///< Of a partition, in software too.
constexpr uint64_t MAX_DATA{uint64_t{1} << 30U};
constexpr uint64_t MESSAGE{16U << 20U}; ///< Bytes of one WRITE of the stream.

/// What the methods share.
class ShuffleMethod : public StreamMethod
{
  public:
    ShuffleMethod(const ShuffleOptions& options, OffloadHosts& hosts)
        : StreamMethod(hosts),
          m_data(options, hosts)
    {
    }

  protected:
    uint64_t GetBytes() const override
    {
        return m_data.GetBytes();
    }

    /// Posts the values in messages. @param code of a kernel; unset: a plain WRITE
    void PostValues(std::optional<uint64_t> code, OffloadHosts::Ended ended)
    {
        for (uint64_t offset = 0; offset < m_data.GetBytes(); offset += MESSAGE)
        {
            const uint64_t bytes = std::min(MESSAGE, m_data.GetBytes() - offset);
            SendWorkRequest request;
            request.opcode = code ? WrOpcode::KERNEL : WrOpcode::RDMA_WRITE;
            request.kernelOperation = opcode::STROM_WRITE_FIRST;
            request.sgList = {{m_data.GetSource() + offset,
                               static_cast<uint32_t>(bytes),
                               m_hosts.Get(OffloadHosts::CLIENT).region.localKey}};
            request.remoteAddress = code ? *code : m_data.GetTable()[0].address + offset;
            request.remoteKey = m_hosts.Get(OffloadHosts::SERVER).region.remoteKey;
            m_hosts.Post(OffloadHosts::CLIENT, request, ended);
        }
    }

    ShuffleData m_data;
};

/// The server's NIC puts the values where they belong.
class KernelShuffle : public ShuffleMethod
{
  public:
    KernelShuffle(const ShuffleOptions& options, OffloadHosts& hosts)
        : ShuffleMethod(options, hosts),
          m_bits(options.bits),
          m_answer(hosts.Allocate(OffloadHosts::CLIENT, ANSWER_BYTES))
    {
        hosts.Deploy("ns3::rdma::ShuffleKernel");
        const uint32_t mtu = hosts.Get(OffloadHosts::CLIENT).nic->GetPathMtu();
        const ShuffleParameters parameters{m_answer,
                                           m_data.GetBytes(),
                                           m_bits,
                                           0,
                                           m_data.GetTable()};
        for (const std::vector<uint8_t>& message : parameters.Encode(mtu))
        {
            const uint64_t address = hosts.Allocate(OffloadHosts::CLIENT, message.size());
            hosts.Get(OffloadHosts::CLIENT).memory->Write(address, message.data(), message.size());
            m_parameters.push_back({address,
                                    static_cast<uint32_t>(message.size()),
                                    hosts.Get(OffloadHosts::CLIENT).region.localKey});
        }
    }

  private:
    static constexpr uint64_t ANSWER_BYTES{KernelReply::WORD_BYTES + 16};

    void Begin() override
    {
        OffloadHost& client = m_hosts.Get(OffloadHosts::CLIENT);
        client.memory->Write64(m_answer, 0);
        m_hosts.Await(OffloadHosts::CLIENT, m_answer, [this] { Check(); });
        for (const Sge& piece : m_parameters)
        {
            SendWorkRequest request;
            request.opcode = WrOpcode::KERNEL;
            request.kernelOperation = opcode::STROM_RPC_PARAMS;
            request.sgList = {piece};
            request.remoteAddress = ShuffleKernel::RPC_CODE;
            request.remoteKey = client.region.remoteKey;
            m_hosts.Post(OffloadHosts::CLIENT, request, [this](WcStatus s) { EndIfFailed(s); });
        }
        PostValues(ShuffleKernel::RPC_CODE, [this](WcStatus s) { EndIfFailed(s); });
    }

    void Check()
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::CLIENT).memory;
        const char* status = GetKernelStatusName(KernelReply::GetStatus(memory.Read64(m_answer)));
        const bool isShort = m_data.GetLeftOut() > 0;
        std::string fault = m_data.FindFault();
        if (status != std::string(isShort ? "NO_ROOM" : "OK"))
        {
            fault = std::string("got ") + status;
        }
        else if (memory.Read64(m_answer + 2 * KernelReply::WORD_BYTES) != m_data.GetLeftOut())
        {
            fault = "another number of values was left out";
        }
        End(status, fault);
    }

    uint32_t m_bits;
    uint64_t m_answer;
    SgeList m_parameters; ///< Of each message.
};

/// The client's NIC sends each value on the queue pair of its partition (StRoM section 6.4,
/// footnote 9); all queue pairs lead to the one server.
class SendShuffle : public ShuffleMethod
{
  public:
    SendShuffle(const ShuffleOptions& options, OffloadHosts& hosts)
        : ShuffleMethod(options, hosts),
          m_completions([this](const WorkCompletion& completion) { OnSent(completion); })
    {
        hosts.Deploy("ns3::rdma::SendShuffleKernel", OffloadHosts::CLIENT);
        const uint32_t bits = options.bits;
        for (uint32_t i = 0; i < options.queuePairs; ++i)
        {
            m_queuePairs.push_back(Connect(FIRST_CONNECTION + i));
        }
        const uint64_t table =
            hosts.Allocate(OffloadHosts::CLIENT, uint64_t{RemotePartition::BYTES} << bits);
        m_call = {hosts.Allocate(OffloadHosts::CLIENT, ANSWER_BYTES),
                  m_data.GetSource(),
                  m_data.GetBytes(),
                  table,
                  bits,
                  0};
    }

    void Report(MeasuredRows& rows) const override
    {
        rows.Set("queue_pairs", m_queuePairs.size(), "queue pairs that partitions share");
    }

  private:
    static constexpr uint64_t ANSWER_BYTES{KernelReply::WORD_BYTES + 16};
    static constexpr uint32_t FIRST_CONNECTION{1'000'000}; ///< Beyond those of OffloadHosts.

    uint32_t MakeQueuePair(OffloadHosts::End end, const Ptr<CompletionQueue>& completions)
    {
        QueuePairInit init;
        init.domain = m_hosts.Get(end).domain;
        init.sendCompletions = completions;
        return m_hosts.Get(end).nic->CreateQueuePair(init);
    }

    /// @return the client's queue pair of a new connection. @param connection its number
    uint32_t Connect(uint32_t connection)
    {
        RdmaNic& client = *m_hosts.Get(OffloadHosts::CLIENT).nic;
        RdmaNic& server = *m_hosts.Get(OffloadHosts::SERVER).nic;
        const uint32_t local = MakeQueuePair(OffloadHosts::CLIENT, m_completions.Get());
        const uint32_t remote = MakeQueuePair(OffloadHosts::SERVER, PolledQueue::MakeUnpolled());
        client.Connect(local, {server.GetEndpoint(), remote, connection});
        server.Connect(remote, {client.GetEndpoint(), local, connection});
        return local;
    }

    void Begin() override
    {
        OffloadHost& client = m_hosts.Get(OffloadHosts::CLIENT);
        client.memory->Write64(m_call.target, 0);
        std::vector<RemotePartition> table;
        std::set<uint32_t> used;
        for (const ShufflePartition& partition : m_data.GetTable())
        {
            const uint32_t queuePair = m_queuePairs[table.size() % m_queuePairs.size()];
            table.push_back({queuePair,
                             m_hosts.Get(OffloadHosts::SERVER).region.remoteKey,
                             partition.address,
                             partition.values});
            if (partition.values > 0)
            {
                used.insert(queuePair);
            }
        }
        m_missing = used.size();
        const std::vector<uint8_t> bytes = RemotePartition::Encode(table);
        client.memory->Write(m_call.table, bytes.data(), bytes.size());
        if (!client.kernels->Invoke(SendShuffleKernel::RPC_CODE, 0, 0, m_call.Encode()))
        {
            End("NO_KERNEL", "the kernel was not called");
        }
    }

    /// The data of a queue pair have arrived, or a WRITE has failed.
    void OnSent(const WorkCompletion& completion)
    {
        EndIfFailed(completion.status);
        if (--m_missing == 0)
        {
            Check();
        }
    }

    void Check()
    {
        const HostMemory& memory = *m_hosts.Get(OffloadHosts::CLIENT).memory;
        const KernelStatus status = KernelReply::GetStatus(memory.Read64(m_call.target));
        std::string fault = m_data.FindFault();
        if (status != (m_data.GetLeftOut() > 0 ? KernelStatus::NO_ROOM : KernelStatus::OK))
        {
            fault = std::string("got ") + GetKernelStatusName(status);
        }
        End(GetKernelStatusName(status), fault);
    }

    PolledQueue m_completions;
    std::vector<uint32_t> m_queuePairs; ///< The client's.
    SendShuffleParameters m_call;
    std::size_t m_missing{0}; ///< Queue pairs whose last WRITE is not complete.
};

/// The values go as they are.
class PlainWrite : public ShuffleMethod
{
  public:
    using ShuffleMethod::ShuffleMethod;

  private:
    void Begin() override
    {
        m_left = (m_data.GetBytes() + MESSAGE - 1) / MESSAGE;
        PostValues(std::nullopt, [this](WcStatus status) {
            EndIfFailed(status);
            if (--m_left == 0)
            {
                End("OK", m_data.FindFaultOfCopy());
            }
        });
    }

    uint64_t m_left{0}; ///< Messages under way.
};

/// A core of the client partitions, and WRITEs a partition's buffer whenever it is full (Barthels
/// et al., as StRoM section 6.4 describes it).
class SoftwareShuffle : public ShuffleMethod
{
  public:
    SoftwareShuffle(const ShuffleOptions& options, OffloadHosts& hosts)
        : ShuffleMethod(options, hosts),
          m_costs(hosts.Create<SoftwareCosts>()),
          m_staging(hosts.Allocate(OffloadHosts::CLIENT, options.bytes))
    {
    }

    void Report(MeasuredRows& rows) const override
    {
        rows.Set("writes", m_writes, "WRITEs of full buffers");
        rows.Set("partition_us",
                 static_cast<double>(m_worked) / 1e6,
                 "time of the core that partitions");
    }

  private:
    static constexpr uint64_t PIECE{4096};        ///< That is partitioned at a time.
    static constexpr uint64_t MAX_UNDER_WAY{256}; ///< WRITEs; the core waits beyond.

    /// A partition: its place in the staging memory, and how much of it was filled and sent.
    struct Progress
    {
        uint64_t offset{0};
        uint64_t filled{0};
        uint64_t sent{0};
    };

    void Begin() override
    {
        m_progress.clear();
        for (const ShufflePartition& partition : m_data.GetTable())
        {
            const uint64_t offset = partition.address - m_data.GetTable()[0].address;
            m_progress.push_back({offset, 0, 0});
        }
        m_partitioned = 0;
        m_underWay = 0;
        Work();
    }

    /// The core partitions a piece, and goes on while it may send.
    void Work()
    {
        const uint64_t bytes = std::min(PIECE, m_data.GetBytes() - m_partitioned);
        if (m_isWorking || bytes == 0 || m_underWay >= MAX_UNDER_WAY)
        {
            return;
        }
        m_isWorking = true;
        const Tick duration = m_costs->GetPartition(bytes);
        m_worked += duration;
        OffloadHosts::After(duration, [this, bytes] {
            m_isWorking = false;
            Partition(bytes);
            Work();
        });
    }

    void Partition(uint64_t bytes)
    {
        HostMemory& memory = *m_hosts.Get(OffloadHosts::CLIENT).memory;
        m_piece.resize(static_cast<std::size_t>(bytes));
        memory.Read(m_data.GetSource() + m_partitioned, m_piece.data(), m_piece.size());
        for (std::size_t at = 0; at < m_piece.size(); at += VALUE)
        {
            const uint64_t value = boost::endian::load_little_u64(m_piece.data() + at);
            Progress& progress = m_progress[m_data.GetPartition(value)];
            memory.Write(m_staging + progress.offset + progress.filled, &m_piece[at], VALUE);
            progress.filled += VALUE;
            if (progress.filled - progress.sent == BUFFER)
            {
                Send(progress);
            }
        }
        m_partitioned += bytes;
        if (m_partitioned == m_data.GetBytes())
        {
            SendRest();
        }
    }

    void SendRest()
    {
        for (Progress& progress : m_progress)
        {
            if (progress.filled > progress.sent)
            {
                Send(progress);
            }
        }
    }

    void Send(Progress& progress)
    {
        const uint64_t offset = progress.offset + progress.sent;
        SendWorkRequest request;
        request.opcode = WrOpcode::RDMA_WRITE;
        request.sgList = {{m_staging + offset,
                           static_cast<uint32_t>(progress.filled - progress.sent),
                           m_hosts.Get(OffloadHosts::CLIENT).region.localKey}};
        request.remoteAddress = m_data.GetTable()[0].address + offset;
        request.remoteKey = m_hosts.Get(OffloadHosts::SERVER).region.remoteKey;
        progress.sent = progress.filled;
        ++m_underWay;
        ++m_writes;
        m_hosts.Post(OffloadHosts::CLIENT, request, [this](WcStatus status) { OnSent(status); });
    }

    void OnSent(WcStatus status)
    {
        EndIfFailed(status);
        if (--m_underWay == 0 && m_partitioned == m_data.GetBytes())
        {
            End("OK", m_data.FindFault());
            return;
        }
        Work();
    }

    Ptr<SoftwareCosts> m_costs;
    uint64_t m_staging; ///< All partitions, one behind the other.
    std::vector<Progress> m_progress;
    std::vector<uint8_t> m_piece;
    uint64_t m_partitioned{0}; ///< Bytes.
    uint64_t m_underWay{0};
    bool m_isWorking{false};
    uint64_t m_writes{0};
    Tick m_worked{0};
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Values of 8 bytes go to the server, each into the partition that its least significant
 * bits name (StRoM section 6.4, Figure 11).
 *
 * "kernel" partitions on the server's NIC, "send" on the client's, "cpu" on a core of the client;
 * "write" does not partition.
 */
class ShuffleTask : public StreamTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ShuffleTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<ShuffleTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-shuffle", "values that are partitioned on their way"};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"kernel", "write", "cpu", "send"};
    }

    void VisitTask(Keys& keys) override
    {
        keys.Bytes("size", m_options.bytes, "size of all values together, 8 bytes each")
            .Between(VALUE, MAX_DATA);
        keys.Check(m_options.bytes % VALUE == 0, "size", "a multiple of 8 bytes");
        keys.Count("bits", m_options.bits, "bits of a value that name its partition")
            .AtMost(ShuffleParameters::MAX_BITS);
        keys.Number("hot-share",
                    m_options.hotShare,
                    "share of the values that go to partition 0 beyond its own part")
            .Between(0.0, 1.0);
        keys.Flag("short", m_options.isShort, "partition 0 has room for half of its values")
            .OnlyIf(GetMethod() == "kernel" || GetMethod() == "send",
                    "method=kernel or method=send beside it");
        keys.Count("queue-pairs", m_options.queuePairs, "queue pairs of method send")
            .Between(1U, ShuffleOptions::MAX_QUEUE_PAIRS)
            .OnlyIf(GetMethod() == "send", "method=send beside it");
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "send")
        {
            return std::make_unique<SendShuffle>(m_options, hosts);
        }
        return MakeMethod<KernelShuffle, PlainWrite, SoftwareShuffle>(method, m_options, hosts);
    }

  private:
    ShuffleOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(ShuffleTask);

} // namespace ns3::rdma
