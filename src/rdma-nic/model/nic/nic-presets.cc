// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-presets.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// ConnectX: IBTA reliable connection, DCQCN with the vendor's timers (defaults of both classes).
const Attributes CONNECTX{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::Dcqcn"},
                          {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::GoBackN"}};

/// IRN (Mittal et al. 2018): BDP-FC of section 3.2; a RETH on each packet and the selective PSN on
/// each acknowledgment of section 5; DCQCN as its congestion control (SRNIC section 6.3).
const Attributes IRN{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::Dcqcn"},
                     {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::SelectiveRepeat"},
                     {"ns3::rdma::RdmaNic::BdpFlowControl", "true"},
                     {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::IrnFormat"}};

/// SRNIC: 78 bytes of headers on each WRITE packet, that is 20 beyond the common 58
/// (section 4.4.1); its acknowledgments echo PSN and PSN_OFFSET, 8 bytes, beside the AETH; DCTCP as
/// a window (section 5).
const Attributes SRNIC{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::WindowDctcp"},
                       {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::SelectiveRepeat"},
                       {"ns3::rdma::RdmaNic::WireFormat", "ns3::rdma::SrnicFormat"}};

/// RoCE BALBOA: credits of section 4.4; go-back-N with the transport timer of fpga-network-stack,
/// whose 1 ms and 64 ms assume 6.4 ns cycles and so are 0.625 and 40 ms at BALBOA's 250 MHz; 12
/// retries.
const Attributes BALBOA{{"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
                        {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::GoBackN"},
                        {"ns3::rdma::GoBackN::Timeout", "625us"},
                        {"ns3::rdma::GoBackN::LateTimeout", "40ms"},
                        {"ns3::rdma::RdmaNic::RetryCount", "12"}};

/// StRoM: the same stack, at the clocks of its two versions (156.25 MHz: 6.4 ns; 322 MHz: 3.1 ns).
/// The paper does not print its limit of outstanding packets: BALBOA's is used.
const Attributes STROM_10G{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
    {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::GoBackN"},
    {"ns3::rdma::GoBackN::Timeout", "1ms"},
    {"ns3::rdma::GoBackN::LateTimeout", "64ms"},
    {"ns3::rdma::RdmaNic::RetryCount", "12"}};

const Attributes STROM_100G{
    {"ns3::rdma::RdmaNic::CongestionControl", "ns3::rdma::AckClockedCredits"},
    {"ns3::rdma::RdmaNic::LossRecovery", "ns3::rdma::GoBackN"},
    {"ns3::rdma::GoBackN::Timeout", "485us"},
    {"ns3::rdma::GoBackN::LateTimeout", "31ms"},
    {"ns3::rdma::RdmaNic::RetryCount", "12"}};

} // namespace

const std::vector<NicPreset>&
GetNicPresets()
{
    static const std::vector<NicPreset> PRESETS{
        {"connectx5", "go-back-N, DCQCN, lossless fabric", true, CONNECTX},
        {"connectx6", "go-back-N, DCQCN, lossless fabric", true, CONNECTX},
        {"irn", "selective repeat, BDP cap, DCQCN, lossy fabric", false, IRN},
        {"srnic", "selective repeat, DCTCP window, lossy fabric", false, SRNIC},
        {"balboa", "go-back-N, ACK-clocked credits, lossy fabric", false, BALBOA},
        {"strom10g", "go-back-N, outstanding limit, lossy fabric", false, STROM_10G},
        {"strom100g", "go-back-N, outstanding limit, lossy fabric", false, STROM_100G},
    };
    return PRESETS;
}

const NicPreset*
FindNicPreset(std::string_view name)
{
    for (const NicPreset& preset : GetNicPresets())
    {
        if (preset.name == name)
        {
            return &preset;
        }
    }
    return nullptr;
}

} // namespace ns3::rdma
