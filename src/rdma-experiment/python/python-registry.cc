// SPDX-License-Identifier: GPL-2.0-only

#include "python-registry.h"

#include "python-admission.h"
#include "python-congestion-control.h"
#include "python-entropy-selector.h"
#include "python-load-balancer.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3::rdma
{

namespace py = pybind11;

namespace
{

/// As long as ns-3's own registry of types. Never freed: the interpreter may be gone at exit.
std::map<std::string, PythonClass>&
GetClasses()
{
    static auto* const classes = new std::map<std::string, PythonClass>;
    return *classes;
}

py::object
ToPythonValue(const AttributeValue& value)
{
    if (const auto* number = dynamic_cast<const DoubleValue*>(&value))
    {
        return py::float_(number->Get());
    }
    if (const auto* whole = dynamic_cast<const IntegerValue*>(&value))
    {
        return py::int_(whole->Get());
    }
    if (const auto* truth = dynamic_cast<const BooleanValue*>(&value))
    {
        return py::bool_(truth->Get());
    }
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return py::int_(time->Get().GetPicoSeconds());
    }
    if (const auto* rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return py::int_(rate->Get().GetBitRate());
    }
    return py::str(dynamic_cast<const StringValue&>(value).Get());
}

/// Sets an attribute of the Python object behind a policy.
class PythonAccessor : public AttributeAccessor
{
  public:
    explicit PythonAccessor(std::string name)
        : m_name(std::move(name))
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* const policy = dynamic_cast<PythonPolicy*>(object);
        if (policy)
        {
            policy->SetValue(m_name, ToPythonValue(value));
        }
        return policy != nullptr;
    }

    bool Get(const ObjectBase*, AttributeValue&) const override
    {
        return false;
    }

    bool HasGetter() const override
    {
        return false;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    std::string m_name;
};

[[noreturn]] void
FailAttribute(const PythonAttribute& attribute, const std::string& expected, const std::string& got)
{
    throw InputError("attribute " + attribute.name + ": expected " + expected + ", got " + got);
}

Time
ParseTimeBound(const PythonAttribute& attribute, const std::string& text, Time unbounded)
{
    const auto time = text.empty() ? unbounded : ParseTime(text);
    if (!time)
    {
        FailAttribute(attribute, "a time as \"20us\"", text);
    }
    return *time;
}

Ptr<const AttributeChecker>
MakeChecker(const PythonAttribute& one)
{
    using Doubles = std::numeric_limits<double>;
    using Wholes = std::numeric_limits<int64_t>;
    if (one.kind == "double")
    {
        return MakeDoubleChecker<double>(
            one.minimum.empty() ? Doubles::lowest() : std::stod(one.minimum),
            one.maximum.empty() ? Doubles::max() : std::stod(one.maximum));
    }
    if (one.kind == "integer")
    {
        return MakeIntegerChecker<int64_t>(
            one.minimum.empty() ? Wholes::min() : std::stoll(one.minimum),
            one.maximum.empty() ? Wholes::max() : std::stoll(one.maximum));
    }
    if (one.kind == "time")
    {
        return MakeTimeChecker(ParseTimeBound(one, one.minimum, Time::Min()),
                               ParseTimeBound(one, one.maximum, Time::Max()));
    }
    return one.kind == "boolean" ? MakeBooleanChecker()
           : one.kind == "rate"  ? MakeDataRateChecker()
                                 : MakeStringChecker();
}

/// @return the default of an attribute. @throws InputError
Ptr<AttributeValue>
MakeValue(const PythonAttribute& one)
{
    const std::string& text = one.initial;
    // ns-3 itself takes text that is not a quantity for a part of one.
    const bool isSound =
        (one.kind != "time" || ParseTime(text)) && (one.kind != "rate" || ParseRate(text));
    const Ptr<AttributeValue> value =
        isSound ? MakeChecker(one)->CreateValidValue(StringValue(text)) : nullptr;
    if (!value)
    {
        FailAttribute(one,
                      "a value of kind " + one.kind + " within its bounds",
                      "\"" + text + "\"");
    }
    return value;
}

bool
IsSame(const PythonAttribute& left, const PythonAttribute& right)
{
    return left.name == right.name && left.kind == right.kind && left.minimum == right.minimum &&
           left.maximum == right.maximum && left.initial == right.initial;
}

/// @return the type of a class that ns-3 does not know yet.
TypeId
MakeType(const PythonClass& one)
{
    TypeId type(one.name);
    const auto base = py::cast<std::string>(one.base.attr("__name__"));
    if (base == "LoadBalancer")
    {
        type.SetParent<LoadBalancer>().AddConstructor<PythonLoadBalancer>();
    }
    else if (base == "EntropySelector")
    {
        type.SetParent<EntropySelector>().AddConstructor<PythonEntropySelector>();
    }
    else if (base == "OutOfOrderAdmission")
    {
        type.SetParent<OutOfOrderAdmission>().AddConstructor<PythonAdmission>();
    }
    else
    {
        type.SetParent<CongestionControl>().AddConstructor<PythonCongestionControl>();
    }
    return type.SetGroupName("Python");
}

} // namespace

void
RegisterPythonClass(const PythonClass& one)
{
    std::vector<Ptr<AttributeValue>> values;
    for (const PythonAttribute& attribute : one.attributes)
    {
        values.push_back(MakeValue(attribute));
    }
    const auto known = GetClasses().find(one.name);
    if (known != GetClasses().end())
    {
        const auto& before = known->second;
        if (!before.base.is(one.base) || !std::equal(before.attributes.begin(),
                                                     before.attributes.end(),
                                                     one.attributes.begin(),
                                                     one.attributes.end(),
                                                     IsSame))
        {
            throw InputError(one.name +
                             ": expected the base and the attributes that a class of this name had "
                             "before in this process, got others (choose another name)");
        }
        known->second = one;
        return;
    }
    TypeId type = MakeType(one);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const PythonAttribute& attribute = one.attributes[i];
        type.AddAttribute(attribute.name,
                          attribute.help,
                          TypeId::ATTR_SET | TypeId::ATTR_CONSTRUCT,
                          *values[i],
                          Create<PythonAccessor>(attribute.name),
                          MakeChecker(attribute));
    }
    GetClasses().emplace(one.name, one);
}

const PythonClass&
FindPythonClass(const std::string& name)
{
    return GetClasses().at(name);
}

bool
HasPythonClasses()
{
    return !GetClasses().empty();
}

std::vector<std::string>
FindUsedClasses(const std::string& scenarioText)
{
    std::vector<std::string> used;
    for (const auto& [name, one] : GetClasses())
    {
        if (scenarioText.find('"' + name + '"') != std::string::npos)
        {
            used.push_back(name + " (" + one.source + ")");
        }
    }
    return used;
}

py::object
ParseInitialValue(const PythonAttribute& attribute)
{
    return ToPythonValue(*MakeValue(attribute));
}

} // namespace ns3::rdma
