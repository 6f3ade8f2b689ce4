// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-attributes.h"

namespace ns3::rdma
{

bool
IsTransitionAllowed(QpState from, QpState to)
{
    switch (to)
    {
    case QpState::RESET:
    case QpState::ERR:
        return true;
    case QpState::INIT:
        return from == QpState::RESET || from == QpState::INIT;
    case QpState::RTR:
        return from == QpState::INIT;
    case QpState::RTS:
        return from == QpState::RTR || from == QpState::RTS || from == QpState::SQD ||
               from == QpState::SQE;
    case QpState::SQD:
        return from == QpState::RTS || from == QpState::SQD;
    case QpState::SQE:
        return false;
    }
    return false;
}

const char*
GetQpStateName(QpState state)
{
    switch (state)
    {
    case QpState::RESET:
        return "RESET";
    case QpState::INIT:
        return "INIT";
    case QpState::RTR:
        return "RTR";
    case QpState::RTS:
        return "RTS";
    case QpState::SQD:
        return "SQD";
    case QpState::SQE:
        return "SQE";
    case QpState::ERR:
        return "ERR";
    }
    return "UNKNOWN";
}

bool
IsOperationAllowed(Service service, WrOpcode opcode)
{
    switch (opcode)
    {
    case WrOpcode::SEND:
    case WrOpcode::SEND_WITH_IMM:
        return true;
    case WrOpcode::RDMA_WRITE:
    case WrOpcode::RDMA_WRITE_WITH_IMM:
        return service != Service::UD;
    case WrOpcode::RDMA_READ:
    case WrOpcode::ATOMIC_CMP_AND_SWP:
    case WrOpcode::ATOMIC_FETCH_AND_ADD:
    case WrOpcode::KERNEL: // Other services have no RequestHandler that could execute it.
        return service == Service::RC;
    }
    return false;
}

bool
IsPlain(const QueuePairInit& init)
{
    const QueuePairCapabilities& has = init.capabilities;
    const QueuePairCapabilities usual;
    return !init.domain && !init.sendCompletions && !init.receiveCompletions &&
           !init.sharedReceiveQueue && !init.handlers && !init.isEverythingSignaled &&
           !init.hasOwnCosts && has.maxSendRequests == usual.maxSendRequests &&
           has.maxReceiveRequests == usual.maxReceiveRequests &&
           has.maxSendSge == usual.maxSendSge && has.maxReceiveSge == usual.maxReceiveSge &&
           has.maxInlineBytes == usual.maxInlineBytes;
}

} // namespace ns3::rdma
