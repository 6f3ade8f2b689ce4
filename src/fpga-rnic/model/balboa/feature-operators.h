// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_FEATURE_OPERATORS_H
#define FPGA_FEATURE_OPERATORS_H

#include "ns3/attribute.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What preprocessing does to one feature, a value of 32 bits (BALBOA section 8.1).
enum class FeatureOperator : uint8_t
{
    NEG2ZERO,  ///< Of a signed integer: what is negative becomes 0.
    LOGARITHM, ///< Of a signed integer x: log(1 + x) as a 32-bit float.
    MODULUS,   ///< Of a signed integer: the remainder, which is not negative.
};

/**
 * @ingroup fpga-balboa
 * @brief Operators that a feature goes through, one behind the other.
 *
 * As a text their names with commas between, "neg2zero,logarithm"; none is "".  A logarithm makes a
 * float, so it is the last one.
 */
class FeatureOperators
{
  public:
    FeatureOperators() = default;

    /// @param text without a fault
    explicit FeatureOperators(const std::string& text);

    /// @return what is wrong with a text; empty: nothing.
    static std::string FindFault(const std::string& text);

    /// @param modulus at least 1 @return the bits of what becomes of a feature.
    uint32_t Apply(uint32_t feature, uint32_t modulus) const;

    bool Has(FeatureOperator one) const;

  private:
    std::vector<FeatureOperator> m_operators;
};

/// @return a checker of texts of operators; a new one with each call.
Ptr<const AttributeChecker> MakeOperatorsChecker();

} // namespace ns3::rdma

#endif // FPGA_FEATURE_OPERATORS_H
