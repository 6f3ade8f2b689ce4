// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RANK_HUB_H
#define RDMA_RANK_HUB_H

#include <cstdint>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::rdma
{

/**
 * @brief The connections of "rocelab run --ranks" to the ranks that it has started (RankLink).
 *
 * The first rank prints the results and its errors itself.  A rank that fails alone, or dies, is
 * noted here, so that its one line does not depend on which process notices it first.
 */
class RankHub
{
  public:
    /// Listens to this machine's processes of this user. @throws std::system_error
    RankHub();
    ~RankHub();
    RankHub(const RankHub&) = delete;
    RankHub& operator=(const RankHub&) = delete;

    /// @return the value of RankLink::VARIABLE.
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return what to wait for until the next Handle().
    std::vector<pollfd> GetWaits() const;

    /// Accepts ranks and reads their messages; does not wait.
    void Handle();

    bool HasOpenLinks() const;

    /// Signals the first rank to stop, and thereby all. @return false if it is not running
    bool StopFirst() const;

    /// Ends all ranks at once.
    void Kill() const;

    /// @return the exit status of the first rank, if it has reported one.
    std::optional<int> GetStatus() const
    {
        return m_status;
    }

    /// @return what went wrong first, if the first rank does not print it; empty: nothing.
    const std::string& GetTrouble() const
    {
        return m_trouble;
    }

    /// @return whether the trouble is a rank that died.
    bool HasLostRank() const
    {
        return m_hasLostRank;
    }

  private:
    struct Link
    {
        int socket;
        pid_t process;
        uint32_t rank;
        bool hasEnded; ///< It has reported its end.
    };

    void Accept();
    void Read(Link& link);
    void HandleMessage(Link& link, const std::string& message);
    void HandleClosing(Link& link);

    int m_listener;
    std::string m_name;
    std::vector<Link> m_links;
    std::optional<int> m_status;
    std::string m_trouble;
    bool m_hasLostRank{false};
};

} // namespace ns3::rdma

#endif // RDMA_RANK_HUB_H
