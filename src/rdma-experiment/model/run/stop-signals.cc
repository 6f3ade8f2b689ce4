// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stop-signals.h"

namespace ns3::rdma
{

namespace
{
volatile std::sig_atomic_t g_signalCount{0};

void
CountSignal(int)
{
    g_signalCount = g_signalCount + 1;
}
} // namespace

StopSignals::StopSignals()
{
    g_signalCount = 0;
    struct sigaction action = {};
    action.sa_handler = CountSignal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_oldInt);
    sigaction(SIGTERM, &action, &m_oldTerm);
}

StopSignals::~StopSignals()
{
    sigaction(SIGINT, &m_oldInt, nullptr);
    sigaction(SIGTERM, &m_oldTerm, nullptr);
}

int
StopSignals::GetCount()
{
    return g_signalCount;
}

void
StopSignals::SetCount(int count)
{
    g_signalCount = count;
}

} // namespace ns3::rdma
