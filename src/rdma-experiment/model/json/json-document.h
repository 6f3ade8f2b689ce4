// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_JSON_DOCUMENT_H
#define RDMA_JSON_DOCUMENT_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rdma
{

/// The deepest nesting of objects and lists.
constexpr size_t MAX_JSON_DEPTH{100};

/**
 * Parses strict JSON: no comments, no repeated key in an object, nothing after the document. Time
 * and memory are linear in the length of the text.
 *
 * @param text the document
 * @param file its name in messages
 * @throws InputError with line and column of a syntax error, or the JSON path of a repeated key
 */
nlohmann::json ParseJson(const std::string& text, const std::string& file);

/// Reads a file and parses it. @throws InputError as ParseJson(), or if the file cannot be read.
nlohmann::json ReadJsonFile(const std::string& file);

/// The path of a member: "$.fabric" and "ecn" give "$.fabric.ecn"; keys with special characters are
/// quoted in brackets.
std::string AppendJsonKey(const std::string& path, const std::string& key);

/// The path of a list element: "$.nics" and 2 give "$.nics[2]".
std::string AppendJsonIndex(const std::string& path, size_t index);

/// A value for a message: short, on one line, ASCII.
std::string DescribeJson(const nlohmann::json& value);

} // namespace ns3::rdma

#endif // RDMA_JSON_DOCUMENT_H
