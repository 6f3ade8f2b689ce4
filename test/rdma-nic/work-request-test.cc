// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/work-request.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3::rdma;

namespace
{

struct OpcodeCase
{
    WrOpcode opcode;
    const char* properties; ///< Atomic, has a response, has immediate data, consumes a receive.
};

const OpcodeCase OPCODE_CASES[] = {
    {WrOpcode::RDMA_WRITE, "----"},
    {WrOpcode::RDMA_WRITE_WITH_IMM, "--++"},
    {WrOpcode::SEND, "---+"},
    {WrOpcode::SEND_WITH_IMM, "--++"},
    {WrOpcode::RDMA_READ, "-+--"},
    {WrOpcode::ATOMIC_CMP_AND_SWP, "++--"},
    {WrOpcode::ATOMIC_FETCH_AND_ADD, "++--"},
    {WrOpcode::KERNEL, "----"},
};

} // namespace

TEST(WorkRequest, NamesTheOpcodes)
{
    for (const OpcodeCase& test : OPCODE_CASES)
    {
        std::string properties;
        for (const bool has : {IsAtomic(test.opcode),
                               HasResponse(test.opcode),
                               HasImmediate(test.opcode),
                               ConsumesReceive(test.opcode)})
        {
            properties += has ? '+' : '-';
        }
        EXPECT_EQ(properties, test.properties) << static_cast<unsigned>(test.opcode);
    }
}

TEST(WorkRequest, SumsUpPiecesBeyond32Bits)
{
    EXPECT_EQ(GetTotalBytes({}), 0);
    // 2 x (2^32 - 1) + 3 = 2^33 + 1.
    EXPECT_EQ(GetTotalBytes({{0, 0xffffffff, 1}, {0, 0xffffffff, 1}, {0, 3, 1}}), 0x200000001);
}
