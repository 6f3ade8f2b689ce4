// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"
#include "ns3/renamed-names.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

void
Append(Attributes& attributes, const Attributes& more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
}

/// Attributes of both versions: go-back-N with a timer per queue pair, the two timeouts and 12
/// retries of fpga-network-stack. The paper states no limit of outstanding packets, so BALBOA's is
/// used.
const Attributes STROM{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
    {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
    {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::TimerArrayTimeout"},
    {"ns3::rdma::RdmaNic::RetryCount", "12"}};

/// The source code defines 1 ms and 64 ms as cycles of 6.4 ns, so they are shorter at 322 MHz.
Attributes
MakeStrom10g()
{
    Attributes attributes = STROM;
    Append(attributes,
           {{"ns3::rdma::TimerArrayTimeout::Frequency", "156250000"},
            {"ns3::rdma::FixedTimeout::Timeout", "1ms"},
            {"ns3::rdma::FixedTimeout::LateTimeout", "64ms"}});
    return attributes;
}

Attributes
MakeStrom100g()
{
    Attributes attributes = STROM;
    Append(attributes,
           {{"ns3::rdma::TimerArrayTimeout::Frequency", "322000000"},
            {"ns3::rdma::FixedTimeout::Timeout", "485us"},
            {"ns3::rdma::FixedTimeout::LateTimeout", "31ms"}});
    return attributes;
}

/**
 * Hardware of both versions.  The stage of the last header generates acknowledgments (section 4.1,
 * "requests to generate response packets").  A PCIe read takes 1.5 us (section 6.2).  A command is
 * one store of 32 bytes (section 7.1; davos: {op, queue pair, two addresses, size}), and is queued
 * on the card.  All translations are on the card, with pages of 2 MiB (section 4.3).
 *
 * Fitted: a store takes 100 ns of a core.  With 40 ns to prepare a command, that is 7.1 M messages
 * per second.  It is between the 5.6 M/s that fill 100 Gb/s with 2 KiB, and the 7.7 M/s that fill
 * 10 Gb/s with 64 B: below 2 KB, and for small messages at 10 G, the message rate is the limit
 * (sections 6.1 and 7.1).  It is also part of the latencies of Figures 5a and 12a.
 */
const Attributes STROM_HARDWARE{
    {"ns3::rdma::RdmaNic::Hardware", "true"},
    {"ns3::rdma::NicHardware::PipelineClass", "ns3::rdma::StreamPacketPipeline"},
    {"ns3::rdma::NicHardware::AnswerBlock", "reth"},
    {"ns3::rdma::NicHardware::AnswerEntry", "reth"},
    {"ns3::rdma::NicHardware::MaxReads", "2048"},
    {"ns3::rdma::PcieLink::ReadLatency", "1500ns"},
    {"ns3::rdma::PcieLink::StoreLatency", "300ns"},
    {"ns3::rdma::TranslationCache::CacheEntries", "0"},
    {"ns3::rdma::TranslationCache::PageSize", "2097152"},
    {"ns3::rdma::HostCpu::DoorbellCost", "100ns"},
    {"ns3::rdma::WqeFetcher::KeepsWqes", "true"},
    {"ns3::rdma::WqeFetcher::WqeBytes", "32"},
    {"ns3::rdma::WqeFetcher::PushedBytes", "32"},
    {"ns3::rdma::WqeFetcher::QueuesPushed", "true"},
    {"ns3::rdma::WqeFetcher::TakesInline", "false"}};

/// Section 6.1: 8 bytes at 156.25 MHz, PCIe Gen3 x8. The blocks' cycles and their sources are in
/// docs/models/strom.md. From HDL, in cycles: tx-fifo: slice 1, command FIFO 2, state machine 1;
/// rx-fifo: register 1, command FIFO 1, state machine 2, slices 2; icrc: processes of a cycle, each
/// behind a FIFO (mask, arbiter, merger), insertion 4 on transmit, slice 1, extraction 3 and check
/// 4 on receive, less 5 for twice the words of Ethernet's header and the ICRC. A write over PCIe
/// takes 400 ns (our estimate) behind the 15 cycles of the path to the DMA engine.
Attributes
MakeStrom10gHardware()
{
    Attributes attributes = STROM_HARDWARE;
    Append(attributes,
           {{"ns3::rdma::NicHardware::Cycle", "6400ps"},
            {"ns3::rdma::NicHardware::BusBytes", "8"},
            {"ns3::rdma::NicHardware::TransmitBlocks",
             "dma=8, reth=12, bth=4, udp=4, ip=7, icrc=5+2*packet, ip-merger=5, "
             "ethernet-header=24, mac-merger=4, tx-fifo=4+packet, xgmii=3, mac=20"},
            {"ns3::rdma::NicHardware::ReceiveBlocks",
             "mac=25, xgmii=3, rx-fifo=6+packet, ip-handler=28, icrc=9+2*packet, ip=7, udp=6, "
             "bth=18/5, reth=20, kernel-arbiters=7"},
            {"ns3::rdma::PcieLink::WriteLatency", "496ns"},
            {"ns3::rdma::PcieLink::Lanes", "8"}});
    return attributes;
}

/// Section 7: 64 bytes at 322 MHz, PCIe Gen3 x16. The DMA engine's bus to the PCIe block has 512
/// bits at 250 MHz (section 4.2; davos, scripts/dma_ultraplus.tcl). It is inferred that TLPs do not
/// share a beat: AMD's engine with this bus writes 12.2 GB/s (docs/models/strom.md).
Attributes
MakeStrom100gHardware()
{
    Attributes attributes = STROM_HARDWARE;
    Append(attributes,
           {{"ns3::rdma::NicHardware::Cycle", "3106ps"},
            {"ns3::rdma::NicHardware::BusBytes", "64"},
            {"ns3::rdma::NicHardware::TransmitBlocks",
             "dma=8, reth=12, bth=4, udp=4, ip=7, icrc=10+2*packet, ip-merger=5, "
             "ethernet-header=24, mac-merger=4, padding=17, packet-fifo=6+packet, mac=13"},
            {"ns3::rdma::NicHardware::ReceiveBlocks",
             "mac=23, crossing=4, ip-handler=28, icrc=14+2*packet, ip=7, udp=6, bth=18/5, "
             "reth=20, kernel-arbiters=7"},
            {"ns3::rdma::PcieLink::WriteLatency", "447ns"},
            {"ns3::rdma::PcieLink::BeatBytes", "64"}});
    return attributes;
}

bool
RegisterStrom()
{
    const std::string description =
        "go-back-N, outstanding limit, lossy fabric, kernels on the NIC";
    RegisterNicPreset(
        {"strom10g", description, false, MakeStrom10g(), MakeStrom10gHardware(), true});
    RegisterNicPreset(
        {"strom100g", description, false, MakeStrom100g(), MakeStrom100gHardware(), true});
    return true;
}

[[maybe_unused]] const bool HAS_STROM = RegisterStrom();
[[maybe_unused]] const bool IS_RENAMED =
    RegisterRenamed({{"ns3::rdma::TimerArrayGoBackN", "ns3::rdma::TimerArrayTimeout"}});

} // namespace

} // namespace ns3::rdma
