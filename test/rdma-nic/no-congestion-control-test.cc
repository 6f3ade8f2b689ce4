// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/no-congestion-control.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(NoCongestionControl, SendsAtLineRateWhateverHappens)
{
    const Ptr<CongestionControl> none = CreateObject<NoCongestionControl>()->Fork();
    none->Start({DataRate("25Gbps"), MicroSeconds(8), 1024}, Seconds(0));
    none->OnCnp(Seconds(1));
    none->OnAck({Seconds(1), MicroSeconds(8), 1024, 0, true});
    EXPECT_EQ(none->GetLimit().rate, DataRate("25Gbps"));
    EXPECT_EQ(none->GetLimit().windowBytes, UINT64_MAX);
    EXPECT_EQ(none->GetLimit().deadline, Time::Max());
    EXPECT_EQ(none->GetNeededFeedback(), Feedback::NONE);
}
