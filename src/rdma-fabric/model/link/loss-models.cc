// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-models.h"

#include "ns3/exact-quantity.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(UniformLoss);

TypeId
UniformLoss::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<UniformLoss, LossModel>("ns3::rdma::UniformLoss", "RdmaFabric")
            .Add("LossRate",
                 Member(&UniformLoss::m_rate, 0, 0, 1),
                 "Probability that a frame is lost");
    return tid;
}

bool
UniformLoss::IsLost(const Frame&)
{
    return m_random.NextDouble() < m_rate;
}

NS_OBJECT_ENSURE_REGISTERED(GilbertElliottLoss);

TypeId
GilbertElliottLoss::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<GilbertElliottLoss, LossModel>("ns3::rdma::GilbertElliottLoss",
                                                          "RdmaFabric")
            .Add("ToBad",
                 Member(&GilbertElliottLoss::m_toBad, 0, 0, 1),
                 "Probability per frame of a change from the good state to the bad one")
            .Add("ToGood",
                 Member(&GilbertElliottLoss::m_toGood, 1, 0, 1),
                 "Probability per frame of a change from the bad state to the good one")
            .Add("LossGood",
                 Member(&GilbertElliottLoss::m_lossGood, 0, 0, 1),
                 "Probability that a frame is lost in the good state (0: Gilbert's model)")
            .Add("LossBad",
                 Member(&GilbertElliottLoss::m_lossBad, 1, 0, 1),
                 "Probability that a frame is lost in the bad state");
    return tid;
}

bool
GilbertElliottLoss::IsLost(const Frame&)
{
    const bool isLost = m_random.NextDouble() < (m_isBad ? m_lossBad : m_lossGood);
    if (m_random.NextDouble() < (m_isBad ? m_toGood : m_toBad))
    {
        m_isBad = !m_isBad;
    }
    return isLost;
}

NS_OBJECT_ENSURE_REGISTERED(ScriptedLoss);

TypeId
ScriptedLoss::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<ScriptedLoss, LossModel>("ns3::rdma::ScriptedLoss", "RdmaFabric")
            .Add("Frames",
                 Property(&ScriptedLoss::SetFrames, &ScriptedLoss::GetFrames, ""),
                 "Numbers of the frames lost, from 0, and ranges of them, such as 0,5,7-9");
    return tid;
}

void
ScriptedLoss::SetScript(std::function<bool(const Frame&, uint64_t)> script)
{
    m_script = std::move(script);
}

void
ScriptedLoss::SetFrames(std::string frames)
{
    m_ranges.clear();
    std::istringstream words(frames);
    std::string word;
    while (std::getline(words, word, ','))
    {
        const auto dash = word.find('-');
        const auto first = ParseExactDecimal(word.substr(0, dash), 1, SmallDecimals::REFUSE);
        const auto last = dash == std::string::npos
                              ? first
                              : ParseExactDecimal(word.substr(dash + 1), 1, SmallDecimals::REFUSE);
        if (!first || !last || *last < *first)
        {
            throw std::invalid_argument(
                "ns3::rdma::ScriptedLoss::Frames: expected numbers and ranges such as "
                "0,5,7-9, got \"" +
                frames + '"');
        }
        m_ranges.emplace_back(*first, *last);
    }
    m_frames = std::move(frames);
}

std::string
ScriptedLoss::GetFrames() const
{
    return m_frames;
}

bool
ScriptedLoss::IsLost(const Frame& frame)
{
    if (!m_script && m_ranges.empty())
    {
        return false; // Frames are counted only after a list or a script is set.
    }
    const uint64_t number = m_count++;
    if (m_script)
    {
        return m_script(frame, number);
    }
    return std::any_of(m_ranges.begin(), m_ranges.end(), [number](const auto& range) {
        return range.first <= number && number <= range.second;
    });
}

std::string
ScriptedLoss::FindUnused() const
{
    for (const auto& range : m_ranges)
    {
        if (range.second >= m_count)
        {
            return "ns3::rdma::ScriptedLoss::Frames: frame " +
                   std::to_string(std::max(range.first, m_count)) + " never came, " +
                   std::to_string(m_count) + " frames were sent";
        }
    }
    return {};
}

} // namespace ns3::rdma
