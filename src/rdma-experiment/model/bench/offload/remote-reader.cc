// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/remote-reader.h"

#include <utility>

namespace ns3::rdma
{

RemoteReader::RemoteReader(OffloadHosts& hosts, uint64_t maxBytes)
    : m_hosts(hosts),
      m_buffer(hosts.Allocate(OffloadHosts::CLIENT, maxBytes)),
      m_costs(hosts.Create<SoftwareCosts>())
{
}

void
RemoteReader::Read(uint64_t address, uint32_t bytes, Fetched fetched)
{
    ++m_reads;
    const auto ended = [this, bytes, fetched](WcStatus status) {
        if (status != WcStatus::SUCCESS)
        {
            fetched(status, {});
            return;
        }
        OffloadHosts::After(m_costs->GetMisses(1), [this, bytes, fetched] {
            std::vector<uint8_t> found(bytes);
            m_hosts.Get(OffloadHosts::CLIENT).memory->Read(m_buffer, found.data(), bytes);
            fetched(WcStatus::SUCCESS, std::move(found));
        });
    };
    m_hosts.Read(OffloadHosts::CLIENT, address, m_buffer, bytes, ended);
}

} // namespace ns3::rdma
