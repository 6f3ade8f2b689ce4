// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/resend-queue.h"

#include "ns3/policy-error.h"

#include <string>

namespace ns3::rdma
{

namespace
{

[[noreturn, gnu::cold]] void
FailResend(const LossRecovery& recovery,
           const char* call,
           const NumberWindow& window,
           const PsnRange& range)
{
    const auto describe = [](Psn first, Psn end) {
        return std::to_string(first.Get()) + " up to, not including, " + std::to_string(end.Get());
    };
    FailPolicy(recovery,
               call,
               "packets of the window, PSN " + describe(Psn(window.first), Psn(window.end)),
               describe(range.first, range.end));
}

} // namespace

uint64_t
ResendQueue::Apply(const LossRecovery& recovery,
                   const char* call,
                   const ResendList& answer,
                   const NumberWindow& window,
                   const SendQueue& queue)
{
    uint64_t bytes = 0;
    for (const PsnRange& range : answer)
    {
        const uint64_t first = range.first.Expand(window.first);
        const uint64_t end = range.end.Expand(window.first);
        if (first < window.first || end < first || end > window.end)
        {
            FailResend(recovery, call, window, range);
        }
        Add(first, end);
        bytes += queue.GetBytesBefore(end) - queue.GetBytesBefore(first);
    }
    return bytes;
}

} // namespace ns3::rdma
