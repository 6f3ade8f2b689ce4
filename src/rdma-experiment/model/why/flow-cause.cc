// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-cause.h"

#include <array>

namespace ns3::rdma
{

namespace
{
constexpr const char* SENDER{"waiting at the sender"};
constexpr const char* WAY{"on the way"};
constexpr const char* LOSS{"retransmission"};
constexpr const char* HARDWARE{"hardware"};

constexpr std::array<FlowCauseInfo, FLOW_CAUSES> INFOS{{
    {"fluid", SENDER, "fluid start"},
    {"window", SENDER, "window"},
    {"credit", SENDER, "credit of the receiver"},
    {"rate", SENDER, "rate"},
    {"scheduler", SENDER, "scheduler"},
    {"sender_pfc", SENDER, "PFC at the NIC's port"},
    {"queue_pair", SENDER, "other messages of the queue pair"},
    {"not_ready", SENDER, "receiver not ready"},
    {"serialization", WAY, "serialization"},
    {"propagation", WAY, "propagation"},
    {"queueing", WAY, "queueing"},
    {"pfc", WAY, "PFC"},
    {"timeout", LOSS, "until the timeout"},
    {"nak", LOSS, "until the loss was reported"},
    {"resent", LOSS, "serialization of packets sent again"},
    {"trimmed", LOSS, "serialization of packets sent again after a trim"},
    {"recovery", LOSS, "until the answer of a packet sent again"},
    {"post", HARDWARE, "post and doorbell"},
    {"context", HARDWARE, "context fetch"},
    {"requests", HARDWARE, "work request fetch"},
    {"payload", HARDWARE, "payload fetch"},
    {"transmit", HARDWARE, "transmit pipeline"},
    {"chip", HARDWARE, "turn, room on the chip"},
    {"receive_context", HARDWARE, "context fetch for an arriving frame"},
    {"receive", HARDWARE, "receive pipeline"},
    {"answer", HARDWARE, "acknowledgment to the port"},
    {"slow_path", HARDWARE, "slow path of an answer"},
    {"completion", HARDWARE, "completion"},
}};
} // namespace

const FlowCauseInfo&
GetInfo(FlowCause cause)
{
    return INFOS[static_cast<std::size_t>(cause)];
}

} // namespace ns3::rdma
