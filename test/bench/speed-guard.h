// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPEED_GUARD_H
#define RDMA_SPEED_GUARD_H

#include <array>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a packet-hop of the full model costs on a simulated processor.
struct HopCosts
{
    double instructions{0};
    double l1Misses{0}; ///< Of data, 32 KiB.
    double l2Misses{0}; ///< Of data, 1 MiB.
    double mispredictions{0};
};

/// Packet-hops per second of rounds in which both ran in turn; at least one of each.
struct GuardRates
{
    std::vector<double> model;
    std::vector<double> bare;

    /**
     * @return that of the best rounds of each, since what disturbs a round only slows: a ratio of
     * one round would rise when the bare loop is the one that is disturbed.
     */
    double GetRatio() const;
};

/**
 * @brief Says whether the model has become slow: compares what a packet-hop costs with what a file
 * keeps.
 *
 * Counts decide: instructions, cache misses and mispredicted branches on a simulated processor,
 * which no other program disturbs.  Each may grow by less than what would make the model 15 %
 * slower by itself.  Processor time, as a share of the bare loop's, has a wide limit: it is for
 * what the simulated processor does not know, say data that are no longer fetched ahead.
 */
class SpeedGuard
{
  public:
    /// So much of itself each count may grow by; at about three instructions per cycle, work of 15
    /// % of the time is at least 5 % of the instructions as long as it has one per cycle.
    static constexpr double INSTRUCTIONS_TOLERANCE{0.05};
    static constexpr double MISSES_TOLERANCE{0.08};

    /// The simulated predictor's table is indexed by addresses of branches: programs that run the
    /// same instructions differ by 10 % with where the linker puts them.  20 % of 4.3 branches at
    /// 18 cycles each are 6 % of a hop's 260 cycles.
    static constexpr double MISPREDICTIONS_TOLERANCE{0.20};

    /// So much of itself the ratio of rates may fall by.
    static constexpr double RATIO_TOLERANCE{0.35};

    /// What the guard says.
    struct Verdict
    {
        bool isPassed;
        std::string line; ///< For the user, without newline.
    };

    /// Where and how the file's numbers were measured.
    struct Origin
    {
        std::string date;
        std::string machine;
        std::string compiler;
    };

    SpeedGuard(const HopCosts& costs, double ratio, Origin origin);

    /// @throws InputError if the file is absent or not as Format() writes it
    static SpeedGuard Read(const std::string& path);

    /// @return the file's text.
    std::string Format() const;

    /// @return whether these rates are no reason to fail.
    bool IsFastEnough(const GuardRates& rates) const;

    Verdict Judge(const HopCosts& costs, const GuardRates& rates) const;

  private:
    HopCosts m_costs;
    double m_ratio;
    Origin m_origin;
};

} // namespace ns3::rdma

#endif // RDMA_SPEED_GUARD_H
