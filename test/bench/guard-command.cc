// SPDX-License-Identifier: GPL-2.0-only
#include "guard-command.h"

#include "guard-counts.h"
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
    const GuardCosts costs = CountCosts(options.isQuick, options.extraWork);
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
    std::cout << "speed guard: written: " << options.file << '\n'
              << guard.Describe(costs, rates) << std::endl;
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
    const GuardCosts costs = CountCosts(options.isQuick, options.extraWork);
    const auto rates =
        MeasureGuardRates(options.isQuick, options.extraWork, [&guard](const auto& sofar) {
            return guard.IsFastEnough(sofar);
        });
    const SpeedGuard::Verdict verdict = guard.Judge(costs, rates);
    (verdict.isPassed ? std::cout : std::cerr) << verdict.text << std::endl;
    return verdict.isPassed ? 0 : 1;
}

} // namespace ns3::rdma
