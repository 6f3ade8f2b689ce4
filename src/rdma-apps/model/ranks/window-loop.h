// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WINDOW_LOOP_H
#define RDMA_WINDOW_LOOP_H

#include "ns3/fabric-port.h"
#include "ns3/rank-group.h"

#include <deque>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// How far a rank, or all of them together, have come.
struct WindowState
{
    Tick now{0};               ///< The latest event that was run.
    Tick nextTime{TICK_NEVER}; ///< The earliest that is to come, what is on its way included.
    /// As nextTime; TICK_NEVER if only pauses are repeated. Where no decision is due, as nextTime.
    Tick nextWork{TICK_NEVER};
    Tick endTime{0};      ///< When the last of the work that is done was done.
    uint64_t started{0};  ///< Pieces of work.
    uint64_t done{0};     ///< Of these.
    uint64_t progress{0}; ///< Of all work; only set where decisions are due.
    uint64_t packetHops{0};
    bool isStopped{false}; ///< Asked to stop.

    /// Takes in another rank's state.
    void Add(const WindowState& other);
};

/// Wall-clock time of a loop's windows. Only measured with several ranks.
struct WindowTimes
{
    double computeSeconds{0};  ///< Events.
    double waitSeconds{0};     ///< For the messages of other ranks.
    double exchangeSeconds{0}; ///< To make, copy and read messages.
};

/// Whose work is run in windows.
class WindowClient
{
  public:
    virtual ~WindowClient() = default;

    /// @param isDue whether a decision is due, for which progress counts
    /// @return this rank's state, as far as the client has it.
    virtual WindowState GetState(bool isDue) const = 0;

    /// Appends what another rank needs; it is read before the next window.
    virtual void Pack(uint32_t rank, ByteBuffer& buffer) = 0;
    virtual void Unpack(ByteReader& reader) = 0;

    /// A window has ended everywhere, and what it has sent is unpacked. This rank may have run
    /// events of the next window. @param all ranks together when the window ended
    /// @param end all events before it have run everywhere
    virtual void OnWindow(const WindowState& all, Tick end) = 0;

    /// @return before which time all events are to have run for the next Sample(); TICK_NEVER: no
    /// more. The same on all ranks.
    virtual Tick GetSampleTime() const
    {
        return TICK_NEVER;
    }

    /// All events before GetSampleTime() have run on this rank, and none after.
    virtual void Sample()
    {
    }

    /// Nothing happens before a time: samples and decisions that would find the same may be left
    /// out. The same on all ranks. @param all together
    virtual void SkipIdle(const WindowState&)
    {
    }

    /// @return before which time a decision is due; TICK_NEVER: none. The same on all ranks.
    virtual Tick GetDecisionTime() const = 0;

    /// All events before GetDecisionTime() have run. @return false to end the run; decides the same
    /// on all ranks
    virtual bool Decide(const WindowState& all) = 0;
};

/**
 * @ingroup rdma-ranks
 * @brief Runs the events of this rank in windows of simulated time, in step with the other ranks.
 *
 * Conservative synchronization: no rank can send anything that arrives within a lookahead after
 * the earliest event of all (Chandy and Misra 1979; YAWNS, Nicol 1993).  After each window all
 * ranks exchange what they have sent and their states.
 *
 * A window is half a lookahead long.  What is sent in a window arrives after the next window, so a
 * rank runs the next window while the messages of the last one are under way, and waits only for
 * a rank that is more than a window behind.
 *
 * Windows end at the times of decisions and of samples too.  All ranks have every message then, so
 * that these find the same state for any number of ranks; with one rank only they end windows.  The
 * simulator's heartbeat beats in windows without events, too.
 */
class WindowLoop
{
  public:
    /// @param lookahead of frames and of what the client packs; all outlive the loop
    WindowLoop(RankGroup& group, FabricCore& core, WindowClient& client, Tick lookahead);

    /// Bytes that FrameOutbox leaves free for the loop's own head.
    static std::size_t GetHeadBytes();

    /// @return the latest end of a window before which nothing arrives that is not known.
    /// @param earliest event of all ranks @param limit of a decision or sample
    static Tick GetWindowEnd(Tick earliest, Tick lookahead, Tick limit);

    /// Runs until nothing but repeated pauses is left, a decision ends it, or an event calls
    /// Simulator::Stop(): then it ends at once on this rank and after their window on others. Once.
    /// @throws what any rank throws
    void Run();

    uint64_t GetWindows() const
    {
        return m_windows;
    }

    const WindowTimes& GetTimes() const
    {
        return m_times;
    }

    /// @return the state of all ranks when the last window ended.
    const WindowState& GetState() const
    {
        return m_all;
    }

  private:
    struct Head;

    /// A window whose messages this rank has sent, and not yet received from the others.
    struct SentWindow
    {
        WindowState own;
        Tick end;
        bool hasFailed; ///< On this rank, or an earlier one had.
    };

    void RunOverlapped(Tick limit);
    void RunWindow(Tick end);
    bool RunEvents(Tick end) const;
    void Exchange(Tick end, bool isDue);
    void Send(Tick end, bool isDue);
    void Receive();
    WindowState GetOwnState(bool isDue);
    void Fill(uint32_t rank, const WindowState& own);
    void Take(uint32_t rank);
    void NoteFailure(const RankError& failure, uint32_t rank);

    RankGroup& m_group;
    FabricCore& m_core;
    WindowClient& m_client;
    Tick m_lookahead;
    std::vector<ByteBuffer> m_incoming;
    std::deque<SentWindow> m_sent;   ///< At most two; the oldest one first.
    Tick m_earliestSent{TICK_NEVER}; ///< Arrival of what the last of them has sent.
    WindowState m_all;
    std::optional<RankError> m_ownFailure;
    std::optional<RankError> m_failure; ///< Of the first rank that failed, known to all.
    uint32_t m_failedRank{UINT32_MAX};  ///< Whose it is.
    uint64_t m_windows{0};
    WindowTimes m_times;
    bool m_isStopped{false};
};

} // namespace ns3::rdma

#endif // RDMA_WINDOW_LOOP_H
