// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-operation-unit.h"

namespace ns3::rdma
{

namespace
{
void
Assign(std::vector<uint8_t>& bytes, ByteView view)
{
    bytes.assign(view.GetData(), view.GetData() + view.GetSize());
}

/// @return whether the sizes of operand and value are valid for an update with a function.
bool
Fits(const KvOperation& operation, const KvFunction& function, std::size_t valueBytes)
{
    const std::size_t width = function.GetElementBytes();
    const std::size_t each = function.GetOperandBytes();
    switch (operation.opcode)
    {
    case KvOpcode::UPDATE_SCALAR:
        return valueBytes == width && operation.operand.GetSize() == each;
    case KvOpcode::UPDATE_VECTOR:
        return valueBytes % width == 0 && operation.operand.GetSize() == each;
    default:
        return valueBytes % width == 0 && operation.operand.GetSize() == valueBytes / width * each;
    }
}
} // namespace

KvEffect
KvOperationUnit::Apply(const KvOperation& operation,
                       bool isFound,
                       ByteView value,
                       std::vector<uint8_t>& stored,
                       std::vector<uint8_t>& answer,
                       KvStatus& status) const
{
    answer.clear();
    status = KvStatus::OK;
    if (operation.opcode == KvOpcode::PUT)
    {
        Assign(stored, operation.operand);
        return KvEffect::STORE;
    }
    if (!isFound)
    {
        status = KvStatus::NOT_FOUND;
        return KvEffect::NONE;
    }
    if (operation.opcode == KvOpcode::GET)
    {
        Assign(answer, value);
        return KvEffect::NONE;
    }
    if (operation.opcode == KvOpcode::DELETE)
    {
        return KvEffect::REMOVE;
    }
    const KvFunction* function = m_functions.Find(operation.function);
    if (!function)
    {
        status = KvStatus::NO_FUNCTION;
        return KvEffect::NONE;
    }
    switch (operation.opcode)
    {
    case KvOpcode::REDUCE:
        status = Reduce(operation, *function, value, answer);
        return KvEffect::NONE;
    case KvOpcode::FILTER:
        status = Filter(*function, value, answer);
        return KvEffect::NONE;
    default:
        Assign(answer, value);
        return Update(operation, *function, stored, answer, status);
    }
}

KvChange
KvOperationVisitor::OnValue(bool found, ByteView value)
{
    switch (m_unit.Apply(m_operation, found, value, m_stored, m_answer, m_status))
    {
    case KvEffect::STORE:
        return {KvChange::Kind::STORE, ByteView(m_stored)};
    case KvEffect::REMOVE:
        return {KvChange::Kind::REMOVE, {}};
    default:
        return {KvChange::Kind::KEEP, {}};
    }
}

KvStatus
KvOperationVisitor::GetStatus(KvStatus visited)
{
    if (visited == KvStatus::OK || visited == KvStatus::NOT_FOUND)
    {
        return m_status;
    }
    m_answer.clear();
    return visited;
}

KvEffect
KvOperationUnit::Update(const KvOperation& operation,
                        const KvFunction& function,
                        std::vector<uint8_t>& stored,
                        std::vector<uint8_t>& answer,
                        KvStatus& status) const
{
    if (!Fits(operation, function, answer.size()))
    {
        answer.clear();
        status = KvStatus::BAD_OPERAND;
        return KvEffect::NONE;
    }
    stored = answer;
    const std::size_t width = function.GetElementBytes();
    const std::size_t each = function.GetOperandBytes();
    const bool hasOperands = operation.opcode == KvOpcode::UPDATE_VECTOR_BY_VECTOR;
    for (std::size_t i = 0; i * width < stored.size(); ++i)
    {
        const uint8_t* operand = operation.operand.GetData() + (hasOperands ? i * each : 0);
        if (!function.Update(stored.data() + i * width, ByteView(operand, each)))
        {
            stored = answer; // Undoes the updates of earlier elements.
            answer.clear();
            status = KvStatus::NO_FUNCTION;
            return KvEffect::NONE;
        }
    }
    if (operation.isWithoutReturn)
    {
        answer.clear();
    }
    return KvEffect::STORE;
}

KvStatus
KvOperationUnit::Reduce(const KvOperation& operation,
                        const KvFunction& function,
                        ByteView value,
                        std::vector<uint8_t>& answer)
{
    const std::size_t width = function.GetElementBytes();
    if (value.GetSize() % width != 0 || operation.operand.GetSize() != width)
    {
        return KvStatus::BAD_OPERAND;
    }
    Assign(answer, operation.operand);
    for (std::size_t at = 0; at < value.GetSize(); at += width)
    {
        if (!function.Reduce(ByteView(value.GetData() + at, width), answer.data()))
        {
            answer.clear();
            return KvStatus::NO_FUNCTION;
        }
    }
    return KvStatus::OK;
}

KvStatus
KvOperationUnit::Filter(const KvFunction& function, ByteView value, std::vector<uint8_t>& answer)
{
    const std::size_t width = function.GetElementBytes();
    if (value.GetSize() % width != 0)
    {
        return KvStatus::BAD_OPERAND;
    }
    for (std::size_t at = 0; at < value.GetSize(); at += width)
    {
        const uint8_t* element = value.GetData() + at;
        bool isKept = false;
        if (!function.Filter(ByteView(element, width), isKept))
        {
            answer.clear();
            return KvStatus::NO_FUNCTION;
        }
        if (isKept)
        {
            answer.insert(answer.end(), element, element + width);
        }
    }
    return KvStatus::OK;
}

} // namespace ns3::rdma
