// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_PREPROCESSING_SERVICE_H
#define FPGA_PREPROCESSING_SERVICE_H

#include "ns3/feature-operators.h"
#include "ns3/stream-service.h"
#include "ns3/stream-timing.h"

#include <string>
#include <unordered_map>

namespace ns3::rdma
{

/**
 * @ingroup fpga-balboa
 * @brief Preprocesses the input of a recommendation model between network and memory: clips
 * features, computes logarithms and remainders (BALBOA section 8.1).
 *
 * A message is rows of features of 4 bytes, little-endian: dense ones first, then sparse ones.  It
 * begins with a row.  Each kind has its own operators.  A word of 16 features enters each cycle and
 * passes all stages, whether its features use them or not.
 *
 * A message with an incomplete feature is refused.  If the path MTU is not a multiple of 4, a
 * packet may end within a feature.  Such a packet is dropped, as is the rest of its message; the
 * host gets an interrupt whose tag is the address of the first packet dropped.  The service has no
 * results: a request with its code is accepted and not answered.
 *
 * Source of number format, layout of rows and modulus, which the paper does not state:
 * fpgasystems/BALBOA_AE, experiments/ml_preprocessing.
 */
class PreprocessingService : public StreamService
{
  public:
    static constexpr uint64_t RPC_CODE{35}; ///< Ours: no public source names one.
    static constexpr uint32_t FEATURE_BYTES{4};

    static TypeId GetTypeId();

    uint64_t GetRpcCode() const override;
    std::string FindFault() const override;
    Placement GetPlacement() const override;
    KernelStep OnPacket(const KernelInput& input) override;
    StreamStep OnStream(const StreamInput& input) override;
    StreamFault CheckMessage(const StreamMessage& message) const override;
    KernelStep OnQueuePairEnd(uint32_t queuePair, Tick now) override;

    /// @return cycles from the entry of a word to its exit.
    Cycle GetCycles() const;

    /// @return messages dropped because of a packet with an incomplete feature.
    uint64_t GetDroppedMessages() const
    {
        return m_droppedMessages;
    }

  private:
    /// The message in progress of a queue pair and direction.
    struct Message
    {
        uint64_t features{0}; ///< Processed so far.
        bool isDropped{false};
    };

    static uint64_t GetKey(uint32_t queuePair, bool isSent);
    void SetDense(std::string text);
    void SetSparse(std::string text);
    std::vector<uint8_t> Transform(ByteView bytes, uint64_t firstFeature) const;
    void Drop(StreamStep& step, Message& message, const StreamInput& input);

    // Attributes.
    uint32_t m_denseColumns{0};
    uint32_t m_sparseColumns{0};
    FeatureOperators m_dense;
    FeatureOperators m_sparse;
    uint32_t m_modulus{0};
    uint32_t m_neg2ZeroCycles{0};
    uint32_t m_logarithmCycles{0};
    uint32_t m_modulusCycles{0};
    uint32_t m_edgeCycles{0};

    std::unordered_map<uint64_t, Message> m_messages; ///< By GetKey(). Never iterated.
    StreamTiming m_timing;
    uint64_t m_droppedMessages{0};
};

} // namespace ns3::rdma

#endif // FPGA_PREPROCESSING_SERVICE_H
