// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/parameter-sets.h"

namespace ns3::rdma
{

namespace
{

using Attributes = std::vector<std::pair<std::string, std::string>>;

/**
 * Zhu et al. 2015 at 40 Gb/s: section 3.1 (rule, initial alpha, F, target), Table 14 (timers, byte
 * counter, g), CNPs at most every 50 us.  The paper does not give R_AI, R_HAI and the minimum rate:
 * the values are from its authors' simulator, bobzhuyb/ns3-rdma (mix/config.txt, QbbNetDevice).
 */
const Attributes ZHU2015{{"ns3::rdma::RdmaNic::CnpInterval", "50us"},
                         {"ns3::rdma::Dcqcn::AlphaRule", "ns3::rdma::PerCnpAlpha"},
                         {"ns3::rdma::Dcqcn::Gain", "0.00390625"},
                         {"ns3::rdma::Dcqcn::InitialAlpha", "1"},
                         {"ns3::rdma::Dcqcn::AlphaPeriod", "55us"},
                         {"ns3::rdma::Dcqcn::DecreasePeriod", "0us"},
                         {"ns3::rdma::Dcqcn::IncreasePeriod", "55us"},
                         {"ns3::rdma::Dcqcn::ByteCounter", "10000000"},
                         {"ns3::rdma::Dcqcn::FastRecoverySteps", "5"},
                         {"ns3::rdma::Dcqcn::AdditiveIncrease", "40Mbps"},
                         {"ns3::rdma::Dcqcn::HyperIncrease", "200Mbps"},
                         {"ns3::rdma::Dcqcn::ClampTargetRate", "true"},
                         {"ns3::rdma::Dcqcn::CnpsInAcks", "false"},
                         {"ns3::rdma::Dcqcn::CutsOnRetransmission", "false"},
                         {"ns3::rdma::Dcqcn::RestartsOnTimeout", "false"},
                         {"ns3::rdma::Dcqcn::ReleasesAtLineRate", "false"},
                         {"ns3::rdma::Dcqcn::MinimumRate", "100Mbps"}};

/**
 * NVIDIA's defaults, ConnectX-4 and later ("DCQCN Parameters", DOC-2790; DOCA, "DCQCN CC
 * Parameters"; mlxconfig on ConnectX-6): dce_tcp_g 1019 and initial_alpha_value 1023 of 1024,
 * dce_tcp_rtt 1, rate_reduce_monitor_period 4, rpg_time_reset 300, rpg_byte_reset 32767,
 * rpg_threshold 1, rpg_ai_rate 5, rpg_hai_rate 50, clamp_tgt_rate 0, clamp_tgt_rate_after_time_inc
 * 1, rpg_min_rate 1, min_time_between_cnps 4.  rpg_byte_reset is in bytes, according to its
 * description; docs/models/congestion-control.md has the arguments against that.
 */
const Attributes NVIDIA{{"ns3::rdma::RdmaNic::CnpInterval", "4us"},
                        {"ns3::rdma::Dcqcn::AlphaRule", "ns3::rdma::PeriodicAlpha"},
                        {"ns3::rdma::Dcqcn::Gain", "0.0048828125"},
                        {"ns3::rdma::Dcqcn::InitialAlpha", "0.9990234375"},
                        {"ns3::rdma::Dcqcn::AlphaPeriod", "1us"},
                        {"ns3::rdma::Dcqcn::DecreasePeriod", "4us"},
                        {"ns3::rdma::Dcqcn::IncreasePeriod", "300us"},
                        {"ns3::rdma::Dcqcn::ByteCounter", "32767"},
                        {"ns3::rdma::Dcqcn::FastRecoverySteps", "1"},
                        {"ns3::rdma::Dcqcn::AdditiveIncrease", "5Mbps"},
                        {"ns3::rdma::Dcqcn::HyperIncrease", "50Mbps"},
                        {"ns3::rdma::Dcqcn::ClampTargetRate", "false"},
                        {"ns3::rdma::Dcqcn::CnpsInAcks", "false"},
                        {"ns3::rdma::Dcqcn::CutsOnRetransmission", "false"},
                        {"ns3::rdma::Dcqcn::RestartsOnTimeout", "false"},
                        {"ns3::rdma::Dcqcn::ReleasesAtLineRate", "false"},
                        {"ns3::rdma::Dcqcn::MinimumRate", "1Mbps"}};

/**
 * HPCC's simulator, run.py --cc dcqcn at 100 Gb/s.  It has no byte counter, and each acknowledgment
 * of a marked packet is a CNP: this set sends a CNP frame for each, unpaced, as adapters do
 * (Dcqcn::CnpsInAcks selects the simulator's way).
 */
const Attributes HPCC{{"ns3::rdma::RdmaNic::CnpInterval", "0us"},
                      {"ns3::rdma::Dcqcn::AlphaRule", "ns3::rdma::PeriodicAlpha"},
                      {"ns3::rdma::Dcqcn::Gain", "0.00390625"},
                      {"ns3::rdma::Dcqcn::InitialAlpha", "1"},
                      {"ns3::rdma::Dcqcn::AlphaPeriod", "1us"},
                      {"ns3::rdma::Dcqcn::DecreasePeriod", "4us"},
                      {"ns3::rdma::Dcqcn::IncreasePeriod", "300us"},
                      {"ns3::rdma::Dcqcn::ByteCounter", "0"},
                      {"ns3::rdma::Dcqcn::FastRecoverySteps", "1"},
                      {"ns3::rdma::Dcqcn::AdditiveIncrease", "20Mbps"},
                      {"ns3::rdma::Dcqcn::HyperIncrease", "200Mbps"},
                      {"ns3::rdma::Dcqcn::ClampTargetRate", "false"},
                      {"ns3::rdma::Dcqcn::CnpsInAcks", "false"},
                      {"ns3::rdma::Dcqcn::CutsOnRetransmission", "false"},
                      {"ns3::rdma::Dcqcn::RestartsOnTimeout", "false"},
                      {"ns3::rdma::Dcqcn::ReleasesAtLineRate", "false"},
                      {"ns3::rdma::Dcqcn::MinimumRate", "1Gbps"}};

/**
 * HKUST-SING/srnic-simulation-public 9c1f6514, mix/config.txt: the same simulator with RP_TIMER
 * 900, RATE_AI 50, RATE_HAI 100, MIN_RATE 100.  The file itself selects DCTCP (CC_MODE 8); its
 * DCQCN lines equal those of HPCC's mix/config.txt.
 */
const Attributes SRNIC_AUTHORS{{"ns3::rdma::RdmaNic::CnpInterval", "0us"},
                               {"ns3::rdma::Dcqcn::AlphaRule", "ns3::rdma::PeriodicAlpha"},
                               {"ns3::rdma::Dcqcn::Gain", "0.00390625"},
                               {"ns3::rdma::Dcqcn::InitialAlpha", "1"},
                               {"ns3::rdma::Dcqcn::AlphaPeriod", "1us"},
                               {"ns3::rdma::Dcqcn::DecreasePeriod", "4us"},
                               {"ns3::rdma::Dcqcn::IncreasePeriod", "900us"},
                               {"ns3::rdma::Dcqcn::ByteCounter", "0"},
                               {"ns3::rdma::Dcqcn::FastRecoverySteps", "1"},
                               {"ns3::rdma::Dcqcn::AdditiveIncrease", "50Mbps"},
                               {"ns3::rdma::Dcqcn::HyperIncrease", "100Mbps"},
                               {"ns3::rdma::Dcqcn::ClampTargetRate", "false"},
                               {"ns3::rdma::Dcqcn::CnpsInAcks", "false"},
                               {"ns3::rdma::Dcqcn::CutsOnRetransmission", "false"},
                               {"ns3::rdma::Dcqcn::RestartsOnTimeout", "false"},
                               {"ns3::rdma::Dcqcn::ReleasesAtLineRate", "false"},
                               {"ns3::rdma::Dcqcn::MinimumRate", "100Mbps"}};

const std::string DCQCN{"ns3::rdma::Dcqcn"};
const std::string HPCC_MARKING{"400 to 1600 kB at 100 Gb/s in proportion to the rate, pmax 0.2"};

} // namespace

const std::vector<ParameterSet>&
GetParameterSets()
{
    static const std::vector<ParameterSet> SETS{
        {"zhu2015",
         "Zhu et al. 2015, at 40 Gb/s",
         DCQCN,
         "5 to 200 kB at 40 Gb/s, pmax 0.01",
         ZHU2015},
        {"nvidia", "NVIDIA's defaults, ConnectX-4 and later", DCQCN, "none", NVIDIA},
        {"hpcc", "HPCC's simulator, run.py at 100 Gb/s", DCQCN, HPCC_MARKING, HPCC},
        {"srnic-authors",
         "the file committed in the SRNIC authors' simulator",
         DCQCN,
         HPCC_MARKING,
         SRNIC_AUTHORS},
    };
    return SETS;
}

const ParameterSet*
FindParameterSet(std::string_view name)
{
    for (const ParameterSet& set : GetParameterSets())
    {
        if (set.name == name)
        {
            return &set;
        }
    }
    return nullptr;
}

} // namespace ns3::rdma
