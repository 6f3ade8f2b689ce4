// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/preprocessing-service.h"

#include "ns3/string.h"
#include "ns3/type-attributes.h"

#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PreprocessingService);

TypeId
PreprocessingService::GetTypeId()
{
    constexpr uint32_t MAX_COLUMNS{1 << 16};
    constexpr uint32_t MAX_MODULUS{1U << 31U};
    constexpr uint32_t MAX_CYCLES{1000};
    static TypeId tid =
        TypeAttributes::Of<PreprocessingService, StreamService>("ns3::rdma::PreprocessingService",
                                                                "FpgaRnic")
            .Add("DenseColumns",
                 Member(&PreprocessingService::m_denseColumns, 16, 0, MAX_COLUMNS),
                 "Dense features of a row, its first ones (16: example_CPU.py of "
                 "fpgasystems/BALBOA_AE)")
            .Add("SparseColumns",
                 Member(&PreprocessingService::m_sparseColumns, 32, 0, MAX_COLUMNS),
                 "Sparse features of a row, behind them (32: likewise)")
            .Add("DenseOperators",
                 {StringValue("neg2zero,logarithm").Copy(),
                  MakeStringAccessor(&PreprocessingService::SetDense),
                  MakeOperatorsChecker()},
                 "Operators of dense features (neg2zero, then logarithm: BALBOA section 8.1)")
            .Add("SparseOperators",
                 {StringValue("modulus").Copy(),
                  MakeStringAccessor(&PreprocessingService::SetSparse),
                  MakeOperatorsChecker()},
                 "Operators of sparse features (modulus: BALBOA section 8.1)")
            .Add("Modulus",
                 Member(&PreprocessingService::m_modulus, 8192, 1, MAX_MODULUS),
                 "Divisor of the operator modulus (8192: example_CPU.py of fpgasystems/BALBOA_AE; "
                 "its hardware has 1024)")
            .Add("Neg2ZeroCycles",
                 Member(&PreprocessingService::m_neg2ZeroCycles, 2, 1, MAX_CYCLES),
                 "Cycles of the stage neg2zero and the FIFO in front of it, if the stage is used "
                 "(2: a comparison; our estimate)")
            .Add("LogarithmCycles",
                 Member(&PreprocessingService::m_logarithmCycles, 30, 1, MAX_CYCLES),
                 "Cycles of the stage logarithm and the FIFO in front of it, if the stage is used "
                 "(30: 1 to add one, 6 to convert to a float, 22 for the logarithm, a FIFO; our "
                 "estimate from the latencies of AMD's floating-point cores)")
            .Add("ModulusCycles",
                 Member(&PreprocessingService::m_modulusCycles, 2, 1, MAX_CYCLES),
                 "Cycles of the stage modulus and the FIFO in front of it, if the stage is used "
                 "(2: a mask, which a power of two needs; our estimate. A divider of 32 bits takes "
                 "about 36)")
            .Add("EdgeCycles",
                 Member(&PreprocessingService::m_edgeCycles, 3, 1, MAX_CYCLES),
                 "Cycles of the stages that take words from the bus and put them onto the bus (3: "
                 "1 each, a FIFO; our estimate)");
    return tid;
}

void
PreprocessingService::SetDense(std::string text)
{
    m_dense = FeatureOperators(text);
}

void
PreprocessingService::SetSparse(std::string text)
{
    m_sparse = FeatureOperators(text);
}

uint64_t
PreprocessingService::GetKey(uint32_t queuePair, bool isSent)
{
    return uint64_t{queuePair} << 1U | static_cast<uint64_t>(isSent);
}

uint64_t
PreprocessingService::GetRpcCode() const
{
    return RPC_CODE;
}

std::string
PreprocessingService::FindFault() const
{
    return m_denseColumns + m_sparseColumns > 0
               ? ""
               : "expected a row with columns (DenseColumns, SparseColumns), got none";
}

StreamService::Placement
PreprocessingService::GetPlacement() const
{
    return Placement::ON_PATH;
}

Cycle
PreprocessingService::GetCycles() const
{
    Cycle cycles = m_edgeCycles;
    const std::pair<FeatureOperator, uint32_t> stages[]{
        {FeatureOperator::NEG2ZERO, m_neg2ZeroCycles},
        {FeatureOperator::LOGARITHM, m_logarithmCycles},
        {FeatureOperator::MODULUS, m_modulusCycles}};
    for (const auto& [one, stage] : stages)
    {
        cycles += m_dense.Has(one) || m_sparse.Has(one) ? stage : 0;
    }
    return cycles;
}

std::vector<uint8_t>
PreprocessingService::Transform(ByteView bytes, uint64_t firstFeature) const
{
    std::vector<uint8_t> out(bytes.GetSize());
    const uint32_t columns = m_denseColumns + m_sparseColumns;
    auto column = static_cast<uint32_t>(firstFeature % columns);
    for (std::size_t at = 0; at < out.size(); at += FEATURE_BYTES)
    {
        const FeatureOperators& operators = column < m_denseColumns ? m_dense : m_sparse;
        boost::endian::store_little_u32(out.data() + at,
                                        operators.Apply(bytes.Get32(at), m_modulus));
        column = column + 1 == columns ? 0 : column + 1;
    }
    return out;
}

void
PreprocessingService::Drop(StreamStep& step, Message& message, const StreamInput& input)
{
    step.isRejected = true;
    if (std::exchange(message.isDropped, true))
    {
        return; // The host has been notified.
    }
    ++m_droppedMessages;
    KernelCommand interrupt;
    interrupt.kind = KernelCommand::Kind::INTERRUPT;
    interrupt.at = step.passedAt;
    interrupt.tag = input.address;
    interrupt.queuePair = input.queuePair;
    step.step.commands.push_back(std::move(interrupt));
}

StreamStep
PreprocessingService::OnStream(const StreamInput& input)
{
    Message& message = m_messages[GetKey(input.queuePair, input.isSent)];
    if (input.isFirst)
    {
        message = {};
    }
    const auto size = static_cast<uint32_t>(input.bytes.GetSize());
    const auto latency = static_cast<uint32_t>(GetCycles());
    const StreamTimes times = m_timing.Pass(GetClock(), input.isSent, input.at, size, latency, 1);
    StreamStep step;
    step.passedAt = times.passedAt;
    step.readyAt = times.readyAt;
    if (message.isDropped || size % FEATURE_BYTES != 0)
    {
        Drop(step, message, input);
        return step;
    }
    step.bytes = Transform(input.bytes, message.features);
    message.features += size / FEATURE_BYTES;
    return step;
}

StreamFault
PreprocessingService::CheckMessage(const StreamMessage& message) const
{
    return message.bytes % FEATURE_BYTES == 0 ? StreamFault::NONE : StreamFault::BAD_LENGTH;
}

KernelStep
PreprocessingService::OnPacket(const KernelInput& input)
{
    KernelStep step;
    step.readyAt = After(input.at, 1);
    return step;
}

KernelStep
PreprocessingService::OnQueuePairEnd(uint32_t queuePair, Tick)
{
    m_messages.erase(GetKey(queuePair, false));
    m_messages.erase(GetKey(queuePair, true));
    return {};
}

} // namespace ns3::rdma
