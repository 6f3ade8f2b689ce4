// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TWO_KERNEL_HOSTS_H
#define FPGA_TWO_KERNEL_HOSTS_H

#include "../rdma-nic/verbs-test-bench.h"

#include "ns3/double.h"
#include "ns3/kernel-host.h"
#include "ns3/kernel-reply.h"
#include "ns3/link-impairment.h"
#include "ns3/strom-verbs.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * Two NICs with kernels at both ends, and the memory that they reach: end 0 calls, end 1 is
 * called.  Set attributes, Deploy, Start(), Call(), Run().
 */
class TwoKernelHosts
{
  public:
    static constexpr uint64_t PINNED{64 << 20};   ///< Bytes from VerbsEnd::BASE on, at both ends.
    static constexpr uint64_t ANSWERS{32 << 20};  ///< Offset of the caller's answers.
    static constexpr uint64_t ANSWER_BYTES{8192}; ///< From one answer to the next.

    explicit TwoKernelHosts(bool hasHardware, const std::string& preset = "strom10g")
        : bench(preset, hasHardware)
    {
    }

    ~TwoKernelHosts()
    {
        for (const auto& host : hosts)
        {
            host->Dispose();
        }
    }

    TwoKernelHosts(const TwoKernelHosts&) = delete;
    TwoKernelHosts& operator=(const TwoKernelHosts&) = delete;

    void Start()
    {
        bench.SetInitialPsn(0xfffffe);
        bench.ends[0].handlers = hosts[0]->GetHandlers();
        bench.ends[1].handlers = hosts[1]->GetHandlers();
        bench.Start();
        for (uint32_t end = 0; end < 2; ++end)
        {
            hosts[end]->Start(Ptr<RdmaNic>(&bench.GetNic(end)), bench.ends[end].memory);
            hosts[end]->GetTlb()->Pin(VerbsEnd::BASE, PINNED);
        }
    }

    /// Both directions lose, double and reorder 1 % of the frames each.
    void Impair(uint64_t seed)
    {
        for (uint32_t end = 0; end < 2; ++end)
        {
            auto impairment = CreateObject<LinkImpairment>();
            for (const char* rate : {"LossRate", "DuplicateRate", "ReorderRate"})
            {
                impairment->SetAttribute(rate, DoubleValue(0.01));
            }
            impairment->SetStream(RandomStream(seed, end));
            bench.GetBench().GetFabric().GetLinkPort(0, end).SetLossModel(impairment);
        }
    }

    /// @return where answer number i goes, at the caller.
    static uint64_t GetTarget(uint64_t i = 0)
    {
        return VerbsEnd::BASE + ANSWERS + i * ANSWER_BYTES;
    }

    PostResult Call(uint64_t code, std::vector<uint8_t> parameters)
    {
        return PostRpc(bench.GetNic(0),
                       bench.ends[0].qp,
                       ++calls,
                       code,
                       std::move(parameters),
                       bench.ends[0].region.remoteKey);
    }

    /// Likewise, parameters of any length, at an offset of the caller's memory.
    PostResult Call(uint64_t code, const std::vector<uint8_t>& parameters, uint64_t offset)
    {
        Put(0, offset, parameters);
        return PostRpc(bench.GetNic(0),
                       bench.ends[0].qp,
                       ++calls,
                       code,
                       bench.ends[0].At(offset, static_cast<uint32_t>(parameters.size())),
                       bench.ends[0].region.remoteKey);
    }

    PostResult Stream(uint64_t code, uint64_t offset, uint32_t bytes)
    {
        return PostRpcWrite(bench.GetNic(0),
                            bench.ends[0].qp,
                            ++calls,
                            code,
                            bench.ends[0].At(offset, bytes));
    }

    void Put(uint32_t end, uint64_t offset, const std::vector<uint8_t>& bytes)
    {
        bench.ends[end].memory->Write(VerbsEnd::BASE + offset, bytes.data(), bytes.size());
    }

    uint64_t GetWord(uint64_t i = 0) const
    {
        return bench.ends[0].memory->Read64(GetTarget(i));
    }

    KernelStatus GetStatus(uint64_t i = 0) const
    {
        return KernelReply::GetStatus(GetWord(i));
    }

    std::vector<uint8_t> GetValue(uint64_t i = 0) const
    {
        return bench.ends[0].Read(ANSWERS + i * ANSWER_BYTES + KernelReply::WORD_BYTES,
                                  KernelReply::GetBytes(GetWord(i)));
    }

    VerbsTestBench bench;
    Ptr<KernelHost> hosts[2]{CreateObject<KernelHost>(), CreateObject<KernelHost>()};
    uint64_t calls{0};
};

} // namespace ns3::rdma

#endif // FPGA_TWO_KERNEL_HOSTS_H
