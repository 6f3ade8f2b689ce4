// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_JSON_VALUE_H
#define RDMA_JSON_VALUE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief One value of a JSON document, with its path.
 *
 * Every getter returns a valid value or throws an InputError of one line, "FILE: JSON-PATH:
 * expected ..., got ...". The document must outlive this view of it.
 */
class JsonValue
{
  public:
    JsonValue(const nlohmann::json& value, std::string file, std::string path);

    const nlohmann::json& GetJson() const;
    const std::string& GetFile() const;
    const std::string& GetPath() const;

    bool IsString() const;
    bool IsObject() const;

    std::string GetString() const;
    bool GetBool() const;

    /// A number written without fraction or exponent, within the bounds.
    uint64_t GetWhole(uint64_t min, uint64_t max) const;

    /// Any finite number. The caller checks bounds.
    double GetNumber() const;

    /// A string such as "100Gbps", above zero.
    DataRate GetRate() const;

    /// A string such as "1us", zero or above.
    Time GetTime() const;

    /// A string such as "1us", above zero.
    Time GetPositiveTime() const;

    /// A string such as "32MiB", above zero.
    uint64_t GetBytes() const;

    /// As GetBytes(), or a bare number: for keys that clearly count bytes. @param canBeZero as "0B"
    uint64_t GetBytesOrNumber(bool canBeZero = false) const;

    /// One of the choices; the error message names the nearest.
    std::string GetChoice(const std::vector<std::string>& choices) const;

    /// One of many names; the error message has only the nearest. @param called as "a NIC preset"
    std::string GetName(const std::vector<std::string>& names, const std::string& called) const;

    std::vector<JsonValue> GetElements() const;

    /// Calls visit(element) for each element of a list, without a copy of the list.
    void ForEachElement(const std::function<void(const JsonValue&)>& visit) const;

    /// Key and value of each member of an object that may have any keys, by rising key.
    std::vector<std::pair<std::string, JsonValue>> GetMembers() const;

    /// Throws unless this is an object without other keys; the message names the nearest key.
    void ExpectKeys(const std::vector<std::string>& known) const;

    /// A member that must be there.
    JsonValue Get(const std::string& key) const;

    /// A member that may be missing.
    std::optional<JsonValue> Find(const std::string& key) const;

    /// Throws "expected EXPECTED, got <this value>".
    [[noreturn]] void Fail(const std::string& expected) const;

    /// Throws "expected EXPECTED, got GOT".
    [[noreturn]] void Fail(const std::string& expected, const std::string& got) const;

  private:
    Time ReadTime(const std::string& expected, bool canBeZero) const;
    uint64_t ReadBytes(const std::string& expected, bool canBeNumber, bool canBeZero) const;

    const nlohmann::json* m_value;
    std::string m_file;
    std::string m_path;
};

} // namespace ns3::rdma

#endif // RDMA_JSON_VALUE_H
