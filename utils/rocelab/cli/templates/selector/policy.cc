// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-selector.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

/// Entropy values in turn. A value whose packet was marked, trimmed or lost is replaced by a random
/// one.
class TemplateName : public EntropySelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::TemplateName")
                                .SetParent<EntropySelector>()
                                .AddConstructor<TemplateName>()
                                .AddAttribute("Values",
                                              "Entropy values of a queue pair",
                                              UintegerValue(16),
                                              MakeUintegerAccessor(&TemplateName::m_count),
                                              MakeUintegerChecker<uint32_t>(1, 65536));
        return tid;
    }

    Ptr<EntropySelector> Fork() const override
    {
        return CopyObject(Ptr<const TemplateName>(this)); // One object per queue pair.
    }

    void Start(const EntropyFacts& facts) override
    {
        m_random = facts.random; // Of this queue pair alone: the run is repeatable.
        m_values.clear();
        for (uint32_t i = 0; i < m_count; ++i)
        {
            m_values.push_back(m_random.Next32());
        }
    }

    uint32_t GetNext(uint64_t, Time) override
    {
        m_place = (m_place + 1) % m_count;
        return m_values[m_place];
    }

    void OnFeedback(uint32_t entropy, RouteSignal signal, Time) override
    {
        if (signal != RouteSignal::GOOD)
        {
            std::replace(m_values.begin(), m_values.end(), entropy, m_random.Next32());
        }
    }

  private:
    uint32_t m_count{0};
    RandomStream m_random;
    std::vector<uint32_t> m_values;
    uint32_t m_place{0}; ///< Of the value that was used last.
};

NS_OBJECT_ENSURE_REGISTERED(TemplateName);

} // namespace ns3::rdma
