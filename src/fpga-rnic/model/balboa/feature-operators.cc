// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/feature-operators.h"

#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>

namespace ns3::rdma
{

namespace
{

constexpr const char* OPERATOR_NAMES[]{"neg2zero", "logarithm", "modulus"};
constexpr const char* EXPECTED{
    "operators of neg2zero, logarithm and modulus with commas between, a logarithm last"};

std::optional<FeatureOperator>
FindOperator(const std::string& name)
{
    const auto found = std::find(std::begin(OPERATOR_NAMES), std::end(OPERATOR_NAMES), name);
    return found == std::end(OPERATOR_NAMES)
               ? std::nullopt
               : std::optional(static_cast<FeatureOperator>(found - std::begin(OPERATOR_NAMES)));
}

std::vector<std::string>
SplitOperators(const std::string& text)
{
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size() && !text.empty();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        names.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

uint32_t
ToBits(float value)
{
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// As numpy's float32(log1p(x)), but with a single NaN.
uint32_t
TakeLogarithm(int32_t value)
{
    if (value < -1)
    {
        return ToBits(std::numeric_limits<float>::quiet_NaN());
    }
    return ToBits(static_cast<float>(std::log1p(static_cast<double>(value))));
}

/// As numpy's x % modulus.
uint32_t
TakeModulus(int32_t value, uint32_t modulus)
{
    const auto signedModulus = static_cast<int64_t>(modulus);
    const int64_t rest = value % signedModulus;
    return static_cast<uint32_t>(rest < 0 ? rest + signedModulus : rest);
}

/// A checker of strings whose error states the expected form.
class OperatorsChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto* text = dynamic_cast<const StringValue*>(&value);
        return text && FeatureOperators::FindFault(text->Get()).empty();
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::StringValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return EXPECTED;
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<StringValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        const auto* from = dynamic_cast<const StringValue*>(&source);
        auto* to = dynamic_cast<StringValue*>(&destination);
        if (!from || !to)
        {
            return false;
        }
        to->Set(from->Get());
        return true;
    }
};

} // namespace

FeatureOperators::FeatureOperators(const std::string& text)
{
    for (const std::string& name : SplitOperators(text))
    {
        m_operators.push_back(*FindOperator(name));
    }
}

std::string
FeatureOperators::FindFault(const std::string& text)
{
    const std::vector<std::string> names = SplitOperators(text);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const auto found = FindOperator(names[i]);
        if (!found || (*found == FeatureOperator::LOGARITHM && i + 1 < names.size()))
        {
            return std::string("expected ") + EXPECTED + ", got \"" + text + '"';
        }
    }
    return {};
}

uint32_t
FeatureOperators::Apply(uint32_t feature, uint32_t modulus) const
{
    uint32_t bits = feature;
    for (const FeatureOperator one : m_operators)
    {
        const auto value = static_cast<int32_t>(bits);
        switch (one)
        {
        case FeatureOperator::NEG2ZERO:
            bits = value < 0 ? 0 : bits;
            break;
        case FeatureOperator::LOGARITHM:
            bits = TakeLogarithm(value);
            break;
        case FeatureOperator::MODULUS:
            bits = TakeModulus(value, modulus);
            break;
        }
    }
    return bits;
}

bool
FeatureOperators::Has(FeatureOperator one) const
{
    return std::find(m_operators.begin(), m_operators.end(), one) != m_operators.end();
}

Ptr<const AttributeChecker>
MakeOperatorsChecker()
{
    return ns3::Create<OperatorsChecker>();
}

} // namespace ns3::rdma
