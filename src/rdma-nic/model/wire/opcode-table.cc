// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode-table.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace ns3::rdma
{

namespace opcode
{
std::array<OpcodeInfo, 256> INFOS;
std::array<std::array<uint8_t, 8>, 32> PLACES;
} // namespace opcode

namespace
{
using Entries = std::vector<OpcodeEntry>;
using Kind = OpcodeKind;
using Header = HeaderKind;
using Place = PacketPlace;

/// Properties of an opcode that only names and codecs need.
struct Description
{
    std::string name;
    HeaderList headers;
};

std::array<Description, 256>&
GetDescriptions()
{
    static std::array<Description, 256> descriptions;
    return descriptions;
}

const Entries&
GetDatagrams()
{
    static const Entries entries{
        {opcode::SEND_ONLY, "SEND Only", Kind::SEND, Place::ONLY, {}},
        {opcode::SEND_ONLY_IMM,
         "SEND Only with Immediate",
         Kind::SEND,
         Place::ONLY,
         {Header::IMM_DT}},
    };
    return entries;
}

/// Operations of both connected services, except single-packet SENDs.
const Entries&
GetMessages()
{
    static const Entries entries{
        {opcode::SEND_FIRST, "SEND First", Kind::SEND, Place::FIRST, {}},
        {opcode::SEND_MIDDLE, "SEND Middle", Kind::SEND, Place::MIDDLE, {}},
        {opcode::SEND_LAST, "SEND Last", Kind::SEND, Place::LAST, {}},
        {opcode::SEND_LAST_IMM,
         "SEND Last with Immediate",
         Kind::SEND,
         Place::LAST,
         {Header::IMM_DT}},
        {opcode::WRITE_FIRST, "RDMA WRITE First", Kind::WRITE, Place::FIRST, {Header::RETH}},
        {opcode::WRITE_MIDDLE, "RDMA WRITE Middle", Kind::WRITE, Place::MIDDLE, {}},
        {opcode::WRITE_LAST, "RDMA WRITE Last", Kind::WRITE, Place::LAST, {}},
        {opcode::WRITE_LAST_IMM,
         "RDMA WRITE Last with Immediate",
         Kind::WRITE,
         Place::LAST,
         {Header::IMM_DT}},
        {opcode::WRITE_ONLY, "RDMA WRITE Only", Kind::WRITE, Place::ONLY, {Header::RETH}},
        {opcode::WRITE_ONLY_IMM,
         "RDMA WRITE Only with Immediate",
         Kind::WRITE,
         Place::ONLY,
         {Header::RETH, Header::IMM_DT}},
    };
    return entries;
}

/// Operations of reliable connections only.
const Entries&
GetReliable()
{
    static const Entries entries{
        {opcode::READ_REQUEST,
         "RDMA READ Request",
         Kind::READ_REQUEST,
         Place::ONLY,
         {Header::RETH}},
        {opcode::READ_RESPONSE_FIRST,
         "RDMA READ response First",
         Kind::READ_RESPONSE,
         Place::FIRST,
         {Header::AETH}},
        {opcode::READ_RESPONSE_MIDDLE,
         "RDMA READ response Middle",
         Kind::READ_RESPONSE,
         Place::MIDDLE,
         {}},
        {opcode::READ_RESPONSE_LAST,
         "RDMA READ response Last",
         Kind::READ_RESPONSE,
         Place::LAST,
         {Header::AETH}},
        {opcode::READ_RESPONSE_ONLY,
         "RDMA READ response Only",
         Kind::READ_RESPONSE,
         Place::ONLY,
         {Header::AETH}},
        {opcode::ACK, "Acknowledge", Kind::ACK, Place::ONLY, {Header::AETH}},
        {opcode::ATOMIC_ACK,
         "ATOMIC Acknowledge",
         Kind::ATOMIC_ACK,
         Place::ONLY,
         {Header::AETH, Header::ATOMIC_ACK_ETH}},
        {opcode::CMP_SWAP, "CmpSwap", Kind::ATOMIC, Place::ONLY, {Header::ATOMIC_ETH}},
        {opcode::FETCH_ADD, "FetchAdd", Kind::ATOMIC, Place::ONLY, {Header::ATOMIC_ETH}},
        {opcode::READ_ACK, "READ Acknowledge", Kind::READ_ACK, Place::ONLY, {Header::AETH}},
    };
    return entries;
}

bool
IsFirst(Place place)
{
    return place == Place::FIRST || place == Place::ONLY;
}

bool
IsLast(Place place)
{
    return place == Place::LAST || place == Place::ONLY;
}

const char*
GetPrefix(Service service)
{
    return service == Service::RC ? "RC " : service == Service::UC ? "UC " : "UD ";
}

void
Add(uint8_t code, Service service, const std::string& name, const OpcodeEntry& entry)
{
    Description& description = GetDescriptions()[code];
    if (!description.name.empty())
    {
        throw std::invalid_argument("opcode " + std::to_string(code) + " of " + name +
                                    " is that of " + description.name);
    }
    description.name = name;
    description.headers.assign(entry.headers.begin(), entry.headers.end());
    const auto& headers = entry.headers;
    const bool hasImmediate =
        std::find(headers.begin(), headers.end(), Header::IMM_DT) != headers.end();
    opcode::INFOS[code] = {entry.kind,
                           service,
                           IsFirst(entry.place),
                           IsLast(entry.place),
                           hasImmediate};
}

/// Registers each entry in opcode::PLACES under the first operation of its message.
void
AddPlaces(const Entries& entries)
{
    for (const OpcodeEntry& entry : entries)
    {
        const auto first =
            std::find_if(entries.begin(), entries.end(), [&entry](const OpcodeEntry& other) {
                return other.kind == entry.kind && other.place == Place::FIRST;
            });
        if (first == entries.end())
        {
            opcode::PLACES[entry.operation].fill(entry.operation); // A message of one packet.
            continue;
        }
        const bool hasImmediate =
            std::find(entry.headers.begin(), entry.headers.end(), Header::IMM_DT) !=
            entry.headers.end();
        const std::size_t place =
            opcode::GetPlace(IsFirst(entry.place), IsLast(entry.place), false);
        auto& places = opcode::PLACES[first->operation];
        places[place + hasImmediate] = entry.operation;
        if (!IsLast(entry.place))
        {
            places[place + 1] = entry.operation; // The last packet has the immediate data.
        }
    }
}

bool
RegisterIbta()
{
    for (const Service service : {Service::RC, Service::UC})
    {
        Entries entries = GetMessages();
        entries.insert(entries.end(), GetDatagrams().begin(), GetDatagrams().end());
        OpcodeTable::Register(service, entries);
    }
    OpcodeTable::Register(Service::RC, GetReliable());
    Entries datagrams = GetDatagrams();
    for (OpcodeEntry& entry : datagrams)
    {
        entry.headers.insert(entry.headers.begin(), Header::DETH);
    }
    OpcodeTable::Register(Service::UD, datagrams);
    Add(opcode::CNP, Service::RC, "CNP", {0, "", Kind::CNP, Place::ONLY, {Header::CNP_RESERVED}});
    return true;
}

[[maybe_unused]] const bool HAS_IBTA = RegisterIbta();
} // namespace

void
OpcodeTable::Register(Service service, const std::vector<OpcodeEntry>& entries)
{
    for (const OpcodeEntry& entry : entries)
    {
        Add(opcode::Make(service, entry.operation),
            service,
            GetPrefix(service) + entry.name,
            entry);
    }
    AddPlaces(entries);
}

std::string
OpcodeTable::GetName(uint8_t code)
{
    const std::string& name = GetDescriptions()[code].name;
    if (!name.empty())
    {
        return name;
    }
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "opcode 0x%02x", code);
    return text.data();
}

const HeaderList&
OpcodeTable::GetHeaders(uint8_t code)
{
    return GetDescriptions()[code].headers;
}

} // namespace ns3::rdma
