// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EVENT_RECORD_H
#define RDMA_EVENT_RECORD_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// One pending event, 16 bytes: target, argument and time.
struct EventRecord
{
    Tick time;
    uint32_t owner;    ///< Target and kind of event (FabricEngine::MakeOwner); breaks ties of time.
    uint32_t argument; ///< Its meaning is defined by the target, for example the index of a frame.
};

/// Order of execution; equal records keep the order in which they were pushed.
inline bool
operator<(const EventRecord& left, const EventRecord& right)
{
    return left.time != right.time ? left.time < right.time : left.owner < right.owner;
}

} // namespace ns3::rdma

#endif // RDMA_EVENT_RECORD_H
