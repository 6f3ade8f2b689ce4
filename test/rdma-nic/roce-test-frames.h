// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROCE_TEST_FRAMES_H
#define RDMA_ROCE_TEST_FRAMES_H

#include "ns3/frame.h"
#include "ns3/opcode.h"
#include "ns3/payload-cargo.h"
#include "ns3/roce-codec.h"

#include <memory>
#include <random>
#include <vector>

namespace ns3::rdma
{

/// @return all opcodes of RC, UC and UD, and the CNP.
inline std::vector<uint8_t>
GetSpecifiedOpcodes()
{
    std::vector<uint8_t> codes;
    for (uint8_t operation = 0; operation <= opcode::FETCH_ADD; ++operation)
    {
        codes.push_back(operation);
        if (operation <= opcode::WRITE_ONLY_IMM)
        {
            codes.push_back(opcode::Make(Service::UC, operation));
        }
    }
    codes.push_back(opcode::Make(Service::UD, opcode::SEND_ONLY));
    codes.push_back(opcode::Make(Service::UD, opcode::SEND_ONLY_IMM));
    codes.push_back(opcode::CNP);
    return codes;
}

/// @return whether packets of an opcode have payload.
inline bool
HasPayload(uint8_t code)
{
    const OpcodeKind kind = opcode::GetKind(code);
    return kind == OpcodeKind::SEND || kind == OpcodeKind::WRITE ||
           kind == OpcodeKind::READ_RESPONSE;
}

/// A frame with all that hangs on it.
struct FullFrame
{
    Frame frame{};
    FrameDetail detail{};
    PayloadCargo cargo;

    const FrameDetail* GetDetail()
    {
        detail.cargo = &cargo;
        return &detail;
    }
};

/// Makes frames whose fields are random and nowhere zero by design.
class RandomFrames
{
  public:
    explicit RandomFrames(uint32_t seed)
        : m_random(seed)
    {
    }

    std::unique_ptr<FullFrame> Make(const RoceCodec& codec, uint8_t code, uint16_t payloadBytes)
    {
        auto full = std::make_unique<FullFrame>();
        Frame& frame = full->frame;
        frame.next = NO_FRAME;
        frame.src = Get(20);
        frame.dst = Get(20);
        frame.entropy = Get(32);
        frame.priority = static_cast<uint8_t>(Get(3));
        frame.flags = MakeFlags();
        frame.sendTime = Get(31);
        const bool isAnswer = !opcode::IsRequest(code);
        if (isAnswer)
        {
            frame.ack = {Get(24), Get(24)};
        }
        else
        {
            frame.remoteAddress = uint64_t{Get(32)} << 32 | Get(32);
        }
        frame.srcQp = Get(24);
        frame.dstQp = Get(24);
        frame.psn = Get(24);
        frame.messageBytes = Get(32);
        frame.ssn = Get(24);
        frame.echoedEntropy = Get(32);
        frame.payloadBytes = payloadBytes;
        frame.opcode = code;
        frame.syndrome = static_cast<uint8_t>(Get(8));
        frame.wireBytes = codec.GetPayloadOffset(code) + (payloadBytes + 3) / 4 * 4 + 4;
        full->detail = {uint64_t{Get(32)} << 32 | Get(32),
                        uint64_t{Get(32)} << 32 | Get(32),
                        Get(32),
                        Get(32),
                        Get(32),
                        Get(1) != 0,
                        false,
                        nullptr,
                        nullptr,
                        0};
        for (uint16_t i = 0; i < payloadBytes; ++i)
        {
            full->cargo.bytes.push_back(static_cast<uint8_t>(Get(8)));
        }
        return full;
    }

  private:
    uint32_t Get(uint32_t bits)
    {
        return static_cast<uint32_t>(m_random() >> (32 - bits));
    }

    uint16_t MakeFlags()
    {
        const uint16_t flags = ChangeFlags(static_cast<uint16_t>(Get(10)),
                                           frame_flag::DETAILED | frame_flag::MAC_CONTROL,
                                           false);
        // A switch marks only what is ECN-capable.
        return flags & frame_flag::CE ? ChangeFlags(flags, frame_flag::ECN_CAPABLE, true) : flags;
    }

    std::mt19937 m_random;
};

} // namespace ns3::rdma

#endif // RDMA_ROCE_TEST_FRAMES_H
