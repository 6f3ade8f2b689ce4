// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/entropy-selector.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

/// An EntropySelector that uses consecutive values in turn.
class OwnEntropy : public EntropySelector
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::OwnEntropy")
                                .SetParent<EntropySelector>()
                                .AddConstructor<OwnEntropy>()
                                .AddAttribute("Paths",
                                              "Entropy values of a queue pair",
                                              UintegerValue(16),
                                              MakeUintegerAccessor(&OwnEntropy::m_paths),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    Ptr<EntropySelector> Fork() const override
    {
        return CopyObject(Ptr<const OwnEntropy>(this));
    }

    void Start(const EntropyFacts& facts) override
    {
        RandomStream random = facts.random;
        m_first = random.Next32();
    }

    uint32_t GetNext(uint64_t, Time) override
    {
        m_next = (m_next + 1) % m_paths;
        return m_first + m_next;
    }

  private:
    uint32_t m_paths{0};
    uint32_t m_first{0};
    uint32_t m_next{0};
};

NS_OBJECT_ENSURE_REGISTERED(OwnEntropy);

} // namespace ns3::rdma
