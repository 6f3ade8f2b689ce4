// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/capture-request.h"

#include "ns3/input-error.h"
#include "ns3/name-suggestion.h"
#include "ns3/opcode-table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t MAX_QUEUE_PAIR{0xffffff};
constexpr uint32_t MAX_OPCODE{0xff};

/// @return the parts between commas; an empty one if there is nothing beside a comma.
std::vector<std::string>
Split(const std::string& list)
{
    std::vector<std::string> parts;
    std::istringstream text(list + ",");
    for (std::string part; std::getline(text, part, ',');)
    {
        parts.push_back(part);
    }
    return parts;
}

/// @return a decimal number, or a hexadecimal one with 0x; unset for anything else and above max.
std::optional<uint32_t>
ParseNumber(const std::string& text, uint32_t max)
{
    const bool isHexadecimal = text.rfind("0x", 0) == 0;
    const char* const begin = text.data() + (isHexadecimal ? 2 : 0);
    const char* const end = text.data() + text.size();
    uint32_t value = 0;
    const auto result = std::from_chars(begin, end, value, isHexadecimal ? 16 : 10);
    return result.ec == std::errc() && result.ptr == end && value <= max ? std::optional(value)
                                                                         : std::nullopt;
}

std::string
Show(const std::string& part)
{
    return part.empty() ? "nothing" : part;
}

/// @return the opcodes that have a name, by number.
std::vector<std::pair<uint8_t, std::string>>
GetOpcodeWords()
{
    std::vector<std::pair<uint8_t, std::string>> words;
    for (uint32_t code = 0; code <= MAX_OPCODE; ++code)
    {
        const std::string word = GetOpcodeWord(static_cast<uint8_t>(code));
        if (word.rfind("opcode", 0) != 0)
        {
            words.emplace_back(static_cast<uint8_t>(code), word);
        }
    }
    return words;
}

uint8_t
ParseOpcode(const std::string& part)
{
    if (const auto number = ParseNumber(part, MAX_OPCODE))
    {
        return static_cast<uint8_t>(*number);
    }
    std::vector<std::string> names;
    for (const auto& [code, word] : GetOpcodeWords())
    {
        if (word == part)
        {
            return code;
        }
        names.push_back(word);
    }
    throw InputError(
        "--pcap-opcodes: expected numbers up to 0xff, or names such as rc-acknowledge (" +
        DescribeNearest(part, names) + "), got " + Show(part));
}

std::vector<uint32_t>
ParseServers(const std::string& list, const TopologyGraph& graph)
{
    std::set<uint32_t> servers;
    for (const std::string& part : Split(list))
    {
        const auto node = ParseNumber(part, static_cast<uint32_t>(graph.isSwitch.size()) - 1);
        if (!node || graph.isSwitch[*node])
        {
            throw InputError("--pcap-hosts: expected node ids of servers (" +
                             std::to_string(graph.GetServers().front()) + " to " +
                             std::to_string(graph.GetServers().back()) + "), got " + Show(part) +
                             (node ? ", which is a switch" : ""));
        }
        servers.insert(*node);
    }
    if (servers.size() > MAX_CAPTURED)
    {
        throw InputError("--pcap-hosts: expected at most " + std::to_string(MAX_CAPTURED) +
                         " servers, got " + std::to_string(servers.size()));
    }
    return {servers.begin(), servers.end()};
}

std::vector<uint32_t>
TakeAllServers(const TopologyGraph& graph)
{
    if (graph.GetServerCount() > MAX_CAPTURED_BY_DEFAULT)
    {
        throw InputError("--pcap: expected --pcap-hosts as well, because the network has " +
                         std::to_string(graph.GetServerCount()) + " servers, more than " +
                         std::to_string(MAX_CAPTURED_BY_DEFAULT) + "; got none");
    }
    return graph.GetServers();
}

} // namespace

CaptureRequest
ResolveCapture(const CaptureWords& words, const TopologyGraph& graph)
{
    CaptureRequest request;
    if (!words.isWanted)
    {
        return request;
    }
    request.servers = words.hosts ? ParseServers(*words.hosts, graph) : TakeAllServers(graph);
    request.filter.hasPayload = words.hasPayload;
    if (words.queuePairs)
    {
        for (const std::string& part : Split(*words.queuePairs))
        {
            const auto number = ParseNumber(part, MAX_QUEUE_PAIR);
            if (!number)
            {
                throw InputError(
                    "--pcap-qps: expected queue pair numbers from 0 to 0xffffff, got " +
                    Show(part));
            }
            request.filter.queuePairs.insert(*number);
        }
    }
    if (words.opcodes)
    {
        for (const std::string& part : Split(*words.opcodes))
        {
            request.filter.opcodes.insert(ParseOpcode(part));
        }
    }
    return request;
}

std::string
GetOpcodeWord(uint8_t code)
{
    std::string word = OpcodeTable::GetName(code);
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) {
        return letter == ' ' ? '-' : static_cast<char>(std::tolower(letter));
    });
    return word;
}

} // namespace ns3::rdma
