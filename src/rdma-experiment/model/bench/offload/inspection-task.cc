// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/inspection-service.h"
#include "ns3/stream-data.h"
#include "ns3/stream-method.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Trained by examples/balboa/detection/train.py.
constexpr const char* USUAL_WEIGHTS{"examples/balboa/detection/network.txt"};

/// @return that file: in the working directory, or in a folder above the program.
std::string
FindUsualWeights()
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    for (fs::path folder = program.parent_path();
         !fs::exists(USUAL_WEIGHTS, error) && folder.has_relative_path();
         folder = folder.parent_path())
    {
        if (fs::exists(folder / USUAL_WEIGHTS, error))
        {
            return folder / USUAL_WEIGHTS;
        }
    }
    return USUAL_WEIGHTS;
}

constexpr const char* INSPECTION{"ns3::rdma::InspectionService"};
constexpr uint8_t FIRST_LETTER{'a'};
constexpr uint8_t LAST_LETTER{'z'};
constexpr double INSPECTED_BITS_PER_PS_IN_GBPS{8e3};

struct InspectionOptions
{
    StreamDataOptions data;
    std::string weights{FindUsualWeights()};
    bool isEchoed{false};
    std::string verdicts; ///< File; empty: none.
};

/// WRITEs, all at once, or each answered by one of the same length.
class PlainStream : public StreamMethod
{
  public:
    PlainStream(const InspectionOptions& options, OffloadHosts& hosts)
        : StreamMethod(hosts),
          m_options(options),
          m_data(options.data, hosts, FIRST_LETTER, LAST_LETTER),
          m_echo(hosts.Allocate(OffloadHosts::CLIENT, m_data.GetTotal()))
    {
    }

    void Report(MeasuredRows& rows) const override
    {
        if (!m_options.isEchoed)
        {
            rows.Set("write_gbps",
                     m_wrote == 0
                         ? 0
                         : static_cast<double>(m_data.GetTotal() * m_calls) *
                               INSPECTED_BITS_PER_PS_IN_GBPS / static_cast<double>(m_wrote),
                     "data until the last acknowledgment");
        }
    }

  protected:
    void Begin() final
    {
        m_begunAt = OffloadHosts::Now();
        m_left = m_data.CountMessages();
        if (m_options.isEchoed)
        {
            Send(OffloadHosts::CLIENT, 0);
            return;
        }
        for (uint64_t i = 0; i < m_data.CountMessages(); ++i)
        {
            m_data.Post(i, [this](WcStatus status) {
                EndIfFailed(status);
                if (status == WcStatus::SUCCESS && --m_left == 0)
                {
                    Finish();
                }
            });
        }
    }

    uint64_t GetBytes() const override
    {
        return m_data.GetTotal();
    }

    /// @return the bytes that the server has to have.
    virtual std::vector<uint8_t> GetExpected() const
    {
        return m_data.GetBytes();
    }

    InspectionOptions m_options;
    StreamData m_data;

  private:
    /// One end sends a message to the other, whose core waits for its last packet.
    void Send(OffloadHosts::End from, uint64_t message)
    {
        const bool isBack = from == OffloadHosts::SERVER;
        const uint64_t offset = message * m_options.data.bytes;
        const uint64_t mtu = m_hosts.Get(from).nic->GetPathMtu();
        const uint32_t bytes = m_data.GetBytes(message);
        const uint64_t target = (isBack ? m_echo : m_data.GetTarget()) + offset;
        const uint64_t last = target + (bytes - 1) / mtu * mtu;
        m_hosts.Await(isBack ? OffloadHosts::CLIENT : OffloadHosts::SERVER,
                      last,
                      [this, isBack, message] { OnSeen(isBack, message); });
        const uint64_t source = (isBack ? m_data.GetTarget() : m_data.GetSource()) + offset;
        m_hosts.Write(from, source, target, bytes, [this](WcStatus status) {
            EndIfFailed(status);
        });
    }

    void OnSeen(bool isBack, uint64_t message)
    {
        if (!isBack)
        {
            Send(OffloadHosts::SERVER, message);
        }
        else if (--m_left > 0)
        {
            Send(OffloadHosts::CLIENT, message + 1);
        }
        else
        {
            Finish();
        }
    }

    void Finish()
    {
        m_wrote += OffloadHosts::Now() - m_begunAt;
        ++m_calls;
        End("OK",
            m_data.ReadTarget() == GetExpected() ? "" : "the server has other data than it should");
    }

    uint64_t m_echo; ///< Where at the client the answers go.
    Tick m_begunAt{0};
    Tick m_wrote{0};
    uint64_t m_left{0};
    uint64_t m_calls{0};
};

