// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/queue-pair-attributes.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

using namespace ns3::rdma;

namespace
{

// IBTA Vol. 1, Figure 124: a row is where from, a column where to, both in this order.
const QpState STATES[] = {QpState::RESET,
                          QpState::INIT,
                          QpState::RTR,
                          QpState::RTS,
                          QpState::SQD,
                          QpState::SQE,
                          QpState::ERR};
const char* const STATE_NAMES[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
const char* const TRANSITIONS[] = {
    // RESET, INIT, RTR, RTS, SQD, SQE, ERR
    "++----+", // RESET
    "+++---+", // INIT
    "+--+--+", // RTR
    "+--++-+", // RTS
    "+--++-+", // SQD
    "+--+--+", // SQE
    "+-----+", // ERR
};

struct OperationCase
{
    WrOpcode opcode;
    const char* services; ///< RC, UC, UD.
};

// IBTA Vol. 1, Table 36.
const OperationCase OPERATION_CASES[] = {
    {WrOpcode::SEND, "+++"},
    {WrOpcode::SEND_WITH_IMM, "+++"},
    {WrOpcode::RDMA_WRITE, "++-"},
    {WrOpcode::RDMA_WRITE_WITH_IMM, "++-"},
    {WrOpcode::RDMA_READ, "+--"},
    {WrOpcode::ATOMIC_CMP_AND_SWP, "+--"},
    {WrOpcode::ATOMIC_FETCH_AND_ADD, "+--"},
    {WrOpcode::KERNEL, "+--"},
};

char
Mark(bool isAllowed)
{
    return isAllowed ? '+' : '-';
}

} // namespace

TEST(QueuePairAttributes, AllowTheTransitionsOfTheSpecification)
{
    for (std::size_t from = 0; from < std::size(STATES); ++from)
    {
        std::string row;
        for (const QpState to : STATES)
        {
            row += Mark(IsTransitionAllowed(STATES[from], to));
        }
        EXPECT_EQ(row, TRANSITIONS[from]) << "from " << STATE_NAMES[from];
    }
}

TEST(QueuePairAttributes, NameTheStates)
{
    for (std::size_t i = 0; i < std::size(STATES); ++i)
    {
        EXPECT_STREQ(GetQpStateName(STATES[i]), STATE_NAMES[i]);
    }
}

TEST(QueuePairAttributes, AllowTheOperationsOfEachService)
{
    for (const OperationCase& test : OPERATION_CASES)
    {
        std::string row;
        for (const Service service : {Service::RC, Service::UC, Service::UD})
        {
            row += Mark(IsOperationAllowed(service, test.opcode));
        }
        EXPECT_EQ(row, test.services) << "opcode " << static_cast<unsigned>(test.opcode);
    }
}

TEST(QueuePairInit, IsPlainIfOnlyTheServiceIsSaid)
{
    QueuePairInit init;
    init.service = Service::UC;
    EXPECT_TRUE(IsPlain(init));
    const std::function<void(QueuePairInit&)> changes[] = {
        [](QueuePairInit& one) { one.domain = ns3::Create<ProtectionDomain>(); },
        [](QueuePairInit& one) { one.sendCompletions = ns3::Create<CompletionQueue>(4); },
        [](QueuePairInit& one) { one.receiveCompletions = ns3::Create<CompletionQueue>(4); },
        [](QueuePairInit& one) { one.sharedReceiveQueue = ns3::Create<ReceiveQueue>(4, 1); },
        [](QueuePairInit& one) { one.isEverythingSignaled = true; },
        [](QueuePairInit& one) { one.capabilities.maxSendRequests = 1; },
        [](QueuePairInit& one) { one.capabilities.maxReceiveRequests = 1; },
        [](QueuePairInit& one) { one.capabilities.maxSendSge = 1; },
        [](QueuePairInit& one) { one.capabilities.maxReceiveSge = 1; },
        [](QueuePairInit& one) { one.capabilities.maxInlineBytes = 1; },
    };
    for (const auto& change : changes)
    {
        QueuePairInit changed;
        change(changed);
        EXPECT_FALSE(IsPlain(changed));
    }
}
