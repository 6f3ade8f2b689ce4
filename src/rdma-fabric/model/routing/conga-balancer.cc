// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/conga-balancer.h"

#include "ns3/fabric-port.h"
#include "ns3/frame-pool.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <cstring>

namespace ns3::rdma
{

namespace
{
constexpr uint8_t FEEDS_BACK{0x80};  ///< Bit of CongaTag::fedStep.
constexpr uint8_t MAX_UPLINKS{0xff}; ///< Largest CongaTag::uplink.

/// The bytes of FrameDetail::routeTag.
struct CongaTag
{
    uint8_t uplink;    ///< Uplink of the source's leaf, from 1; 0: there is no tag.
    uint8_t step;      ///< Largest step on the path so far.
    uint8_t fedUplink; ///< Uplink of the destination's leaf, from 1.
    /// Largest step on that uplink's path, with FEEDS_BACK; otherwise there is no feedback.
    uint8_t fedStep;
};

CongaTag
ReadTag(uint32_t word)
{
    CongaTag tag;
    std::memcpy(&tag, &word, sizeof tag);
    return tag;
}

void
WriteTag(uint32_t& word, const CongaTag& tag)
{
    std::memcpy(&word, &tag, sizeof tag);
}
} // namespace

NS_OBJECT_ENSURE_REGISTERED(CongaBalancer);

TypeId
CongaBalancer::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<CongaBalancer, LoadBalancer>("ns3::rdma::CongaBalancer", "RdmaFabric")
            .Add("Interval",
                 Member(&CongaBalancer::m_interval, MicroSeconds(40), 1000, 1'000'000'000'000),
                 "Time between two decrements of a port's rate register; Interval over Gain is its "
                 "time "
                 "constant (40 us: with Gain the 160 us of CONGA section 3.6)")
            .Add("Gain",
                 Member(&CongaBalancer::m_gain, 0.25, 0.001, 0.999),
                 "Share of the register that a decrement removes (0.25: ours)")
            .Add("Bits",
                 Member(&CongaBalancer::m_bits, 3, 1, 7),
                 "Bits of a metric (3: CONGA section 3.6)")
            .Add("Timeout",
                 Member(&CongaBalancer::m_timeout, MicroSeconds(500), 1),
                 "Pause of a flow after which it may take another uplink (500 us: CONGA section "
                 "3.6)")
            .Add("Entries",
                 Member(&CongaBalancer::m_entries, 65536, 1, 1U << 20),
                 "Flowlets that a leaf distinguishes (65536: 64 K, CONGA section 3.4)")
            .Add("Aging",
                 Member(&CongaBalancer::m_aging, MilliSeconds(10), 1),
                 "Time without feedback after which a path counts as unused (10 ms: CONGA section "
                 "3.3)");
    return tid;
}

void
CongaBalancer::Start(const SwitchView& view)
{
    m_view = view;
    m_isLeaf = view.HasServers();
    m_hash.seed = static_cast<uint32_t>(view.seed ^ (view.seed >> 32));
    m_random = RandomStream(view.seed, 0);
    m_filter = {ToTick(m_interval), m_gain};
    m_ports.clear();
    uint8_t uplinks = 0;
    for (const SwitchPortView& port : view.ports)
    {
        const double bytesPerInterval = static_cast<double>(port.port->GetRate().GetBitRate()) *
                                        static_cast<double>(m_filter.interval) / BIT_PS_PER_BYTE;
        uplinks += !port.leadsToServer && uplinks < MAX_UPLINKS;
        m_ports.push_back({RateEstimator(), bytesPerInterval / m_gain, uplinks});
    }
    OnRoutes(view);
    if (m_isLeaf)
    {
        m_flowlets.Start(m_entries, ToTick(m_timeout));
    }
}

void
CongaBalancer::OnRoutes(const SwitchView& view)
{
    m_leaves.assign(m_isLeaf ? view.routes->tables.size() : 0, Leaf());
}

CongaBalancer::Leaf&
CongaBalancer::GetLeaf(uint32_t endpoint)
{
    Leaf& leaf = m_leaves[m_view.routes->attachments[endpoint].switchNumber];
    leaf.to.resize(m_ports.size() + 1); // At least the number of uplinks, which count from 1.
    return leaf;
}

uint32_t
CongaBalancer::Choose(Frame& frame, const PortChoice& choice, Tick now)
{
    if (!m_isLeaf)
    {
        return m_hash.Choose(frame.entropy, choice.count);
    }
    return m_flowlets.Choose(frame, choice.count, now, [&](uint32_t last) {
        return FindBest(GetLeaf(frame.dst), choice, last, now);
    });
}

