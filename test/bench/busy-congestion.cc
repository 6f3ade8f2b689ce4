// SPDX-License-Identifier: GPL-2.0-only
#include "busy-congestion.h"

#include "ns3/uinteger.h"

#include <vector>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BusyDctcp);
NS_OBJECT_ENSURE_REGISTERED(BusyDcqcn);

namespace
{

constexpr size_t ARRAY_BYTES{size_t{1} << 26};
constexpr int TOP_BITS{64 - 26};

template <typename Base>
constexpr const char* TYPE_NAME{nullptr};
template <>
constexpr const char* TYPE_NAME<WindowDctcp>{"ns3::rdma::BusyDctcp"};
template <>
constexpr const char* TYPE_NAME<Dcqcn>{"ns3::rdma::BusyDcqcn"};

/// A step of Knuth's generator (MMIX), kept by the compiler although its result is unused.
void
Step(uint64_t& value)
{
    value = value * 6364136223846793005 + 1442695040888963407;
    asm volatile("" : "+r"(value));
}

/// @return memory with a page of its own for each part: unwritten pages would all be the same one.
const std::vector<char>&
GetArray()
{
    static const std::vector<char> array(ARRAY_BYTES, 1);
    return array;
}

} // namespace

template <typename Base>
TypeId
BusyCongestion<Base>::GetTypeId()
{
    static TypeId tid = TypeId(TYPE_NAME<Base>)
                            .template SetParent<Base>()
                            .template AddConstructor<BusyCongestion>()
                            .AddAttribute("Rounds",
                                          "Multiply-adds per acknowledgment",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BusyCongestion::m_rounds),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("FlowRounds",
                                          "Multiply-adds per queue pair",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BusyCongestion::m_flowRounds),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("Lines",
                                          "Reads of memory per acknowledgment",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&BusyCongestion::m_lines),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

template <typename Base>
Ptr<CongestionControl>
BusyCongestion<Base>::Fork() const
{
    return CopyObject(Ptr<const BusyCongestion>(this));
}

template <typename Base>
void
BusyCongestion<Base>::Compute(uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; ++i)
    {
        Step(m_value);
    }
}

template <typename Base>
void
BusyCongestion<Base>::Start(const PathInfo& path, Time now)
{
    Base::Start(path, now);
    Compute(m_flowRounds);
    if (m_lines > 0)
    {
        GetArray(); // At the start of the run, which does not count.
    }
}

template <typename Base>
void
BusyCongestion<Base>::OnAck(const AckEvent& ack)
{
    Compute(m_rounds);
    for (uint32_t i = 0; i < m_lines; ++i)
    {
        Step(m_value);
        m_value += GetArray()[m_value >> TOP_BITS];
    }
    Base::OnAck(ack);
}

template class BusyCongestion<WindowDctcp>;
template class BusyCongestion<Dcqcn>;

} // namespace ns3::rdma
