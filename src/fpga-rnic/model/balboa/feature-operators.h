// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_FEATURE_OPERATORS_H
#define FPGA_FEATURE_OPERATORS_H

#include "ns3/attribute.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// An operation of preprocessing on a feature, a value of 32 bits (BALBOA section 8.1).
enum class FeatureOperator : uint8_t
{
    NEG2ZERO,  ///< Of a signed integer: negative values become 0.
    LOGARITHM, ///< Of a signed integer x: log(1 + x) as a 32-bit float.
    MODULUS,   ///< Of a signed integer: the remainder, which is not negative.
};

/**
 * @ingroup fpga-balboa
 * @brief Operators that are applied to a feature, one after the other.
 *
 * The text form is their names separated by commas, "neg2zero,logarithm", or "".  A logarithm
 * returns a float, so it must be the last operator.
 */
class FeatureOperators
{
  public:
    FeatureOperators() = default;

    /// @param text without a fault
    explicit FeatureOperators(const std::string& text);

    /// @return the fault of a text; empty if it has none.
    static std::string FindFault(const std::string& text);

    /// @param modulus at least 1
    /// @return the bits of the result.
    uint32_t Apply(uint32_t feature, uint32_t modulus) const;

    bool Has(FeatureOperator one) const;

  private:
    std::vector<FeatureOperator> m_operators;
};

/// @return a new checker for texts of operators.
Ptr<const AttributeChecker> MakeOperatorsChecker();

} // namespace ns3::rdma

#endif // FPGA_FEATURE_OPERATORS_H
