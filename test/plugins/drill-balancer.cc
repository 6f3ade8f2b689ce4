// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-port.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"
#include "ns3/uinteger.h"

#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * DRILL(d, m) of Ghorbani et al. 2017: each packet takes the shortest of d random queues and the m
 * queues that were the shortest for the packets before.
 */
class OwnDrill : public LoadBalancer
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::OwnDrill")
                .SetParent<LoadBalancer>()
                .AddConstructor<OwnDrill>()
                .AddAttribute("Samples",
                              "Random queues that each packet compares (d = 2: section 3.2)",
                              UintegerValue(2),
                              MakeUintegerAccessor(&OwnDrill::m_samples),
                              MakeUintegerChecker<uint32_t>(1, 64))
                .AddAttribute("Memory",
                              "Shortest queues that are remembered (m = 1: section 3.2)",
                              UintegerValue(1),
                              MakeUintegerAccessor(&OwnDrill::m_memory),
                              MakeUintegerChecker<uint32_t>(0, 64));
        return tid;
    }

    void Start(const SwitchView& view) override
    {
        m_random = RandomStream(view.seed, 0);
    }

    void OnRoutes(const SwitchView&) override
    {
        m_shortest.clear(); // Numbers of candidates mean other ports now.
    }

    uint32_t Choose(Frame&, const PortChoice& choice, Tick) override
    {
        std::vector<uint32_t>& remembered = m_shortest[choice.ports];
        uint32_t best = Draw(choice.count);
        for (uint32_t sample = 1; sample < m_samples; ++sample)
        {
            best = GetShorter(choice, best, Draw(choice.count));
        }
        for (const uint32_t candidate : remembered)
        {
            best = GetShorter(choice, best, candidate);
        }
        remembered.insert(remembered.begin(), best);
        remembered.resize(std::min<std::size_t>(remembered.size(), m_memory));
        return best;
    }

  private:
    uint32_t Draw(uint32_t count)
    {
        return static_cast<uint32_t>((uint64_t{m_random.Next32()} * count) >> 32);
    }

    static uint32_t GetShorter(const PortChoice& choice, uint32_t one, uint32_t other)
    {
        const bool isShorter =
            choice.Get(other).GetTotalQueueBytes() < choice.Get(one).GetTotalQueueBytes();
        return isShorter ? other : one;
    }

    uint32_t m_samples{0};
    uint32_t m_memory{0};
    RandomStream m_random;
    std::map<FabricPort* const*, std::vector<uint32_t>> m_shortest; ///< By group of equal ports.
};

NS_OBJECT_ENSURE_REGISTERED(OwnDrill);

} // namespace ns3::rdma
