// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PAYLOAD_CARGO_H
#define RDMA_PAYLOAD_CARGO_H

#include "ns3/frame.h"

#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief The payload bytes of a frame, if memory is modelled.
 *
 * The payload of a frame without this cargo is all zeros.
 */
class PayloadCargo : public FrameCargo
{
  public:
    PayloadCargo() = default;

    explicit PayloadCargo(std::vector<uint8_t> payload)
        : bytes(std::move(payload))
    {
    }

    std::unique_ptr<FrameCargo> Clone() const override
    {
        return std::make_unique<PayloadCargo>(bytes);
    }

    uint32_t GetKind() const override
    {
        return KIND;
    }

    void Pack(ByteBuffer& buffer) const override;

    std::vector<uint8_t> bytes; ///< Frame::payloadBytes of them, without padding.

  private:
    static constexpr uint32_t KIND{2};
    static const bool IS_REGISTERED;
};

} // namespace ns3::rdma

#endif // RDMA_PAYLOAD_CARGO_H
