// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/int-header.h"

#include "ns3/opcode.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

namespace
{
/// By their code in the header, Gb/s: HPCC's five, two of ours, and 0 for all others.
constexpr std::array<uint64_t, 8> RATES_GBPS{25, 50, 100, 200, 400, 10, 40, 0};
constexpr uint64_t GBPS{1'000'000'000};
constexpr Tick PS_PER_NS{1000};
constexpr uint32_t SENT_UNIT{128};
constexpr uint32_t QUEUE_UNIT{80};

constexpr uint32_t QUEUE_BITS{17};
constexpr uint32_t SENT_BITS{20};
constexpr uint32_t TIME_BITS{24};
constexpr uint32_t COUNT_SHIFT{12};

constexpr uint64_t
GetMask(uint32_t bits)
{
    return (uint64_t{1} << bits) - 1;
}

uint64_t
GetRateCode(uint64_t bitRate)
{
    const auto* const last = RATES_GBPS.end() - 1;
    const auto* const place = std::find(RATES_GBPS.begin(), last, bitRate / GBPS);
    return static_cast<uint64_t>((bitRate % GBPS == 0 ? place : last) - RATES_GBPS.begin());
}

uint64_t
Pack(const IntHop& hop)
{
    const uint64_t queue = std::min<uint64_t>(hop.queueBytes / QUEUE_UNIT, GetMask(QUEUE_BITS));
    const uint64_t sent = hop.sentBytes / SENT_UNIT & GetMask(SENT_BITS);
    const uint64_t time = static_cast<uint64_t>(hop.at / PS_PER_NS) & GetMask(TIME_BITS);
    return ((GetRateCode(hop.bitRate) << TIME_BITS | time) << SENT_BITS | sent) << QUEUE_BITS |
           queue;
}

IntHop
Unpack(uint64_t word)
{
    const auto take = [&word](uint32_t bits) {
        const uint64_t field = word & GetMask(bits);
        word >>= bits;
        return field;
    };
    IntHop hop{};
    hop.queueBytes = static_cast<uint32_t>(take(QUEUE_BITS)) * QUEUE_UNIT;
    hop.sentBytes = take(SENT_BITS) * SENT_UNIT;
    hop.at = static_cast<Tick>(take(TIME_BITS)) * PS_PER_NS;
    hop.bitRate = RATES_GBPS[word] * GBPS; // Three bits of the word are left.
    return hop;
}
} // namespace

bool
IntRules::IsCarriedBy(uint8_t code) const
{
    if (hops == 0 || opcode::GetService(code) != Service::RC)
    {
        return false;
    }
    switch (opcode::GetKind(code))
    {
    case OpcodeKind::SEND:
    case OpcodeKind::WRITE:
    case OpcodeKind::ACK:
        return true;
    case OpcodeKind::READ_RESPONSE:
    case OpcodeKind::READ_ACK:
        return onReads;
    default:
        return false;
    }
}

void
IntHeader::Write(uint8_t* header, const IntStack* path)
{
    const uint32_t count = path ? path->GetCount() : 0;
    boost::endian::store_big_u16(header, static_cast<uint16_t>(count << COUNT_SHIFT));
    for (uint32_t hop = 0; hop < count; ++hop)
    {
        boost::endian::store_big_u64(header + GetBytes(hop), Pack((*path)[hop]));
    }
}

std::vector<IntHop>
IntHeader::Read(const uint8_t* header, uint32_t room)
{
    const uint32_t count =
        std::min<uint32_t>(boost::endian::load_big_u16(header) >> COUNT_SHIFT, room);
    std::vector<IntHop> hops;
    for (uint32_t hop = 0; hop < count; ++hop)
    {
        hops.push_back(Unpack(boost::endian::load_big_u64(header + GetBytes(hop))));
    }
    return hops;
}

} // namespace ns3::rdma
