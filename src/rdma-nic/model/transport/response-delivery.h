// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONSE_DELIVERY_H
#define RDMA_RESPONSE_DELIVERY_H

#include "ns3/frame.h"
#include "ns3/protection-domain.h"
#include "ns3/send-queue.h"

namespace ns3::rdma
{

// Effects of the responder's answers on the answered requests.

/// @return the opcode in a request's completion.
WcOpcode GetWcOpcode(WrOpcode opcode);

/// @return the status of a request that a NAK refuses finally. @param syndrome of the AETH
WcStatus GetStatusOfNak(uint8_t syndrome);

/// @return whether a READ response or an ATOMIC ACK has the kind and length of the request. @param
/// offset of the packet in the message; @param mtuBytes payload of a full packet
bool FitsRequest(const Message& message, uint64_t offset, uint32_t mtuBytes, const Frame& frame);

/// @return the completion of a request. @param queuePair its number
WorkCompletion MakeSendCompletion(const Message& message, WcStatus status, uint32_t queuePair);

/// @return the local address of a response's payload; 0: unknown.
/// @param offset of the packet in the message
uint64_t FindPlace(const Message& message, uint64_t offset);

/// Writes the data of a response to local memory, if bytes are modelled.
/// @param offset of the packet in the message; @param detail, domain null if there are none
void PlaceResponse(const Message& message,
                   uint64_t offset,
                   const FrameDetail* detail,
                   const ProtectionDomain* domain);

} // namespace ns3::rdma

#endif // RDMA_RESPONSE_DELIVERY_H
