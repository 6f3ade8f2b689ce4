// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPEED_GUARD_H
#define RDMA_SPEED_GUARD_H

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Packet-hops per second of rounds in which both ran in turn; at least one of each.
struct GuardRates
{
    std::vector<double> model;
    std::vector<double> bare;
};

/**
 * @brief Says whether the model has become slow: compares its rate, as a share of the bare loop's,
 * with the one that a file keeps.
 *
 * The ratio of two programs in one minute on one machine says more than the rate of either.  It is
 * that of the best rounds of each, since what disturbs a round only slows: a ratio of one round
 * would rise when the bare loop is the one that is disturbed.
 */
class SpeedGuard
{
  public:
    /// The ratio may fall by so much of itself.
    static constexpr double TOLERANCE{0.15};

    /// What the guard says.
    struct Verdict
    {
        bool isPassed;
        std::string line; ///< For the user, without newline.
    };

    /// @throws InputError if the file is absent or is not {"ratio": above 0, "date", "machine"}
    static SpeedGuard Read(const std::string& path);

    Verdict Judge(const GuardRates& rates) const;

  private:
    SpeedGuard() = default;

    std::string m_path;
    double m_ratio{0};
    std::string m_date;
    std::string m_machine;
};

} // namespace ns3::rdma

#endif // RDMA_SPEED_GUARD_H
