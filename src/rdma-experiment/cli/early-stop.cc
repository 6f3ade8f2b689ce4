// SPDX-License-Identifier: GPL-2.0-only

#include "early-stop.h"

#include "ns3/exit-status.h"

#include <csignal>
#include <string_view>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

void
EndSilently(int)
{
    _exit(EXIT_INTERRUPTED);
}

/// Only what a signal handler may call.
void
End(int)
{
    constexpr std::string_view LINE{"rocelab: interrupted\n"};
    const auto ignored = write(STDERR_FILENO, LINE.data(), LINE.size());
    static_cast<void>(ignored);
    _exit(EXIT_INTERRUPTED);
}

} // namespace

void
StopAtOnceOnSignals(bool isSilent)
{
    struct sigaction action = {};
    action.sa_handler = isSilent ? EndSilently : End;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void
IgnoreTermination()
{
    signal(SIGTERM, SIG_IGN);
}

} // namespace ns3::rdma
