// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bitmap-onloading.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3::rdma
{

BitmapOnloading::BitmapOnloading(Psn expected)
    : m_expected(expected),
      m_softwareExpected(expected)
{
}

bool
BitmapOnloading::OnOutOfOrder(Psn psn)
{
    if (psn.IsBefore(m_expected))
    {
        return false; // A duplicate.
    }
    if (!m_isRecovering)
    {
        m_isRecovering = true;
        m_newest = {psn, psn + 1};
    }
    else if (psn == m_newest.end)
    {
        m_newest.end = psn + 1;
    }
    else if (m_newest.end.IsBefore(psn))
    {
        m_newest = {psn, psn + 1};
    }
    Send();
    return true;
}

void
BitmapOnloading::Send()
{
    constexpr std::size_t SMALLEST{16};
    if (m_onTheWay.full())
    {
        m_onTheWay.set_capacity(std::max(SMALLEST, m_onTheWay.capacity() * 2));
    }
    m_onTheWay.push_back(m_expected);
}

std::optional<Psn>
BitmapOnloading::OnMetadata(Psn psn)
{
    NS_ASSERT_MSG(!m_onTheWay.empty(), "Metadata of a packet that the NIC has not sent");
    const Psn known = m_onTheWay.front(); // Includes progress that the NIC made without software.
    m_onTheWay.pop_front();
    const Psn before = m_softwareExpected;
    if (m_softwareExpected.IsBefore(known))
    {
        m_received.Unmark(m_softwareExpected, known);
        m_softwareExpected = known;
    }
    if (psn == m_softwareExpected)
    {
        m_softwareExpected = psn + 1;
    }
    else if (m_softwareExpected.IsBefore(psn))
    {
        m_received.Mark(m_softwareExpected, psn);
    }
    TakeMarked();
    const bool isNew = before.IsBefore(m_softwareExpected) && known.IsBefore(m_softwareExpected);
    return isNew ? std::optional(m_softwareExpected) : std::nullopt;
}

void
BitmapOnloading::TakeMarked()
{
    Psn end = m_softwareExpected;
    while (m_received.IsMarked(end))
    {
        end = end + 1;
    }
    m_received.Unmark(m_softwareExpected, end);
    m_softwareExpected = end;
}

bool
BitmapOnloading::OnUpdate(Psn expected)
{
    if (!m_isRecovering || !m_expected.IsBefore(expected))
    {
        return false;
    }
    m_expected = expected;
    if (expected.IsBefore(m_newest.first) || m_newest.end.IsBefore(expected))
    {
        return false;
    }
    m_expected = m_newest.end;
    m_isRecovering = false;
    return true;
}

} // namespace ns3::rdma
