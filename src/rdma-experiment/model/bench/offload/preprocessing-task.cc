// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/input-error.h"
#include "ns3/preprocessing-service.h"
#include "ns3/software-costs.h"
#include "ns3/stream-data.h"
#include "ns3/stream-method.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr const char* PREPROCESSING{"ns3::rdma::PreprocessingService"};
constexpr double BYTES_PER_PS_IN_MBPS{1e6};

struct PreprocessingOptions
{
    StreamDataOptions data;
    std::string out;         ///< File for what the GPU has in the end; empty: none.
    bool isRegistered{true}; ///< The memory that batches go to.
    bool isRead{false};      ///< The server READs the batches; else storage WRITEs them.
};

/// Batches that come in at the server and end in the memory of its GPU.
class BatchStream : public StreamMethod
{
  public:
    BatchStream(const PreprocessingOptions& options, OffloadHosts& hosts)
        : StreamMethod(hosts),
          m_options(options),
          m_data(options.data, hosts),
          m_costs(hosts.Create<SoftwareCosts>()),
          m_reference(hosts.Create<PreprocessingService>())
    {
        if (m_data.GetTotal() % PreprocessingService::FEATURE_BYTES != 0)
        {
            throw InputError("measure: data: expected whole features of 4 bytes, got " +
                             std::to_string(m_data.GetTotal()) + " bytes");
        }
        if (options.isRead)
        {
            return; // The completion of a READ says that its data are there.
        }
        const std::function<void(const Frame&, Time)> tap = [this](const Frame& frame, Time at) {
            if (const auto batch = m_data.FindEnd(frame))
            {
                OffloadHosts::After(ToTick(at) - OffloadHosts::Now(),
                                    [this, batch] { OnPlaced(*batch); });
            }
        };
        hosts.Get(OffloadHosts::SERVER)
            .nic->GetPlacedTrace()
            .ConnectWithoutContext(Callback<void, const Frame&, Time>(tap));
    }

    void Report(MeasuredRows& rows) const override
    {
        rows.Set("throughput_MBps",
                 m_took == 0 ? 0
                             : static_cast<double>(m_data.GetTotal() * m_calls) *
                                   BYTES_PER_PS_IN_MBPS / static_cast<double>(m_took),
                 "features per second");
    }

  protected:
    /// @return core time that a batch takes once it is in memory.
    virtual Tick GetWork(uint32_t bytes) const = 0;

    /// @return what the GPU has when all batches have ended. Default: what memory has.
    virtual std::vector<uint8_t> GetPrepared() const
    {
        return m_data.ReadTarget();
    }

    /// @return the features that the batches become.
    std::vector<uint8_t> Prepare() const
    {
        std::vector<uint8_t> out;
        for (uint64_t batch = 0; batch < m_data.CountMessages(); ++batch)
        {
            StreamInput input;
            input.bytes = ByteView(m_data.GetBytes().data() + out.size(), m_data.GetBytes(batch));
            const std::vector<uint8_t> bytes = m_reference->OnStream(input).bytes;
            out.insert(out.end(), bytes.begin(), bytes.end());
        }
        return out;
    }

    void Begin() final
    {
        m_begunAt = OffloadHosts::Now();
        m_left = m_data.CountMessages();
        for (uint64_t i = 0; i < m_data.CountMessages(); ++i)
        {
            if (m_options.isRead)
            {
                m_data.Fetch(i, [this, i](WcStatus status) { OnFetched(i, status); });
            }
            else
            {
                m_data.Post(i, [this](WcStatus status) { OnEnded(status); });
            }
        }
    }

    uint64_t GetBytes() const override
    {
        return m_data.GetTotal();
    }

    PreprocessingOptions m_options;
    StreamData m_data;
    Ptr<SoftwareCosts> m_costs;

  private:
    /// A request has ended.
    void OnEnded(WcStatus status)
    {
        const WcStatus refused =
            m_options.isRead ? WcStatus::LOC_PROT_ERR : WcStatus::REM_ACCESS_ERR;
        if (status == refused && !m_options.isRegistered)
        {
            End(GetWcStatusName(status), ""); // As it must.
        }
        EndIfFailed(status);
    }

    /// The server's core has polled the completion of a READ.
    void OnFetched(uint64_t batch, WcStatus status)
    {
        OnEnded(status);
        if (status == WcStatus::SUCCESS)
        {
            Work(batch, OffloadHosts::Now());
        }
    }

    /// A batch is in memory: the server's core polls it, and takes one after the other.
    void OnPlaced(uint64_t batch)
    {
        OffloadHost& server = m_hosts.Get(OffloadHosts::SERVER);
        const Tick now = OffloadHosts::Now();
        HostCpu& cpu = server.nic->GetHardware()->GetCpu();
        Work(batch, cpu.Run(now, std::max(now, m_coreFreeAt), server.queuePair, CpuTask::POLL));
    }

