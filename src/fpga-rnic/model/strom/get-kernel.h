// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_GET_KERNEL_H
#define FPGA_GET_KERNEL_H

#include "ns3/call-kernel.h"

#include <vector>

namespace ns3::rdma
{

/// A bucket of the GET kernel's hash table.
struct GetBucket
{
    uint64_t key{0};
    uint64_t valuePtr{0};
    uint32_t valueLen{0}; ///< Bytes.
};

/// An entry of 64 bytes: three buckets of 20 bytes, then 4 unused bytes. The paper gives names, but
/// no layout.
struct GetEntry
{
    static constexpr uint32_t BYTES{64};
    static constexpr uint32_t BUCKETS{3};

    GetBucket buckets[BUCKETS];

    std::vector<uint8_t> Encode() const;
    /// @param bytes of length 64
    static GetEntry Decode(ByteView bytes);
};

/// Parameters of a GET, 24 bytes: target at the caller, address of the entry, key.
struct GetParameters
{
    static constexpr uint32_t BYTES{24};

    uint64_t target{0};
    uint64_t entry{0};
    uint64_t key{0};

    std::vector<uint8_t> Encode() const;
};

/**
 * @ingroup fpga-strom
 * @brief The example kernel of the paper: reads an entry of a hash table, and sends the value of
 * the bucket with the key (StRoM section 5.2, Listings 2 to 4).
 *
 * If no bucket matches, the answer is NOT_FOUND; the listing uses the first bucket.  A bucket whose
 * value has no bytes is empty.
 */
class GetKernel : public CallKernel
{
  public:
    static constexpr uint64_t RPC_CODE{16}; ///< Ours: no public source names one.

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override;
    KernelStep OnFault(uint64_t tag, Tick now) override;

  private:
    /// A call in progress.
    struct Get
    {
        uint64_t key{0};
        bool isAtValue{false};
    };

    std::vector<Get> m_gets; ///< By place.
};

} // namespace ns3::rdma

#endif // FPGA_GET_KERNEL_H
