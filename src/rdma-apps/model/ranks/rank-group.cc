// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rank-group.h"

#include "ns3/input-error.h"

namespace ns3::rdma
{

void
RankGroup::Send(std::vector<ByteBuffer>&)
{
}

void
RankGroup::Receive(std::vector<ByteBuffer>&)
{
}

void
RankGroup::Exchange(std::vector<ByteBuffer>& outgoing, std::vector<ByteBuffer>& incoming)
{
    Send(outgoing);
    Receive(incoming);
}

RankGroup&
RankGroup::GetSolo()
{
    static RankGroup solo;
    return solo;
}

void
RankGroup::CollectAtFirst(const std::function<void(ByteBuffer&)>& pack,
                          const std::function<void(ByteReader&)>& unpack)
{
    std::vector<ByteBuffer> outgoing(GetCount());
    std::vector<ByteBuffer> incoming(GetCount());
    if (GetRank() != 0)
    {
        pack(outgoing[0]);
    }
    Exchange(outgoing, incoming);
    for (uint32_t rank = 1; rank < GetCount() && GetRank() == 0; ++rank)
    {
        ByteReader reader(incoming[rank]);
        unpack(reader);
    }
}

std::vector<std::string>
RankGroup::Share(const std::string& text)
{
    std::vector<ByteBuffer> outgoing(GetCount());
    std::vector<ByteBuffer> incoming(GetCount());
    for (ByteBuffer& buffer : outgoing)
    {
        buffer.Put(text);
    }
    Exchange(outgoing, incoming);
    std::vector<std::string> texts;
    for (uint32_t rank = 0; rank < GetCount(); ++rank)
    {
        texts.push_back(rank == GetRank() ? text : ByteReader(incoming[rank]).Get<std::string>());
    }
    return texts;
}

void
RankGroup::Try(const std::function<void()>& work)
{
    if (GetCount() == 1)
    {
        work();
        return;
    }
    // The first letter says which kind of failure it is.
    std::string failure;
    try
    {
        work();
    }
    catch (const InputError& error)
    {
        failure = std::string("i") + error.what();
    }
    catch (const std::exception& error)
    {
        failure = std::string("e") + error.what();
    }
    const std::vector<std::string> failures = Share(failure);
    for (uint32_t rank = 0; rank < failures.size(); ++rank)
    {
        if (!failures[rank].empty())
        {
            throw RankError(rank, failures[rank].substr(1), failures[rank][0] == 'i');
        }
    }
}

} // namespace ns3::rdma
