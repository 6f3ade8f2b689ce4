// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/payload-cargo.h"

#include "ns3/frame-parcel.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(PayloadCargo, GoesToAnotherRankAndBack)
{
    FramePool here;
    FramePool there;
    ByteBuffer buffer;
    for (const std::vector<uint8_t>& bytes : {std::vector<uint8_t>{1, 2, 3}, {}})
    {
        const FrameIndex index = here.Allocate();
        here[index] = Frame{};
        here.SetCargo(index, std::make_unique<PayloadCargo>(bytes));
        PackFrame(here, {0, 0, index}, buffer);
    }
    ByteReader reader(buffer);
    for (const std::vector<uint8_t>& bytes : {std::vector<uint8_t>{1, 2, 3}, {}})
    {
        const Frame& frame = there[UnpackFrame(reader, there).frame];
        const auto* cargo = dynamic_cast<const PayloadCargo*>(there.FindDetail(frame)->cargo);
        ASSERT_NE(cargo, nullptr);
        EXPECT_EQ(cargo->bytes, bytes);
    }
    EXPECT_EQ(reader.GetLeft(), 0);
}
