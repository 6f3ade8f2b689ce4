// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESPONSE_DELIVERY_H
#define RDMA_RESPONSE_DELIVERY_H

#include "ns3/frame.h"
#include "ns3/protection-domain.h"
#include "ns3/send-queue.h"

namespace ns3::rdma
{

// What answers of the responder mean for the requests that they answer.

/// @return what a request's completion calls it.
WcOpcode GetWcOpcode(WrOpcode opcode);

/// @return how the request ends that a NAK refuses for good. @param syndrome of the AETH
WcStatus GetStatusOfNak(uint8_t syndrome);

/// @return whether a READ response or an ATOMIC ACK is of the kind and length that a request asks
/// for. @param offset of the packet in the message; @param mtuBytes payload of a full packet
bool FitsRequest(const Message& message, uint64_t offset, uint32_t mtuBytes, const Frame& frame);

/// @return the completion of a request. @param queuePair its number
WorkCompletion MakeSendCompletion(const Message& message, WcStatus status, uint32_t queuePair);

/// @return where a response's payload goes in local memory; 0: unknown. @param offset of the packet
/// in the message
uint64_t FindPlace(const Message& message, uint64_t offset);

/// Puts what a response brings into local memory. Nothing unless bytes are modelled.
/// @param offset of the packet in the message; @param detail, domain null if there is none
void PlaceResponse(const Message& message,
                   uint64_t offset,
                   const FrameDetail* detail,
                   const ProtectionDomain* domain);

} // namespace ns3::rdma

#endif // RDMA_RESPONSE_DELIVERY_H
