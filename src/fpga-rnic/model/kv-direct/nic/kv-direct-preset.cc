// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// The paper does not describe the transport of its RDMA WRITEs. This is StRoM's, an FPGA transport
/// of the same years: go-back-N with a limit of outstanding packets and a timer per queue pair.
const Attributes TRANSPORT{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
    {"ns3::rdma::RdmaNic::LossDetector", "ns3::rdma::GoBackN"},
    {"ns3::rdma::RdmaNic::RetransmissionTimeout", "ns3::rdma::TimerArrayTimeout"},
    {"ns3::rdma::RdmaNic::RetryCount", "12"},
    {"ns3::rdma::TimerArrayTimeout::Frequency", "180000000"},
    {"ns3::rdma::FixedTimeout::Timeout", "1ms"},
    {"ns3::rdma::FixedTimeout::LateTimeout", "64ms"}};

/// KV-Direct section 4: 180 MHz. Section 2.4: PCIe Gen3 x8, 800 ns to read data in the host's
/// cache, 250 ns more on average for other data. Our choice, since the paper gives none: 64 bytes
/// per cycle, and the blocks of StRoM at 100G without its PSN check of 5 cycles, since all of
/// KV-Direct is fully pipelined (section 4). The rate of DMA requests is KV_REQUEST_RATE, inferred.
const Attributes HARDWARE{
    {"ns3::rdma::RdmaNic::Hardware", "true"},
    {"ns3::rdma::NicHardware::PipelineClass", "ns3::rdma::StreamPacketPipeline"},
    {"ns3::rdma::NicHardware::Cycle", "5555ps"},
    {"ns3::rdma::NicHardware::BusBytes", "64"},
    {"ns3::rdma::NicHardware::TransmitBlocks",
     "dma=8, reth=12, bth=4, udp=4, ip=7, icrc=7+packet, ethernet-header=24, padding=17, mac=13"},
    {"ns3::rdma::NicHardware::ReceiveBlocks",
     "mac=23, ip-handler=28, icrc=7+packet, ip=7, udp=6, bth=18, reth=20, dma=8"},
    {"ns3::rdma::PcieLink::Lanes", "8"},
    {"ns3::rdma::PcieLink::ReadLatency", "800ns"},
    {"ns3::rdma::PcieLink::ReadJitter", "500ns"},
    {"ns3::rdma::PcieLink::RequestRate", "59700000"},
    {"ns3::rdma::TranslationCache::CacheEntries", "0"},
    {"ns3::rdma::TranslationCache::PageSize", "2097152"}};

bool
RegisterKvDirect()
{
    RegisterNicPreset(
        {"kv-direct",
         "go-back-N, outstanding limit, lossy fabric, a key-value processor on the NIC",
         false,
         TRANSPORT,
         HARDWARE,
         true});
    return true;
}

[[maybe_unused]] const bool HAS_KV_DIRECT = RegisterKvDirect();

} // namespace

} // namespace ns3::rdma
