// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WATCHED_CLIENT_H
#define RDMA_WATCHED_CLIENT_H

#include "ns3/run-view.h"
#include "ns3/window-loop.h"

#include <chrono>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Lets the ranks of a run tell the first one what they see, with what a WindowClient sends.
 *
 * All ranks stand before their clients with one of these, or none does.  A view goes along a few
 * times per second of wall time; it changes nothing in the run.
 */
class WatchedClient : public WindowClient
{
  public:
    using Look = std::function<RunView()>;

    /// How often this rank looks, if the caller has no period of its own.
    static constexpr std::chrono::milliseconds PERIOD{200};

    /// @param client and @param ranks outlive this
    WatchedClient(WindowClient& client,
                  const RankGroup& ranks,
                  Look look,
                  std::chrono::milliseconds period = PERIOD);

    /// @return what all ranks have seen last; this one looks now if its last view is old.
    RunView GetView();

    WindowState GetState(bool isDue) const override;
    void Pack(uint32_t rank, ByteBuffer& buffer) override;
    void Unpack(ByteReader& reader) override;
    void OnWindow(const WindowState& all, Tick end) override;
    Tick GetSampleTime() const override;
    void Sample() override;
    void SkipIdle(const WindowState& all) override;
    Tick GetDecisionTime() const override;
    bool Decide(const WindowState& all) override;

  private:
    using Clock = std::chrono::steady_clock;

    /// Stands behind what the client packs for the first rank.
    struct Message
    {
        uint32_t rank;
        bool hasView;
        RunView view;
    };

    bool IsDue() const;

    WindowClient& m_client;
    const RankGroup& m_ranks;
    Look m_look;
    std::chrono::milliseconds m_period;
    std::vector<RunView> m_views; ///< By rank; of other ranks than the first only the own one.
    Clock::time_point m_latest;   ///< When this rank looked.
};

} // namespace ns3::rdma

#endif // RDMA_WATCHED_CLIENT_H
