// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-function.h"

#include "ns3/register-type.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(KvFunction, Object, "FpgaRnic");
NS_OBJECT_ENSURE_REGISTERED(KvIntegerFunction);
RDMA_REGISTER_CLASS(KvAdd, KvIntegerFunction, "FpgaRnic");
RDMA_REGISTER_CLASS(KvMax, KvIntegerFunction, "FpgaRnic");
RDMA_REGISTER_CLASS(KvCompareSwap, KvIntegerFunction, "FpgaRnic");
RDMA_REGISTER_CLASS(KvNonZero, KvIntegerFunction, "FpgaRnic");

uint32_t
KvFunction::GetOperandBytes() const
{
    return GetElementBytes();
}

bool
KvFunction::Update(uint8_t*, ByteView) const
{
    return false;
}

bool
KvFunction::Reduce(ByteView, uint8_t*) const
{
    return false;
}

bool
KvFunction::Filter(ByteView, bool&) const
{
    return false;
}

TypeId
KvIntegerFunction::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(
            TypeId("ns3::rdma::KvIntegerFunction").SetParent<KvFunction>().SetGroupName("FpgaRnic"))
            .Add("ElementBytes",
                 Member(&KvIntegerFunction::m_elementBytes, 8, 1, 8),
                 "Width of an element, 1, 2, 4 or 8 bytes (8: our choice; KV-Direct section 3.2 "
                 "has any fixed width)");
    return tid;
}

void
KvIntegerFunction::NotifyConstructionCompleted()
{
    KvFunction::NotifyConstructionCompleted();
    if ((m_elementBytes & (m_elementBytes - 1)) != 0)
    {
        throw VerbsError("ElementBytes is 1, 2, 4 or 8, not " + std::to_string(m_elementBytes));
    }
}

uint64_t
KvIntegerFunction::Load(const uint8_t* element) const
{
    uint64_t value = 0;
    for (uint32_t i = m_elementBytes; i > 0; --i)
    {
        value = value << 8 | element[i - 1];
    }
    return value;
}

void
KvIntegerFunction::Store(uint8_t* element, uint64_t value) const
{
    for (uint32_t i = 0; i < m_elementBytes; ++i)
    {
        element[i] = static_cast<uint8_t>(value >> 8 * i);
    }
}

bool
KvAdd::Update(uint8_t* element, ByteView operand) const
{
    Store(element, Load(element) + Load(operand.GetData()));
    return true;
}

bool
KvAdd::Reduce(ByteView element, uint8_t* sum) const
{
    Store(sum, Load(sum) + Load(element.GetData()));
    return true;
}

bool
KvMax::Update(uint8_t* element, ByteView operand) const
{
    Store(element, std::max(Load(element), Load(operand.GetData())));
    return true;
}

bool
KvMax::Reduce(ByteView element, uint8_t* sum) const
{
    Store(sum, std::max(Load(sum), Load(element.GetData())));
    return true;
}

uint32_t
KvCompareSwap::GetOperandBytes() const
{
    return 2 * GetElementBytes();
}

bool
KvCompareSwap::Update(uint8_t* element, ByteView operand) const
{
    if (Load(element) == Load(operand.GetData()))
    {
        Store(element, Load(operand.GetData() + GetElementBytes()));
    }
    return true;
}

bool
KvNonZero::Filter(ByteView element, bool& isKept) const
{
    isKept = Load(element.GetData()) != 0;
    return true;
}

uint8_t
KvFunctionTable::Add(Ptr<KvFunction> function)
{
    if (m_functions.size() > std::numeric_limits<uint8_t>::max())
    {
        throw VerbsError("a store has 256 functions at most");
    }
    if (function->GetElementBytes() == 0 || function->GetOperandBytes() == 0)
    {
        throw VerbsError(function->GetInstanceTypeId().GetName() +
                         " has elements or operands without a byte");
    }
    m_functions.push_back(std::move(function));
    return static_cast<uint8_t>(m_functions.size() - 1);
}

} // namespace ns3::rdma