/// The same, inspected where they are received.
class InspectedStream : public PlainStream
{
  public:
    InspectedStream(const InspectionOptions& options, OffloadHosts& hosts)
        : PlainStream(options, hosts)
    {
        hosts.SetDefault(std::string(INSPECTION) + "::Weights", options.weights);
        for (const OffloadHosts::End end : {OffloadHosts::CLIENT, OffloadHosts::SERVER})
        {
            hosts.DeployService(INSPECTION, InspectionService::RPC_CODE, end);
        }
        KernelHost& server = *hosts.Get(OffloadHosts::SERVER).kernels;
        m_service = DynamicCast<InspectionService>(server.FindKernel(InspectionService::RPC_CODE));
        const std::function<void(const InspectionVerdict&)> tap = [this](const auto& verdict) {
            m_verdicts.push_back(verdict);
        };
        m_service->TraceConnectWithoutContext("Verdict",
                                              Callback<void, const InspectionVerdict&>(tap));
        server.SetListener([this](const KernelCommand&, Tick) { ++m_interrupts; });
    }

    void Report(MeasuredRows& rows) const override
    {
        PlainStream::Report(rows);
        const InspectionStats& stats = m_service->GetStats();
        rows.Set("packets", stats.packets, "packets that were inspected");
        rows.Set("bad_packets", stats.badPackets, "packets with pieces of executables");
        rows.Set("beats", stats.beats, "beats that were inspected");
        rows.Set("bad_beats", stats.badBeats, "beats with pieces of executables");
        rows.Set("interrupts", m_interrupts, "interrupts of the server");
        WriteVerdicts();
    }

  private:
    std::vector<uint8_t> GetExpected() const override
    {
        std::vector<uint8_t> bytes = m_data.GetBytes();
        BooleanValue drops;
        m_service->GetAttribute("Drop", drops);
        for (const InspectionVerdict& verdict : m_verdicts)
        {
            if (verdict.isBad && drops.Get())
            {
                // Memory holds zeros where nothing was written.
                std::fill_n(bytes.begin() + GetOffset(verdict), verdict.bytes, uint8_t{0});
            }
        }
        return bytes;
    }

    std::ptrdiff_t GetOffset(const InspectionVerdict& verdict) const
    {
        return static_cast<std::ptrdiff_t>(verdict.address - m_data.GetTarget());
    }

    /// @throws InputError if the file cannot be written
    void WriteVerdicts() const
    {
        if (m_options.verdicts.empty())
        {
            return;
        }
        std::ofstream file(m_options.verdicts);
        file << "offset,bytes,beats,bad_beats,score,bad\n";
        for (const InspectionVerdict& verdict : m_verdicts)
        {
            file << GetOffset(verdict) << ',' << verdict.bytes << ',' << verdict.beats << ','
                 << verdict.badBeats << ',' << (verdict.score ? std::to_string(*verdict.score) : "")
                 << ',' << verdict.isBad << '\n';
        }
        if (!file.flush())
        {
            throw InputError("measure: verdicts: expected a file that can be written, "
                             "got " +
                             m_options.verdicts);
        }
    }

    Ptr<InspectionService> m_service;
    std::vector<InspectionVerdict> m_verdicts;
    uint64_t m_interrupts{0};
};

} // namespace

/**
 * @ingroup rdma-offload
 * @brief WRITEs that are inspected for pieces of executables where they are received (BALBOA
 * sections 5.1.2 and 6.4.2, Figure 8).
 *
 * "kernel" with the service at both ends, "write" without.
 */
class InspectionTask : public OffloadTask
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::InspectionTask")
                                .SetParent<OffloadTask>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<InspectionTask>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"offload-inspection", "whether WRITEs have pieces of executables"};
    }

    std::vector<std::string> GetMethods() const override
    {
        return {"kernel", "write"};
    }

    uint64_t GetUsualCalls() const override
    {
        return 1;
    }

    void VisitTask(Keys& keys) override
    {
        m_options.data.Visit(keys);
        keys.File("weights", m_options.weights, "file of the network's weights")
            .Otherwise(USUAL_WEIGHTS);
        keys.Flag("echo",
                  m_options.isEchoed,
                  "one WRITE after the other, each answered by one of the same length");
        keys.File("verdicts", m_options.verdicts, "CSV file for each packet's verdict")
            .OnlyIf(GetMethod() == "kernel", "method=kernel beside it")
            .Otherwise("none");
    }

    std::unique_ptr<OffloadMethod> Make(const std::string& method,
                                        OffloadHosts& hosts) const override
    {
        if (method == "kernel")
        {
            return std::make_unique<InspectedStream>(m_options, hosts);
        }
        return std::make_unique<PlainStream>(m_options, hosts);
    }

  private:
    InspectionOptions m_options;
};

NS_OBJECT_ENSURE_REGISTERED(InspectionTask);

} // namespace ns3::rdma
