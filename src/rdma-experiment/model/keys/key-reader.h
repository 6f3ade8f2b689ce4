// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_KEY_READER_H
#define RDMA_KEY_READER_H

#include "ns3/keys.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What a document says elsewhere.
struct KeyContext
{
    /// @return the name of a group. @throws InputError; null: there are no groups
    std::function<std::string(const JsonValue&)> readGroup;
};

/**
 * @ingroup rdma-scenario
 * @brief Reads the keys of a JSON object into the object that is visited.
 *
 * @throws InputError "FILE: JSON-PATH: expected ..., got ..."
 */
class KeyReader final : public Keys
{
  public:
    KeyReader(JsonValue object, const KeyContext& context);
    /// Reads the value of one key; other keys are not there.
    KeyReader(JsonValue value, const std::string& key, const KeyContext& context);

    void Form(std::string& form, const std::vector<const char*>& names) override;
    void Check(bool holds,
               const char* name,
               const std::string& expected,
               const std::string& got) override;
    bool Has(const char* name) const override;
    void Take(const KeySpec& spec, const KeyAccess& access) override;

  protected:
    std::string ReadGroup(const JsonValue& value) const override;

  private:
    void Read(const JsonValue& value, const KeySpec& spec, const KeyValueAccess& access);
    void Read(const JsonValue& value, const KeySpec& spec, const KeyObjectAccess& access);
    void Read(const JsonValue& value, const KeySpec& spec, const KeyListAccess& access);
    void Read(const JsonValue& value, const KeySpec& spec, const KeyMapAccess& access);
    std::optional<JsonValue> Find(const std::string& name) const;

    JsonValue m_object; ///< With a key: its value.
    std::optional<std::string> m_key;
    const KeyContext& m_context;
};

/// @return the names of the keys that a visit declares.
std::vector<std::string> ListKeyNames(const KeyVisit& visit);

/// Reads an object that has no keys but those of a visit and some others.
/// @param sample visits an object with default values
/// @throws InputError that names the nearest key if there is another one
void ReadKeys(const JsonValue& object,
              const KeyVisit& visit,
              const KeyVisit& sample,
              const KeyContext& context,
              const std::vector<std::string>& others = {});

/// Reads the value of the only key that a visit declares. @param name of it @throws InputError
void ReadKey(const JsonValue& value,
             const char* name,
             const KeyVisit& visit,
             const KeyContext& context = {});

/// Reads an object. @param visit (Keys&, T&) @throws InputError
template <typename T, typename Visit>
void
ReadKeyed(const JsonValue& value, T& object, Visit visit, const KeyContext& context = {})
{
    ReadKeys(
        value,
        [&object, visit](Keys& keys) { visit(keys, object); },
        [visit](Keys& keys) {
            T sample{};
            visit(keys, sample);
        },
        context);
}

/// Reads a list of objects. @param visit (Keys&, T&) @throws InputError
template <typename T, typename Visit>
std::vector<T>
ReadKeyedList(const JsonValue& list, Visit visit, const KeyContext& context = {})
{
    std::vector<T> objects;
    list.ForEachElement([&](const JsonValue& element) {
        ReadKeyed(element, objects.emplace_back(), visit, context);
    });
    return objects;
}

} // namespace ns3::rdma

#endif // RDMA_KEY_READER_H
