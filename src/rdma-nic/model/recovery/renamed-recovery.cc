// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/renamed-names.h"

namespace ns3::rdma
{

namespace
{

/// Former names; LossDetector and RetransmissionTimeout are selected separately.
[[maybe_unused]] const bool ARE_RENAMED = RegisterRenamed({
    {"lossRecovery", "lossDetector, and retransmissionTimeout for how long to wait"},
    {"ns3::rdma::LossRecovery", "ns3::rdma::LossDetector"},
    {"ns3::rdma::RdmaNic::LossRecovery",
     "ns3::rdma::RdmaNic::LossDetector, and ns3::rdma::RdmaNic::RetransmissionTimeout for how long "
     "to wait"},
    {"ns3::rdma::GoBackN::Timeout", "ns3::rdma::FixedTimeout::Timeout"},
    {"ns3::rdma::GoBackN::LateTimeout", "ns3::rdma::FixedTimeout::LateTimeout"},
    {"ns3::rdma::GoBackN::FirstRetries", "ns3::rdma::FixedTimeout::FirstRetries"},
    {"ns3::rdma::GoBackN::MaxQueuePairs", "ns3::rdma::RdmaNic::MaxQueuePairs"},
    {"ns3::rdma::SelectiveRepeat::RtoLow", "ns3::rdma::BackoffTimeout::RtoLow"},
    {"ns3::rdma::SelectiveRepeat::RtoHigh", "ns3::rdma::BackoffTimeout::RtoHigh"},
    {"ns3::rdma::SelectiveRepeat::FewPackets", "ns3::rdma::BackoffTimeout::FewPackets"},
    {"ns3::rdma::SelectiveRepeat::MaxBackoff", "ns3::rdma::BackoffTimeout::MaxBackoff"},
    {"ns3::rdma::AdaptiveGoBackN", "ns3::rdma::AdaptiveTimeout"},
    {"ns3::rdma::RttSelectiveRepeat", "ns3::rdma::RttTimeout"},
});

} // namespace

} // namespace ns3::rdma
