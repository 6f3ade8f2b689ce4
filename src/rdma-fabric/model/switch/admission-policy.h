// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADMISSION_POLICY_H
#define RDMA_ADMISSION_POLICY_H

#include "ns3/fabric-port.h"
#include "ns3/object.h"
#include "ns3/switch-view.h"

namespace ns3::rdma
{

/// What a switch does with a frame that has arrived.
enum class Admission : uint8_t
{
    QUEUE, ///< It is queued at its egress port. Without room in the shared buffer it is dropped.
    /// Its payload is removed and it is queued in the class of trimmed frames. A frame without
    /// payload is dropped.
    TRIM,
    DROP,
    /// The newest queued frame of the arriving frame's priority is trimmed, and the arriving frame
    /// takes its place. Without room in the shared buffer, or if that frame has no payload or does
    /// not exist: TRIM.
    TRIM_NEWEST,
    DROP_NEWEST, ///< As TRIM_NEWEST, but the newest queued frame, else the arriving, is dropped.
};

/// A frame that has arrived and is routed, but not yet charged to the buffer.
struct ArrivedFrame
{
    const Frame& frame;
    const FabricPort& egress; ///< With its queues.
    bool hasRoom;             ///< SharedBuffer has room for it.
};

/**
 * @ingroup rdma-switch
 * @brief Decides whether a frame is queued, trimmed to its headers or dropped.  One instance per
 * switch.
 *
 * SharedBuffer accounts for the memory with every policy.  The default, TailDrop, needs no call.
 */
class AdmissionPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, when the routes are known. Default: ignored.
    virtual void Start(const SwitchView& view);

    /// Called once for each frame that has a route; see NeedsFree().
    virtual Admission Decide(const ArrivedFrame& arrived, Tick now) = 0;

    /// @return whether Decide() is called for frames whose egress port is free, too. Otherwise they
    /// leave at once, without a call, if the buffer has room. Called once, after Start(). Default:
    /// true.
    virtual bool NeedsFree() const;

    /// Called for each frame that was trimmed here, before it is queued in the class of trimmed
    /// frames. Default: true.
    /// @return false: the frame is dropped
    virtual bool HasRoomForTrimmed(const ArrivedFrame& trimmed, Tick now);
};

/// Queues a frame if the shared buffer has room, else drops it.
class TailDrop : public AdmissionPolicy
{
  public:
    static TypeId GetTypeId();
    Admission Decide(const ArrivedFrame& arrived, Tick now) override;
};

} // namespace ns3::rdma

#endif // RDMA_ADMISSION_POLICY_H
