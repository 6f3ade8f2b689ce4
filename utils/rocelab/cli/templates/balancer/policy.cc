// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-port.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/// Each frame takes the shortest of a few queues that are drawn at random.
class TemplateName : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<TemplateName>()
                                .AddAttribute("Samples",
                                              "Random queues that each frame compares",
                                              UintegerValue(2),
                                              MakeUintegerAccessor(&TemplateName::m_samples),
                                              MakeUintegerChecker<uint32_t>(1, 64));
        return tid;
    }

    void Start(const SwitchView& view) override // One object per switch.
    {
        m_random = RandomStream(view.seed, 0);
    }

    uint32_t Choose(Frame&, const PortChoice& choice, Tick) override
    {
        uint32_t best = Draw(choice.count);
        for (uint32_t sample = 1; sample < m_samples; ++sample)
        {
            const uint32_t other = Draw(choice.count);
            if (choice.Get(other).GetTotalQueueBytes() < choice.Get(best).GetTotalQueueBytes())
            {
                best = other;
            }
        }
        return best;
    }

  private:
    /// @return a number below count.
    uint32_t Draw(uint32_t count)
    {
        return static_cast<uint32_t>((uint64_t{m_random.Next32()} * count) >> 32);
    }

    uint32_t m_samples{0};
    RandomStream m_random;
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
