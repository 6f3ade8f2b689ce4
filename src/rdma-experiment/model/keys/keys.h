// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEYS_H
#define RDMA_KEYS_H

#include "ns3/json-value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::rdma
{

class Keys;

/// What the value of a key is.
enum class KeyType : uint8_t
{
    COUNT,   ///< A whole number.
    NUMBER,  ///< Any number.
    NUMBERS, ///< A number, or a list of them.
    RATE,    ///< "100Gbps".
    TIME,    ///< "1us".
    SIZE,    ///< "32MiB".
    BYTES,   ///< As SIZE, or a number.
    FLAG,    ///< true or false.
    TEXT,    ///< A string.
    FILE,    ///< Path of a file, relative to the scenario.
    CHOICE,  ///< One of several words.
    GROUP,   ///< Name of a group of servers.
    TYPE,    ///< Name of a class with a TypeId.
    OBJECT,  ///< Keys of its own.
    LIST,    ///< Of objects.
    MAP,     ///< An object whose keys are names.
    OTHER,   ///< As its meaning says.
};

/// What is said of a key where it is declared. Texts outlive the visit.
struct KeySpec
{
    const char* name{""};
    KeyType type{KeyType::OTHER};
    const char* meaning{""};
    bool isRequired{false};
    bool isConditional{false}; ///< Other keys say whether it is required.
    bool isUsed{true};         ///< Otherwise it must not be there.
    bool isOmitted{false};     ///< From what is written.
    bool canBeZero{true};      ///< A time.
    bool hasUnit{false};       ///< Bytes are written with a unit.
    bool isForm{false};        ///< One of several keys of which exactly one is there.
    std::string unused;        ///< What is expected where it must not be there; for a table, too.
    std::string unusedGot;     ///< What is there instead; empty: the value.
    std::string otherwise;     ///< The default in words; empty: what the object has.
    uint64_t least{0};         ///< Of a COUNT or bytes.
    uint64_t most{std::numeric_limits<uint64_t>::max()};
    std::optional<double> lower; ///< Of a NUMBER, or of each of NUMBERS.
    std::optional<double> upper;
    bool isLowerOpen{false}; ///< It must be above `lower`.
    bool isUpperOpen{false};
    std::vector<std::string> choices;
    const char* called{""};   ///< Of a CHOICE, for messages that do not list all of them.
    const char* shape{""};    ///< Of an OTHER: JSON Schema of its value, as JSON; empty: anything.
    const char* base{""};     ///< Of a TYPE: the class that it is derived from.
    const char* shortKey{""}; ///< A text in place of an object is the value of this key of it.
    bool isOfGroups{false};   ///< The names of a MAP are groups.
    const char* shipped{""};  ///< Of a FILE: one with this extension may be named as it is shipped.
    /// Readers call it after the value is read. @throws InputError
    std::function<void(const JsonValue&)> complete;

    /// @return as "a number above 0 and at most 1".
    std::string DescribeBounds() const;
};

/// How the value of a key reaches the object.
struct KeyValueAccess
{
    std::function<void(const JsonValue&, const KeySpec&)> read;
    /// @return what read() reads back; null: nothing.
    std::function<nlohmann::ordered_json(const KeySpec&)> write;
    std::function<void()> reset{}; ///< If the key is not there; null: the object is as it was.
};

/// The same of a key whose value has keys.
struct KeyObjectAccess
{
    std::function<bool()> isSet;
    std::function<void(Keys&)> visit;  ///< Makes the object if it is not set.
    std::function<void(Keys&)> sample; ///< Visits another object with default values.
};

/// The same of a list of such values.
struct KeyListAccess
{
    std::function<std::size_t()> count;
    std::function<void(Keys&, std::size_t)> visit; ///< Makes the element if there is none.
    std::function<void(Keys&)> sample;             ///< Visits an element with default values.
};

/// The same of an object whose keys are names. A visit declares the one key of a name.
struct KeyMapAccess
{
    std::function<std::vector<std::string>()> list;
    std::function<void(Keys&, const std::string& name)>
        visit;                         ///< Makes the value if there is none.
    std::function<void(Keys&)> sample; ///< A name with a default value.
};

using KeyAccess = std::variant<KeyValueAccess, KeyObjectAccess, KeyListAccess, KeyMapAccess>;

/// A value, or an optional one, of an object that is visited.
template <typename T>
class KeyField
{
  public:
    // Implicit: a declaration names the member.
    KeyField(T& value)
        : m_value(&value)
    {
    }

    KeyField(std::optional<T>& value)
        : m_optional(&value)
    {
    }

    const T* Find() const
    {
        return m_value ? m_value : *m_optional ? &**m_optional : nullptr;
    }

    void Set(T value) const
    {
        if (m_value)
        {
            *m_value = std::move(value);
        }
        else
        {
            *m_optional = std::move(value);
        }
    }

  private:
    T* m_value{nullptr};
    std::optional<T>* m_optional{nullptr};
};

/**
 * @ingroup rdma-scenario
 * @brief The declaration of one key, to which a statement of Visit() adds what else is to be said:
 * keys.Count("repeats", m_repeats, "rounds").AtLeast(1);
 *
 * At the end of the statement the key is read, written or listed, with all that was said.
 */
class Key
{
  public:
    Key(Keys& keys, KeySpec spec, KeyAccess access);
    /// The other one is no declaration any more.
    Key(Key&& other) noexcept;
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    /// @throws InputError
    ~Key() noexcept(false);

    Key& Required();
    Key& RequiredIf(bool condition);
    /// Otherwise it must not be there. @param expected as "no such key unless memory is \"gpu\""
    /// @param got what there is instead; empty: the value
    Key& OnlyIf(bool condition, std::string expected, std::string got = "");
    /// It is not in the resolved scenario then.
    Key& OmitIf(bool condition);
    /// @param text the default, if it depends on other keys or on the run
    Key& Otherwise(std::string text);
    /// A time above zero.
    Key& Positive();
    /// Bytes are written as "1MiB".
    Key& WithUnit();
    /// A choice among many: messages have this and the nearest ones. @param name as "a NIC preset"
    Key& Called(const char* name);
    /// JSON Schema of the value of an Other(), as JSON.
    Key& Shape(const char* schema);
    /// A text in place of the object, or of one of a list, is the value of a key of it. An object
    /// with this key alone is written as text.
    Key& Short(const char* name);
    /// The file may be a shipped one, by its name without extension. @param extension as ".cdf"
    Key& Shipped(const char* extension);
    /// The names of a map are groups of servers.
    Key& OfGroups();
    /// @param complete called by readers after the value is read @throws InputError
    Key& Then(std::function<void(const JsonValue&)> complete);

    /// The least value of a number, a count or bytes.
    template <typename Number>
    Key& AtLeast(Number least)
    {
        m_spec.lower = static_cast<double>(least);
        if constexpr (std::is_integral_v<Number>)
        {
            m_spec.least = static_cast<uint64_t>(least);
        }
        return *this;
    }

    /// The greatest value of a number, a count or bytes.
    template <typename Number>
    Key& AtMost(Number most)
    {
        m_spec.upper = static_cast<double>(most);
        if constexpr (std::is_integral_v<Number>)
        {
            m_spec.most = static_cast<uint64_t>(most);
        }
        return *this;
    }

    template <typename Number>
    Key& Between(Number least, Number most)
    {
        return AtLeast(least).AtMost(most);
    }

    /// Bounds of a number that it must not reach.
    Key& Above(double bound);
    Key& Below(double bound);

  private:
    Keys& m_keys;
    KeySpec m_spec;
    KeyAccess m_access;
    int m_exceptions;      ///< That are under way where the statement begins.
    bool m_isMoved{false}; ///< Another Key is the declaration.
};

/**
 * @ingroup rdma-scenario
 * @brief Visits the keys of an object: `Visit(Keys&)` of a class declares each key once, and serves
 * those who read, write, list and document them.
 *
 * A Visit() declares all keys in each visit, whatever their values; OnlyIf() and RequiredIf() say
 * what depends on the values of keys before.  It changes members only by its declarations.
 */
class Keys
{
  public:
    virtual ~Keys() = default;

    // Each is of the type of that name. @param meaning a part of a sentence for tables

    Key Count(const char* name, KeyField<uint8_t> field, const char* meaning);
    Key Count(const char* name, KeyField<uint16_t> field, const char* meaning);
    Key Count(const char* name, KeyField<uint32_t> field, const char* meaning);
    Key Count(const char* name, KeyField<uint32_t> field, uint32_t other, const char* meaning);
    Key Count(const char* name, KeyField<uint64_t> field, const char* meaning);
    Key Number(const char* name, KeyField<double> field, const char* meaning);
    Key Numbers(const char* name, std::vector<double>& field, const char* meaning);
    Key Rate(const char* name, KeyField<DataRate> field, const char* meaning);
    /// @param other what the member becomes if the key is not there
    Key Rate(const char* name, KeyField<DataRate> field, DataRate other, const char* meaning);
    Key Time(const char* name, KeyField<ns3::Time> field, const char* meaning);
    Key Time(const char* name, KeyField<ns3::Time> field, ns3::Time other, const char* meaning);
    /// In ticks.
    Key Time(const char* name, KeyField<int64_t> field, const char* meaning);
    Key Size(const char* name, KeyField<uint64_t> field, const char* meaning);
    Key Bytes(const char* name, KeyField<uint64_t> field, const char* meaning);
    Key Bytes(const char* name, KeyField<uint32_t> field, const char* meaning);
    Key Flag(const char* name, KeyField<bool> field, const char* meaning);
    Key Flag(const char* name, KeyField<bool> field, bool other, const char* meaning);
    /// Empty: it is not there.
    Key Text(const char* name, std::string& field, const char* meaning);
    /// @param read of a value that is there @throws InputError
    Key Text(const char* name,
             std::string& field,
             std::string (*read)(const JsonValue&),
             const char* meaning);
    Key File(const char* name, std::string& field, const char* meaning);
    Key Group(const char* name, std::string& field, const char* meaning);
    /// The name of a class. @param base that it is derived from
    Key Type(const char* name, std::string& field, const char* base, const char* meaning);
    Key Choice(const char* name,
               std::string& field,
               std::vector<std::string> choices,
               const char* meaning);

    /// @param choices each with the value that it stands for
    template <typename Value, std::size_t N>
    Key Choice(const char* name,
               Value& field,
               const std::array<std::pair<const char*, Value>, N>& choices,
               const char* meaning)
    {
        std::vector<std::string> names;
        for (const auto& choice : choices)
        {
            names.emplace_back(choice.first);
        }
        return ChoiceOf(
            name,
            std::move(names),
            [&field, choices] {
                std::size_t place = 0;
                while (place < N && choices[place].second != field)
                {
                    ++place;
                }
                return place;
            },
            [&field, choices](std::size_t place) { field = choices[place].second; },
            meaning);
    }

    /// A group, or how many servers. @param group empty: the number counts
    Key GroupOrCount(const char* name, std::string& group, uint32_t& count, const char* meaning);

    /// An object, or an optional one. @param visit (Keys&, T&)
    template <typename T, typename Visit>
    Key Object(const char* name, std::optional<T>& field, Visit visit, const char* meaning)
    {
        return Declare(name,
                       KeyType::OBJECT,
                       KeyObjectAccess{[&field] { return field.has_value(); },
                                       [&field, visit](Keys& keys) {
                                           field = field ? std::move(field) : T{};
                                           visit(keys, *field);
                                       },
                                       [visit](Keys& keys) {
                                           T sample{};
                                           visit(keys, sample);
                                       }},
                       meaning);
    }

    /// @param isSet whether it is written
    template <typename T, typename Visit>
    Key Object(const char* name, T& field, bool isSet, Visit visit, const char* meaning)
    {
        return Declare(name,
                       KeyType::OBJECT,
                       KeyObjectAccess{[isSet] { return isSet; },
                                       [&field, visit](Keys& keys) { visit(keys, field); },
                                       [visit](Keys& keys) {
                                           T sample{};
                                           visit(keys, sample);
                                       }},
                       meaning);
    }

    /// @param visit (Keys&, T&)
    template <typename T, typename Visit>
    Key List(const char* name, std::vector<T>& field, Visit visit, const char* meaning)
    {
        return Declare(name,
                       KeyType::LIST,
                       KeyListAccess{[&field] { return field.size(); },
                                     [&field, visit](Keys& keys, std::size_t place) {
                                         if (place == field.size())
                                         {
                                             field.emplace_back();
                                         }
                                         visit(keys, field[place]);
                                     },
                                     [visit](Keys& keys) {
                                         T sample{};
                                         visit(keys, sample);
                                     }},
                       meaning);
    }

    /// Values by name. @param visit (Keys&, const char* name, T&) declares the key of that name
    template <typename T, typename Visit>
    Key Map(const char* name, std::map<std::string, T>& field, Visit visit, const char* meaning)
    {
        return Declare(name,
                       KeyType::MAP,
                       KeyMapAccess{[&field] {
                                        std::vector<std::string> names;
                                        for (const auto& [one, value] : field)
                                        {
                                            names.push_back(one);
                                        }
                                        return names;
                                    },
                                    [&field, visit](Keys& keys, const std::string& one) {
                                        const auto place = field.try_emplace(one).first;
                                        visit(keys, place->first.c_str(), place->second);
                                    },
                                    [visit](Keys& keys) {
                                        T sample{};
                                        visit(keys, "NAME", sample);
                                    }},
                       meaning);
    }

    /// A key with code of its own. @param access as KeyValueAccess
    Key Other(const char* name, KeyValueAccess access, const char* meaning);

    /// One of several keys is there, which says which form the object has. They are declared next.
    /// @param[in,out] form its name @throws InputError unless exactly one is there
    virtual void Form(std::string& form, const std::vector<const char*>& names) = 0;

    /// Checks what several keys say together. @param name of the key at fault; "": the object
    /// @throws InputError if they are read and it does not hold
    virtual void Check(bool holds,
                       const char* name,
                       const std::string& expected,
                       const std::string& got = "") = 0;

    /// @return whether a key is there; always when keys are written or listed.
    virtual bool Has(const char* name) const = 0;

    /// A declaration is complete. @throws InputError
    virtual void Take(const KeySpec& spec, const KeyAccess& access) = 0;

  protected:
    /// Only where keys are read. @return the name of a group. @throws InputError if there is none
    virtual std::string ReadGroup(const JsonValue& value) const;

  private:
    Key Declare(const char* name, KeyType type, KeyAccess access, const char* meaning);
    Key ChoiceOf(const char* name,
                 std::vector<std::string> choices,
                 std::function<std::size_t()> get,
                 std::function<void(std::size_t)> set,
                 const char* meaning);
};

/// Visits the keys of one object.
using KeyVisit = std::function<void(Keys&)>;

} // namespace ns3::rdma

#endif // RDMA_KEYS_H
