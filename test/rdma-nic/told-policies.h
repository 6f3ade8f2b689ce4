// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOLD_POLICIES_H
#define RDMA_TOLD_POLICIES_H

#include "ns3/congestion-control.h"
#include "ns3/int-stack.h"

#include <vector>

namespace ns3::rdma
{

/// Notes what a congestion control with INT is told in a network; sends at line rate.
class ToldControl : public CongestionControl
{
  public:
    /// One acknowledgment, its path copied.
    struct Told
    {
        AckEvent ack;
        std::vector<IntHop> path;
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::ToldControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<ToldControl>();
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const ToldControl>(this));
    }

    Feedback GetNeededFeedback() const override
    {
        return Feedback::INT;
    }

    bool UsesOwnPath() const override
    {
        return true;
    }

    void Start(const PathInfo& path, Time) override
    {
        started = path;
    }

    void OnAck(const AckEvent& ack) override
    {
        told.push_back({ack, {}});
        told.back().ack.path = nullptr;
        if (ack.path)
        {
            told.back().path.assign(ack.path->begin(), ack.path->end());
        }
    }

    SendLimit GetLimit() const override
    {
        return {};
    }

    PathInfo started{};
    std::vector<Told> told;
};

} // namespace ns3::rdma

#endif // RDMA_TOLD_POLICIES_H
