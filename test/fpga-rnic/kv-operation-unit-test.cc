// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-operation-unit.h"

#include "../expect-error.h"
#include "kv-test-bench.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{
class KvOperationUnitTest : public testing::Test
{
  protected:
    KvOperationUnitTest()
        : m_unit(m_functions)
    {
        const auto width = [](uint32_t bytes) { return UintegerValue(bytes); };
        m_functions.Add(CreateObjectWithAttributes<KvAdd>("ElementBytes", width(2)));
        m_functions.Add(CreateObjectWithAttributes<KvCompareSwap>("ElementBytes", width(4)));
        m_functions.Add(CreateObjectWithAttributes<KvNonZero>("ElementBytes", width(1)));
        m_functions.Add(CreateObjectWithAttributes<KvMax>("ElementBytes", width(1)));
    }

    KvEffect Apply(KvOpcode opcode,
                   uint8_t function,
                   const Bytes& operand,
                   const Bytes& value,
                   bool isFound = true)
    {
        KvOperation operation;
        operation.opcode = opcode;
        operation.function = function;
        operation.operand = ByteView(operand);
        operation.isWithoutReturn = m_isWithoutReturn;
        return m_unit.Apply(operation, isFound, ByteView(value), m_stored, m_answer, m_status);
    }

    KvFunctionTable m_functions;
    KvOperationUnit m_unit;
    Bytes m_stored;
    Bytes m_answer;
    KvStatus m_status{KvStatus::OK};
    bool m_isWithoutReturn{false};
};
} // namespace

TEST_F(KvOperationUnitTest, AnUpdateAnswersWithTheValueAsItWas)
{
    // 0x00ff + 1 = 0x0100, little-endian.
    EXPECT_EQ(Apply(KvOpcode::UPDATE_SCALAR, 0, {1, 0}, {0xff, 0}), KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{0, 1}));
    EXPECT_EQ(m_answer, (Bytes{0xff, 0}));
    EXPECT_EQ(m_status, KvStatus::OK);
}

TEST_F(KvOperationUnitTest, AnUpdateWithoutReturnAnswersWithItsStatus)
{
    m_isWithoutReturn = true;
    EXPECT_EQ(Apply(KvOpcode::UPDATE_SCALAR, 0, {1, 0}, {5, 0}), KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{6, 0}));
    EXPECT_TRUE(m_answer.empty());
}

TEST_F(KvOperationUnitTest, AScalarIsAddedToEachElementAndAVectorElementByElement)
{
    EXPECT_EQ(Apply(KvOpcode::UPDATE_VECTOR, 0, {2, 0}, {1, 0, 2, 0, 3, 0}), KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{3, 0, 4, 0, 5, 0}));
    EXPECT_EQ(Apply(KvOpcode::UPDATE_VECTOR_BY_VECTOR, 0, {1, 0, 2, 0}, {10, 0, 10, 0}),
              KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{11, 0, 12, 0}));
}

TEST_F(KvOperationUnitTest, CompareAndSwapStoresOnlyWhatWasExpected)
{
    EXPECT_EQ(Apply(KvOpcode::UPDATE_SCALAR, 1, {1, 0, 0, 0, 9, 0, 0, 0}, {1, 0, 0, 0}),
              KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{9, 0, 0, 0}));
    EXPECT_EQ(Apply(KvOpcode::UPDATE_SCALAR, 1, {2, 0, 0, 0, 9, 0, 0, 0}, {1, 0, 0, 0}),
              KvEffect::STORE);
    EXPECT_EQ(m_stored, (Bytes{1, 0, 0, 0}));
    EXPECT_EQ(m_answer, (Bytes{1, 0, 0, 0}));
}

TEST_F(KvOperationUnitTest, AReductionBeginsWithItsOperandAndStoresNothing)
{
    EXPECT_EQ(Apply(KvOpcode::REDUCE, 0, {100, 0}, {1, 0, 2, 0}), KvEffect::NONE);
    EXPECT_EQ(m_answer, (Bytes{103, 0}));
    EXPECT_EQ(Apply(KvOpcode::REDUCE, 3, {4}, {1, 7, 2}), KvEffect::NONE);
    EXPECT_EQ(m_answer, (Bytes{7}));
}

TEST_F(KvOperationUnitTest, AFilterKeepsTheElementsInTheirOrder)
{
    EXPECT_EQ(Apply(KvOpcode::FILTER, 2, {}, {0, 3, 0, 1, 0}), KvEffect::NONE);
    EXPECT_EQ(m_answer, (Bytes{3, 1}));
}

TEST_F(KvOperationUnitTest, OperandsAndValuesOfOtherWidthsAreRefused)
{
    const auto refuses = [this](KvOpcode opcode, const Bytes& operand, const Bytes& value) {
        m_stored = {42};
        return Apply(opcode, 0, operand, value) == KvEffect::NONE &&
               m_status == KvStatus::BAD_OPERAND && m_answer.empty() && m_stored == Bytes{42};
    };
    EXPECT_TRUE(refuses(KvOpcode::UPDATE_SCALAR, {1}, {1, 0}));
    EXPECT_TRUE(refuses(KvOpcode::UPDATE_SCALAR, {1, 0}, {1, 0, 2, 0})); // Two elements.
    EXPECT_TRUE(refuses(KvOpcode::UPDATE_VECTOR, {1, 0}, {1, 0, 2}));
    EXPECT_TRUE(refuses(KvOpcode::UPDATE_VECTOR_BY_VECTOR, {1, 0}, {1, 0, 2, 0}));
    EXPECT_TRUE(refuses(KvOpcode::REDUCE, {1}, {1, 0}));
    EXPECT_TRUE(refuses(KvOpcode::FILTER, {}, {1}));
}

TEST_F(KvOperationUnitTest, AFunctionThatIsNotForTheOperationIsRefused)
{
    for (const auto& [opcode, function] : {std::pair{KvOpcode::FILTER, 0},
                                           std::pair{KvOpcode::UPDATE_SCALAR, 2},
                                           std::pair{KvOpcode::REDUCE, 2},
                                           std::pair{KvOpcode::UPDATE_SCALAR, 200}})
    {
        const Bytes value = function == 2 ? Bytes{1} : Bytes{1, 0};
        EXPECT_EQ(Apply(opcode, static_cast<uint8_t>(function), value, value), KvEffect::NONE);
        EXPECT_EQ(m_status, KvStatus::NO_FUNCTION) << static_cast<int>(opcode);
        EXPECT_TRUE(m_answer.empty());
    }
}

TEST_F(KvOperationUnitTest, OnlyAPutNeedsNoValue)
{
    EXPECT_EQ(Apply(KvOpcode::PUT, 0, {1}, {}, false), KvEffect::STORE);
    EXPECT_EQ(m_stored, Bytes{1});
    for (const KvOpcode opcode : {KvOpcode::GET, KvOpcode::DELETE, KvOpcode::UPDATE_SCALAR})
    {
        EXPECT_EQ(Apply(opcode, 0, {1, 0}, {}, false), KvEffect::NONE);
        EXPECT_EQ(m_status, KvStatus::NOT_FOUND);
    }
}

TEST(KvFunctions, AWidthThatIsNoPowerOfTwoIsRefused)
{
    ExpectError<VerbsError>(
        [] { CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(3)); },
        "ElementBytes is 1, 2, 4 or 8, not 3");
}

} // namespace ns3::rdma::test
