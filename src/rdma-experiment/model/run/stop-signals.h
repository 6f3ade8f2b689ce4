// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STOP_SIGNALS_H
#define RDMA_STOP_SIGNALS_H

#include <csignal>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Counts SIGINT and SIGTERM while it lives, and restores what was there before.
 *
 * One at a time; each process has a count of its own.
 */
class StopSignals
{
  public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// @return signals since it was made, or since SetCount().
    static int GetCount();
    static void SetCount(int count);

  private:
    struct sigaction m_oldInt;
    struct sigaction m_oldTerm;
};

} // namespace ns3::rdma

#endif // RDMA_STOP_SIGNALS_H
