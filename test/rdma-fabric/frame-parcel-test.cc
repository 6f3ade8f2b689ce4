// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-parcel.h"

#include "ns3/packet-cargo.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// A number that travels with a frame.
class NumberCargo : public FrameCargo
{
  public:
    static constexpr uint32_t KIND{1000};

    explicit NumberCargo(int number)
        : number(number)
    {
    }

    std::unique_ptr<FrameCargo> Clone() const override
    {
        return std::make_unique<NumberCargo>(number);
    }

    uint32_t GetKind() const override
    {
        return KIND;
    }

    void Pack(ByteBuffer& buffer) const override
    {
        buffer.Put(number);
    }

    int number;
};

/// Cargo that is not registered.
class HomelyCargo : public FrameCargo
{
  public:
    std::unique_ptr<FrameCargo> Clone() const override
    {
        return std::make_unique<HomelyCargo>();
    }
};

const bool IS_KNOWN = [] {
    RegisterCargo(NumberCargo::KIND, [](ByteReader& reader) -> std::unique_ptr<FrameCargo> {
        return std::make_unique<NumberCargo>(reader.Get<int>());
    });
    return true;
}();

class FrameParcel : public testing::Test
{
  protected:
    FrameIndex Allocate(uint32_t psn)
    {
        const FrameIndex index = m_here.Allocate();
        m_here[index] = Frame{};
        m_here[index].psn = psn;
        m_here[index].dst = 7;
        return index;
    }

    void Pack(FrameIndex index)
    {
        PackFrame(m_here, {1234 + index, 56 + index, index}, m_buffer);
    }

    FramePool m_here;
    FramePool m_there;
    ByteBuffer m_buffer;
};

} // namespace

TEST_F(FrameParcel, APlainFrameTakesItselfAndTwelveBytes)
{
    Pack(Allocate(99));
    EXPECT_EQ(m_buffer.GetSize(), 8 + 4 + 64); // Time, owner, frame.
    m_there.Allocate();                        // Another place than here.
    ByteReader reader(m_buffer);
    const FrameArrival arrival = UnpackFrame(reader, m_there);
    EXPECT_EQ(arrival.when, 1234);
    EXPECT_EQ(arrival.owner, 56);
    EXPECT_EQ(arrival.frame, 1);
    EXPECT_EQ(m_there[1].psn, 99);
    EXPECT_EQ(m_there[1].dst, 7);
    EXPECT_EQ(m_there.FindDetail(m_there[1]), nullptr);
    EXPECT_EQ(reader.GetLeft(), 0);
}

TEST_F(FrameParcel, DetailAndCargoComeAlong)
{
    const FrameIndex first = Allocate(1);
    FrameDetail& detail = m_here.AddDetail(first);
    detail.swapAdd = 11;
    detail.compare = 12;
    detail.remoteKey = 13;
    detail.immediate = 14;
    detail.queueKey = 15;
    detail.isSolicited = true;
    const FrameIndex second = Allocate(2);
    m_here.SetCargo(second, std::make_unique<NumberCargo>(42));
    const FrameIndex third = Allocate(3);
    for (const FrameIndex index : {first, second, third})
    {
        Pack(index);
        m_here.Free(index);
    }
    ByteReader reader(m_buffer);
    const Frame& one = m_there[UnpackFrame(reader, m_there).frame];
    const Frame& two = m_there[UnpackFrame(reader, m_there).frame];
    const Frame& three = m_there[UnpackFrame(reader, m_there).frame];
    EXPECT_EQ(reader.GetLeft(), 0);
    const FrameDetail* copy = m_there.FindDetail(one);
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->swapAdd, 11);
    EXPECT_EQ(copy->compare, 12);
    EXPECT_EQ(copy->remoteKey, 13);
    EXPECT_EQ(copy->immediate, 14);
    EXPECT_EQ(copy->queueKey, 15);
    EXPECT_TRUE(copy->isSolicited);
    EXPECT_EQ(copy->cargo, nullptr);
    EXPECT_EQ(dynamic_cast<NumberCargo&>(*m_there.FindDetail(two)->cargo).number, 42);
    EXPECT_EQ(m_there.FindDetail(three), nullptr);
    EXPECT_EQ(three.psn, 3);
}

TEST_F(FrameParcel, APacketOfNs3KeepsItsBytesAndAddresses)
{
    const uint8_t bytes[] = {1, 2, 3, 4, 5};
    auto cargo = std::make_unique<PacketCargo>();
    cargo->packet = Create<Packet>(bytes, sizeof bytes);
    cargo->protocol = 0x0800;
    cargo->source = Mac48Address("00:00:00:00:00:0a");
    cargo->destination = Mac48Address("00:00:00:00:00:0b");
    const FrameIndex index = Allocate(1);
    m_here.SetCargo(index, std::move(cargo));
    Pack(index);
    ByteReader reader(m_buffer);
    const Frame& frame = m_there[UnpackFrame(reader, m_there).frame];
    EXPECT_EQ(reader.GetLeft(), 0);
    const auto& copy = dynamic_cast<const PacketCargo&>(*m_there.FindDetail(frame)->cargo);
    uint8_t received[sizeof bytes] = {};
    ASSERT_EQ(copy.packet->GetSize(), sizeof bytes);
    copy.packet->CopyData(received, sizeof bytes);
    EXPECT_TRUE(std::equal(bytes, bytes + sizeof bytes, received));
    EXPECT_EQ(copy.protocol, 0x0800);
    EXPECT_EQ(copy.source, Mac48Address("00:00:00:00:00:0a"));
    EXPECT_EQ(copy.destination, Mac48Address("00:00:00:00:00:0b"));
}

using FrameParcelDeathTest = FrameParcel;

TEST_F(FrameParcelDeathTest, CargoThatCannotBePackedIsSaidAndNotLost)
{
    ASSERT_TRUE(IS_KNOWN);
    const FrameIndex index = Allocate(1);
    m_here.SetCargo(index, std::make_unique<HomelyCargo>());
    EXPECT_DEATH(Pack(index), "cannot go to another rank");
}
