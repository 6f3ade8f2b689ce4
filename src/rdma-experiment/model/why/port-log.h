// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_LOG_H
#define RDMA_PORT_LOG_H

#include "ns3/frame.h"
#include "ns3/tick.h"

#include <array>
#include <string>
#include <vector>

namespace ns3::rdma
{

class FabricPort;

/// From one time to another.
struct TimeSpan
{
    Tick from;
    Tick until;
};

/**
 * @ingroup rdma-why
 * @brief When a port was paused, and when it was sending.
 *
 * Times of sending are kept while they are wanted; else only the last one, which may reach into
 * the time in which they are.
 */
class PortLog
{
  public:
    /// @param name for users; @param port outlives this
    PortLog(std::string name, const FabricPort& port);

    void OnPause(uint8_t priority, Tick now);
    void OnResume(uint8_t priority, Tick now);

    /// The port sends from now on. In order of time.
    void AddBusy(Tick from, Tick until);

    /// Another one, or one less, wants the times of sending.
    void Want();
    void Unwant();

    /// @return when a priority was paused, in order; the last one may not have ended.
    const std::vector<TimeSpan>& GetPauses(uint8_t priority) const
    {
        return m_pauses[priority];
    }

    const std::vector<TimeSpan>& GetBusy() const
    {
        return m_busy;
    }

    /// @return time on the wire. @param wireBytes as Frame::wireBytes
    Tick GetSerialization(uint32_t wireBytes) const;
    /// @return as FabricPort::GetHeadTime().
    Tick GetHeadTime(uint32_t wireBytes) const;

    const std::string& GetName() const
    {
        return m_name;
    }

  private:
    std::string m_name;
    const FabricPort& m_port;
    std::array<std::vector<TimeSpan>, PRIORITIES> m_pauses;
    std::vector<TimeSpan> m_busy; ///< Those without a gap between them as one.
    uint32_t m_wanted{0};
};

} // namespace ns3::rdma

#endif // RDMA_PORT_LOG_H
