// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_JSON_DOCUMENT_H
#define RDMA_JSON_DOCUMENT_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rdma
{

/// How many objects and lists may be open within one another.
constexpr size_t MAX_JSON_DEPTH{100};

/**
 * Parses strict JSON: no comments, no key twice in one object, nothing behind the document. Time
 * and memory grow with the length of the text.
 *
 * @param text the document
 * @param file what messages call it
 * @throws InputError with line and column of a syntax error, or the JSON path of a repeated key
 */
nlohmann::json ParseJson(const std::string& text, const std::string& file);

/// Reads a file and parses it. @throws InputError likewise, or if the file cannot be read.
nlohmann::json ReadJsonFile(const std::string& file);

/// The path of a member: "$.fabric" and "ecn" give "$.fabric.ecn"; odd keys come quoted in
/// brackets.
std::string AppendJsonKey(const std::string& path, const std::string& key);

/// The path of a list element: "$.nics" and 2 give "$.nics[2]".
std::string AppendJsonIndex(const std::string& path, size_t index);

/// A value for a message: short, on one line, ASCII.
std::string DescribeJson(const nlohmann::json& value);

} // namespace ns3::rdma

#endif // RDMA_JSON_DOCUMENT_H
