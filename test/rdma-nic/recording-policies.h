// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECORDING_POLICIES_H
#define RDMA_RECORDING_POLICIES_H

#include "ns3/congestion-control.h"
#include "ns3/int-stack.h"

#include <vector>

namespace ns3::rdma
{

/// Records the acknowledgments of a congestion control with INT; sends at line rate.
class RecordingControl : public CongestionControl
{
  public:
    /// One acknowledgment, its path copied.
    struct RecordedAck
    {
        AckEvent ack;
        std::vector<IntHop> path;
    };

    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RecordingControl")
                                .SetParent<CongestionControl>()
                                .AddConstructor<RecordingControl>();
        return tid;
    }

    Ptr<CongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const RecordingControl>(this));
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
        acks.push_back({ack, {}});
        acks.back().ack.path = nullptr;
        if (ack.path)
        {
            acks.back().path.assign(ack.path->begin(), ack.path->end());
        }
    }

    SendLimit GetLimit() const override
    {
        return {};
    }

    PathInfo started{};
    std::vector<RecordedAck> acks;
};

} // namespace ns3::rdma

#endif // RDMA_RECORDING_POLICIES_H
