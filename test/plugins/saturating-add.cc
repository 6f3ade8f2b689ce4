// SPDX-License-Identifier: GPL-2.0-only
// A function of a user's own for KV-Direct: adds to bytes, which stay at 255 instead of wrapping.

#include "ns3/kv-function.h"

namespace ns3::rdma
{

class SaturatingAdd : public KvFunction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::SaturatingAdd")
                                .SetParent<KvFunction>()
                                .SetGroupName("Test")
                                .AddConstructor<SaturatingAdd>();
        return tid;
    }

    uint32_t GetElementBytes() const override
    {
        return 1;
    }

    bool Update(uint8_t* element, ByteView operand) const override
    {
        const int sum = *element + *operand.GetData();
        *element = static_cast<uint8_t>(sum < 255 ? sum : 255);
        return true;
    }
};

NS_OBJECT_ENSURE_REGISTERED(SaturatingAdd);

} // namespace ns3::rdma
