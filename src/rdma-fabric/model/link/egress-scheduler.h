// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EGRESS_SCHEDULER_H
#define RDMA_EGRESS_SCHEDULER_H

#include "ns3/frame.h"
#include "ns3/object.h"

#include <array>

namespace ns3::rdma
{

/// The place of a class in the order of a port.
struct ClassSchedule
{
    /// A class with a frame is served before the classes of lower levels. Below PRIORITIES.
    uint8_t level{0};
    uint32_t weight{0}; ///< Share among the weighted classes; 0: strict.
};

/// The places of all classes; the default is strict priority.
struct PortSchedule
{
    PortSchedule();

    std::array<ClassSchedule, PRIORITIES> classes;
};

/// The queues of a port that is about to send a frame.
struct EgressQueues
{
    uint32_t waiting{0};  ///< Bit per class that has frames.
    uint32_t eligible{0}; ///< Of these, the classes that are not paused. Not 0.
    /// Of the eligible classes: bytes on the wire of the first frame. 0: unknown, since the port's
    /// owner makes the frame when it is chosen.
    std::array<uint32_t, PRIORITIES> headBytes{};
};

/**
 * @ingroup rdma-link
 * @brief Decides which class of a port sends the next frame.  One instance per port.
 *
 * The port calls Choose() for each frame, also for a frame that finds the port idle, and then
 * OnSend().  If the owner has no frame of the chosen class, the port calls Choose() again without
 * this class.  A port without a scheduler sends by strict priority, without a call.  MAC control is
 * sent before all classes.
 */
class EgressScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, before any frame is sent.
    void Start(const PortSchedule& schedule);

    /// @return the class that sends a frame now; one bit of queues.eligible.
    /// @throws PolicyError if the class is not eligible
    uint32_t Choose(const EgressQueues& queues);

    /// A frame of the class that Choose() has returned begins to leave.
    /// @param wireBytes with padding and overhead
    void OnSend(uint32_t classNumber, uint32_t wireBytes);

  private:
    /// Default: ignored.
    virtual void DoStart(const PortSchedule& schedule);
    virtual uint32_t DoChoose(const EgressQueues& queues) = 0;
    /// Default: ignored.
    virtual void DoOnSend(uint32_t classNumber, uint32_t wireBytes);
};

} // namespace ns3::rdma

#endif // RDMA_EGRESS_SCHEDULER_H
