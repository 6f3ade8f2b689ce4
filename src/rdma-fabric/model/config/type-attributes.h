// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TYPE_ATTRIBUTES_H
#define RDMA_TYPE_ATTRIBUTES_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/boolean.h"
#include "ns3/bounded-checker.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <limits>
#include <string>
#include <type_traits>

namespace ns3::rdma
{

/// The bound of a rate that may be any, 0 included.
struct AnyRate
{
};

/**
 * @ingroup rdma-engine
 * @brief ns-3's attribute of a C++ type: the class of its values, and the checker of its bounds.
 */
template <typename T, typename = void>
struct AttributeKind
{
    static_assert(std::is_unsigned_v<T>);
    using Value = UintegerValue;

    static Ptr<const AttributeChecker> MakeChecker(uint64_t least = 0,
                                                   uint64_t most = std::numeric_limits<T>::max())
    {
        return MakeUintegerChecker<T>(least, most);
    }
};

template <>
struct AttributeKind<bool>
{
    using Value = BooleanValue;

    static Ptr<const AttributeChecker> MakeChecker()
    {
        return MakeBooleanChecker();
    }
};

template <>
struct AttributeKind<int32_t>
{
    using Value = IntegerValue;

    static Ptr<const AttributeChecker> MakeChecker(int32_t least, int32_t most)
    {
        return MakeIntegerChecker<int32_t>(least, most);
    }
};

template <>
struct AttributeKind<double>
{
    using Value = DoubleValue;

    static Ptr<const AttributeChecker> MakeChecker(double least,
                                                   double most = std::numeric_limits<double>::max())
    {
        return MakeDoubleChecker<double>(least, most);
    }
};

template <>
struct AttributeKind<DataRate>
{
    using Value = DataRateValue;

    static Ptr<const AttributeChecker> MakeChecker(uint64_t least = LEAST_RATE,
                                                   uint64_t most = MOST_RATE)
    {
        return MakeRateChecker(least, most);
    }

    static Ptr<const AttributeChecker> MakeChecker(AnyRate /* bound */)
    {
        return MakeDataRateChecker();
    }
};

/// Bounds that are Ticks are exact; see MakeTickChecker().
template <>
struct AttributeKind<Time>
{
    using Value = TimeValue;

    static Ptr<const AttributeChecker> MakeChecker(Time least, Time most = Time::Max())
    {
        return MakeTimeChecker(least, most);
    }

    static Ptr<const AttributeChecker> MakeChecker(Tick least, Tick most = TICK_NEVER)
    {
        return MakeTickChecker(least, most);
    }
};

template <>
struct AttributeKind<Tick> : AttributeKind<Time>
{
};

template <>
struct AttributeKind<TypeId>
{
    using Value = TypeIdValue;

    static Ptr<const AttributeChecker> MakeChecker()
    {
        return MakeTypeIdChecker();
    }
};

template <>
struct AttributeKind<std::string>
{
    using Value = StringValue;

    static Ptr<const AttributeChecker> MakeChecker()
    {
        return MakeStringChecker();
    }
};

/// Default, accessor and checker of an attribute.
struct AttributeField
{
    Ptr<const AttributeValue> initial;
    Ptr<const AttributeAccessor> accessor;
    Ptr<const AttributeChecker> checker;
};

/// @param initial T, or its text
/// @param bounds arguments of AttributeKind<T>::MakeChecker()
template <typename T, typename Initial, typename... Bounds>
AttributeField
MakeField(Ptr<const AttributeAccessor> accessor, const Initial& initial, Bounds... bounds)
{
    using Kind = AttributeKind<T>;
    using Value = std::conditional_t<std::is_convertible_v<Initial, const char*>,
                                     StringValue,
                                     typename Kind::Value>;
    return {Value(initial).Copy(), std::move(accessor), Kind::MakeChecker(bounds...)};
}

/// Reads and writes a value of an object; made by MakeFieldAccessor().
template <typename Class, typename T, typename Read, typename Change>
class FieldAccessor : public AccessorHelper<Class, typename AttributeKind<T>::Value>
{
  public:
    using Value = typename AttributeKind<T>::Value;

    FieldAccessor(Read read, Change change)
        : m_read(read),
          m_change(change)
    {
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    bool DoSet(Class* object, const Value* value) const override
    {
        if constexpr (std::is_same_v<T, Tick>)
        {
            m_change(*object) = ToTick(value->Get());
        }
        else
        {
            T read{};
            if (!value->GetAccessor(read))
            {
                return false;
            }
            m_change(*object) = read;
        }
        return true;
    }

    bool DoGet(const Class* object, Value* value) const override
    {
        if constexpr (std::is_same_v<T, Tick>)
        {
            value->Set(ToTime(m_read(*object)));
        }
        else
        {
            value->Set(m_read(*object));
        }
        return true;
    }

    Read m_read;
    Change m_change;
};

/// @param read from a const Class& to the value @param change from a Class& to a T&
template <typename Class, typename T, typename Read, typename Change>
Ptr<const AttributeAccessor>
MakeFieldAccessor(Read read, Change change)
{
    return ns3::Create<FieldAccessor<Class, T, Read, Change>>(read, change);
}

/// An attribute that is a data member.
/// @param initial, bounds as of MakeField()
template <typename T, typename Class, typename Initial, typename... Bounds>
AttributeField
Member(T Class::*member, const Initial& initial, Bounds... bounds)
{
    return MakeField<T>(
        MakeFieldAccessor<Class, T>([=](const Class& object) { return object.*member; },
                                    [=](Class& object) -> T& { return object.*member; }),
        initial,
        bounds...);
}

/// An attribute that is a field of a data member.
/// @param initial, bounds as of MakeField()
template <typename T, typename Class, typename Held, typename Initial, typename... Bounds>
AttributeField
Part(Held Class::*held, T Held::*field, const Initial& initial, Bounds... bounds)
{
    return MakeField<T>(
        MakeFieldAccessor<Class, T>([=](const Class& object) { return object.*held.*field; },
                                    [=](Class& object) -> T& { return object.*held.*field; }),
        initial,
        bounds...);
}

/// An attribute that functions of its class write and read.
/// @param initial, bounds as of MakeField()
template <typename Set, typename T, typename Class, typename Initial, typename... Bounds>
AttributeField
Property(void (Class::*set)(Set), T (Class::*get)() const, const Initial& initial, Bounds... bounds)
{
    using Value = typename AttributeKind<T>::Value;
    return MakeField<T>(MakeAccessorHelper<Value>(set, get), initial, bounds...);
}

/**
 * @ingroup rdma-engine
 * @brief Adds attributes to a TypeId. The C++ type of an attribute selects the class of its values
 * and its checker.
 *
 * Each attribute gets a checker of its own: ns-3 distinguishes attributes by their checkers.
 */
class TypeAttributes
{
  public:
    explicit TypeAttributes(TypeId type);

    /// @param name of a class with a constructor, namespaces included; @param group of its module
    template <typename Class, typename Parent>
    static TypeAttributes Of(const std::string& name, const std::string& group)
    {
        return TypeAttributes(
            TypeId(name).SetParent<Parent>().SetGroupName(group).template AddConstructor<Class>());
    }

    TypeAttributes& Add(const std::string& name,
                        const AttributeField& field,
                        const std::string& help);

    operator TypeId() const
    {
        return m_type;
    }

  private:
    TypeId m_type;
};

} // namespace ns3::rdma

#endif // RDMA_TYPE_ATTRIBUTES_H
