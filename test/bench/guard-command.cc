// SPDX-License-Identifier: GPL-2.0-only
#include "guard-command.h"

#include "guard-measurement.h"

#include <fstream>
#include <iostream>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

void
UpdateGuard(const GuardOptions& options)
{
    const HopCosts costs = CountHopCosts(options.isQuick, options.extraWork);
    // All pairs: the best of them are kept.
    const auto rates =
        MeasureGuardRates(options.isQuick, options.extraWork, [](const auto&) { return false; });
    const SpeedGuard guard(costs, rates.GetRatio(), GetOrigin());
    std::ofstream file(options.file);
    file << guard.Format();
    file.close();
    if (!file)
    {
        throw std::runtime_error(options.file + ": cannot be written");
    }
    std::cout << "speed guard: written: " << options.file << ": " << guard.Judge(costs, rates).line
              << std::endl;
}

} // namespace

int
RunGuard(const GuardOptions& options)
{
    if (options.isUpdate)
    {
        UpdateGuard(options);
        return 0;
    }
    const SpeedGuard guard = SpeedGuard::Read(options.file);
    const HopCosts costs = CountHopCosts(options.isQuick, options.extraWork);
    const auto rates =
        MeasureGuardRates(options.isQuick, options.extraWork, [&guard](const auto& sofar) {
            return guard.IsFastEnough(sofar);
        });
    const SpeedGuard::Verdict verdict = guard.Judge(costs, rates);
    (verdict.isPassed ? std::cout : std::cerr) << verdict.line << std::endl;
    return verdict.isPassed ? 0 : 1;
}

} // namespace ns3::rdma