uint8_t
CongaBalancer::GetStep(const FabricPort& port, Tick now)
{
    Port& own = m_ports[port.GetNumber()];
    const uint32_t steps = 1U << m_bits;
    const double share = own.used.Get(m_filter, now) / own.fullBytes;
    return static_cast<uint8_t>(std::min(static_cast<uint32_t>(share * steps), steps - 1));
}

uint8_t
CongaBalancer::GetPathStep(const Leaf& leaf, const FabricPort& uplink, Tick now)
{
    const Metric& metric = leaf.to[m_ports[uplink.GetNumber()].uplink];
    return std::max(GetStep(uplink, now), IsFresh(metric, now) ? metric.step : uint8_t{0});
}

bool
CongaBalancer::IsFresh(const Metric& metric, Tick now) const
{
    return metric.isKnown && now - metric.updatedAt < ToTick(m_aging);
}

uint32_t
CongaBalancer::FindBest(const Leaf& leaf, const PortChoice& choice, uint32_t last, Tick now)
{
    uint8_t least = 0xff;
    uint32_t best = 0;
    uint32_t equal = 0;
    for (uint32_t candidate = 0; candidate < choice.count; ++candidate)
    {
        const uint8_t step = GetPathStep(leaf, choice.Get(candidate), now);
        equal = step < least ? 1 : equal + (step == least);
        // The k-th of several equal uplinks replaces the earlier choice with probability 1/k, so
        // that all are equally likely.
        if (step < least || (step == least && m_random.NextBelow(equal) == 0))
        {
            best = candidate;
        }
        least = std::min(least, step);
    }
    // A flow moves only to a better uplink. For its first flowlet, last is out of range.
    const bool hasLast = last < choice.count && GetPathStep(leaf, choice.Get(last), now) == least;
    return hasLast ? last : best;
}

bool
CongaBalancer::NeedsOnForward() const
{
    return true;
}

void
CongaBalancer::OnForward(Frame& frame, const FabricPort& egress, Tick now)
{
    const bool isFromServer = m_view.ports[frame.ingressPort].leadsToServer;
    const bool isToServer = m_view.ports[egress.GetNumber()].leadsToServer;
    if (!isToServer)
    {
        m_ports[egress.GetNumber()].used.Add(frame.wireBytes, m_filter, now);
    }
    if (isFromServer && !isToServer)
    {
        Tag(frame, egress, now);
    }
    else if (!isFromServer && isToServer)
    {
        Learn(frame, now);
    }
    else if (!isFromServer)
    {
        uint32_t& word = m_view.frames->GetRouteTag(frame);
        CongaTag tag = ReadTag(word);
        tag.step = std::max(tag.step, GetStep(egress, now));
        WriteTag(word, tag);
    }
}

std::optional<uint32_t>
CongaBalancer::FindFeedback(const Leaf& leaf, Tick now) const
{
    std::optional<uint32_t> known;
    for (uint32_t step = 0; step < leaf.from.size(); ++step)
    {
        const uint32_t place = (leaf.nextFeedback + step) % leaf.from.size();
        if (leaf.from[place].hasChanged)
        {
            return place;
        }
        if (!known && IsFresh(leaf.from[place], now))
        {
            known = place;
        }
    }
    return known;
}

void
CongaBalancer::Tag(Frame& frame, const FabricPort& uplink, Tick now)
{
    Leaf& leaf = GetLeaf(frame.dst);
    CongaTag tag{m_ports[uplink.GetNumber()].uplink, GetStep(uplink, now), 0, 0};
    if (const std::optional<uint32_t> fed = FindFeedback(leaf, now))
    {
        tag.fedUplink = static_cast<uint8_t>(*fed);
        tag.fedStep = static_cast<uint8_t>(leaf.from[*fed].step | FEEDS_BACK);
        leaf.from[*fed].hasChanged = false;
        leaf.nextFeedback = *fed + 1;
    }
    WriteTag(m_view.frames->GetRouteTag(frame), tag);
}

void
CongaBalancer::Learn(Frame& frame, Tick now)
{
    uint32_t& word = m_view.frames->GetRouteTag(frame);
    const CongaTag tag = ReadTag(word);
    word = 0;
    Leaf& leaf = GetLeaf(frame.src);
    if (leaf.from.size() <= tag.uplink)
    {
        leaf.from.resize(tag.uplink + 1U);
    }
    Metric& met = leaf.from[tag.uplink];
    met.hasChanged |= !met.isKnown || met.step != tag.step;
    met = {now, tag.step, true, met.hasChanged};
    if ((tag.fedStep & FEEDS_BACK) && tag.fedUplink < leaf.to.size())
    {
        leaf.to[tag.fedUplink] = {now,
                                  static_cast<uint8_t>(tag.fedStep & ~FEEDS_BACK),
                                  true,
                                  false};
    }
}

} // namespace ns3::rdma
