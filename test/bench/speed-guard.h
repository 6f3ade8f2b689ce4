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

/// Instructions per packet-hop of a design, with hardware on and off, in the same scenario.
struct HardwareCosts
{
    double on{0};
    double off{0}; ///< Printed only: a file does not keep it.
};

/// What the guard counts on a simulated processor.
struct GuardCosts
{
    HopCosts hop;
    double flowInstructions{0}; ///< Of a flow of one packet, without its packet-hops.
    HardwareCosts srnic;
    HardwareCosts connectx6;
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
 * @brief Fails if the model has become slow: compares the costs of a packet-hop and of a flow with
 * those in a file.
 *
 * Counts decide: instructions, cache misses and mispredicted branches on a simulated processor,
 * which no other program disturbs.  Each may grow by less than what would make the model 15 %
 * slower by itself.  Processor time, as a share of the bare loop's, has a wide limit: it is for
 * what the simulated processor does not know, say data that are no longer fetched ahead.
 */
class SpeedGuard
{
  public:
    /// Share of itself by which each count of instructions may grow.  Two runs of a program differ
    /// by less than one instruction in a million, so the bound needs no room for noise.  It leaves
    /// room for a few more instructions in a change that does something else.  The model makes two
    /// to three instructions per cycle: 3 % of the instructions take at most 9 % of the time if
    /// they make one per cycle.  For a flow and for hardware on the same holds, since the same
    /// processor counts the same kind of code.
    static constexpr double INSTRUCTIONS_TOLERANCE{0.03};

    /// If no count of misses grows by more, the time of the misses grows by no more either.
    static constexpr double MISSES_TOLERANCE{0.08};

    /// The simulated predictor's table is indexed by addresses of branches: programs that run the
    /// same instructions differ by 10 % with where the linker puts them.  20 % of 4.3 branches at
    /// 18 cycles each are 6 % of a hop's 260 cycles.
    static constexpr double MISPREDICTIONS_TOLERANCE{0.20};

    /// Share of itself by which the ratio of rates may fall: other guests of a host change it by
    /// this much.
    static constexpr double RATIO_TOLERANCE{0.35};

    /// The result of a comparison.
    struct Verdict
    {
        bool isPassed;
        std::string text; ///< One line with the reasons, then those of Describe().
    };

    /// Where and how the file's numbers were measured.
    struct Origin
    {
        std::string date;
        std::string machine;
        std::string compiler;
    };

    SpeedGuard(const GuardCosts& costs, double ratio, Origin origin);

    /// @throws InputError if the file is absent or not as Format() writes it
    static SpeedGuard Read(const std::string& path);

    /// @return the file's text.
    std::string Format() const;

    /// @return whether these rates are no reason to fail.
    bool IsFastEnough(const GuardRates& rates) const;

    Verdict Judge(const GuardCosts& costs, const GuardRates& rates) const;

    /// @return all numbers with their changes: one line for each kind of costs, without the last
    /// newline.
    std::string Describe(const GuardCosts& costs, const GuardRates& rates) const;

  private:
    GuardCosts m_costs; ///< Without hardware off.
    double m_ratio;
    Origin m_origin;
};

} // namespace ns3::rdma

#endif // RDMA_SPEED_GUARD_H