    /// The server's core does its part of a batch, after those before. @param polledAt the batch
    void Work(uint64_t batch, Tick polledAt)
    {
        m_coreFreeAt = std::max(polledAt, m_coreFreeAt) + GetWork(m_data.GetBytes(batch));
        OffloadHosts::After(m_coreFreeAt - OffloadHosts::Now(), [this] {
            if (--m_left == 0)
            {
                Finish();
            }
        });
    }

    void Finish()
    {
        m_took += OffloadHosts::Now() - m_begunAt;
        ++m_calls;
        const std::vector<uint8_t> prepared = GetPrepared();
        WriteOut(prepared);
        End("OK", prepared == Prepare() ? "" : "the GPU has other features than it should");
    }

    /// @throws InputError if the file cannot be written
    void WriteOut(const std::vector<uint8_t>& prepared) const
    {
        if (m_options.out.empty())
        {
            return;
        }
        std::ofstream file(m_options.out, std::ios::binary);
        file.write(reinterpret_cast<const char*>(prepared.data()),
                   static_cast<std::streamsize>(prepared.size()));
        if (!file.flush())
        {
            throw InputError("measure: out: expected a file that can be written, got " +
                             m_options.out);
        }
    }

    Ptr<PreprocessingService> m_reference;
    Tick m_begunAt{0};
    Tick m_coreFreeAt{0};
    Tick m_took{0};
    uint64_t m_left{0};
    uint64_t m_calls{0};
};

/// A core of the server prepares each batch and copies it to the GPU.
class CpuBatches : public BatchStream
{
  public:
    using BatchStream::BatchStream;

  private:
    Tick GetWork(uint32_t bytes) const override
    {
        return m_costs->GetMisses(1) + m_costs->GetPreprocessing(bytes) +
               m_costs->GetGpuCopy(bytes);
    }

    std::vector<uint8_t> GetPrepared() const override
    {
        return Prepare(); // Software's own work, in no memory of the model.
    }
};

/// The server's NIC prepares the batches, a core copies them from the host's memory to the GPU.
class HostBatches : public BatchStream
{
  public:
    HostBatches(const PreprocessingOptions& options, OffloadHosts& hosts)
        : BatchStream(options, hosts)
    {
        hosts.DeployService(PREPROCESSING, PreprocessingService::RPC_CODE, OffloadHosts::SERVER);
    }

  private:
    Tick GetWork(uint32_t bytes) const override
    {
        return m_costs->GetGpuCopy(bytes);
    }
};

/// The server's NIC prepares the batches and writes them to the GPU.
class GpuBatches : public BatchStream
{
  public:
    GpuBatches(const PreprocessingOptions& options, OffloadHosts& hosts)
        : BatchStream(options, hosts)
    {
        hosts.DeployService(PREPROCESSING, PreprocessingService::RPC_CODE, OffloadHosts::SERVER);
        const uint64_t bytes = m_data.GetTotal();
        m_data.SendToGpu(hosts.RegisterGpuMemory(bytes), options.isRegistered ? 0 : bytes);
    }

  private:
    Tick GetWork(uint32_t) const override
    {
        return 0;
    }
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief Batches of a recommendation model's features that come from storage to a server with a
 * GPU, prepared on their way (BALBOA section 8, Figures 9 to 11): storage WRITEs them, or with the
 * option "verb" the server READs them, as in the paper.
 *
 * "cpu" by a core of the server, which then copies them to the GPU, "host" by the NIC, with the
 * copy, "gpu" by the NIC, which writes them to the GPU's memory.
 */
class PreprocessingTask : public OffloadTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::PreprocessingTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<PreprocessingTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-preprocessing",
                "features of a recommendation model, prepared on their way to a GPU"};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"host", "cpu", "gpu"};
    }

    uint64_t GetUsualCalls() const override
    {
        return 1;
    }

    void VisitTask(Keys& keys) override
    {
        static constexpr std::array<std::pair<const char*, bool>, 2> VERBS{
            {{"read", true}, {"write", false}}};
        static constexpr std::array<std::pair<const char*, bool>, 2> FAULTS{
            {{"none", true}, {"unregistered", false}}};
        m_options.data.Visit(keys);
        keys.Check(m_options.data.bytes % PreprocessingService::FEATURE_BYTES == 0,
                   "size",
                   "whole features of 4 bytes");
        keys.File("out", m_options.out, "file for the final content of the GPU").Otherwise("none");
        keys.Choice("verb",
                    m_options.isRead,
                    VERBS,
                    "whether the server READs the batches or storage WRITEs them");
        keys.Choice("fault", m_options.isRegistered, FAULTS, "what is wrong with the GPU's memory")
            .OnlyIf(GetMethod() == "gpu", "method=gpu beside it");
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "cpu")
        {
            return std::make_unique<CpuBatches>(m_options, hosts);
        }
        if (method == "gpu")
        {
            return std::make_unique<GpuBatches>(m_options, hosts);
        }
        return std::make_unique<HostBatches>(m_options, hosts);
    }

  private:
    PreprocessingOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(PreprocessingTask);

} // namespace ns3::rdma
