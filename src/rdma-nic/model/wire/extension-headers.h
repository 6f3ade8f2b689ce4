// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXTENSION_HEADERS_H
#define RDMA_EXTENSION_HEADERS_H

#include "ns3/buffer.h"
#include "ns3/frame.h"
#include "ns3/wire-format.h"

namespace ns3::rdma
{

/// Writes the header of a kind from the fields of a frame. @param detail zeros if it has none
void WriteExtensionHeader(HeaderKind kind,
                          Buffer::Iterator start,
                          const Frame& frame,
                          const FrameDetail& detail);

/// Reads the header of a kind into the fields that it carries; the others stay.
void ReadExtensionHeader(HeaderKind kind,
                         Buffer::Iterator start,
                         Frame& frame,
                         FrameDetail& detail);

} // namespace ns3::rdma

#endif // RDMA_EXTENSION_HEADERS_H
