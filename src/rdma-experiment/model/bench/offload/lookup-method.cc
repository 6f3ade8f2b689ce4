// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/lookup-method.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

std::vector<uint8_t>
lookup::DrawBytes(RandomStream& random, std::size_t bytes)
{
    std::vector<uint8_t> drawn(bytes);
    std::generate(drawn.begin(), drawn.end(), [&random] {
        return static_cast<uint8_t>(random.Next32());
    });
    return drawn;
}

LookupMethod::LookupMethod(OffloadHosts& hosts)
    : m_hosts(hosts)
{
}

void
LookupMethod::Call(uint64_t, Done done)
{
    m_question = Draw();
    m_done = std::move(done);
    Begin();
}

void
LookupMethod::Expect(const std::string& status)
{
    m_question.status = status;
}

void
LookupMethod::End(const std::string& status, const std::vector<uint8_t>& value)
{
    m_done(CompareAnswer(m_question.status, m_question.value, status, value));
}

void
LookupMethod::CallKernel(uint64_t code, std::vector<uint8_t> parameters, uint64_t answer)
{
    m_hosts.Call(code,
                 std::move(parameters),
                 answer,
                 [this](const std::string& status, const std::vector<uint8_t>& value) {
                     End(status, value);
                 });
}

ReadLookup::ReadLookup(OffloadHosts& hosts)
    : LookupMethod(hosts),
      m_reader(hosts, lookup::MAX_VALUE)
{
}

void
ReadLookup::Report(MeasuredRows& rows) const
{
    rows.Set("reads", m_reader.GetReads(), "READs of the client");
}

void
ReadLookup::Read(uint64_t address,
                 uint32_t bytes,
                 std::function<void(const std::vector<uint8_t>&)> then)
{
    m_reader.Read(address, bytes, [this, then](WcStatus status, const auto& found) {
        if (status == WcStatus::SUCCESS)
        {
            then(found);
        }
        else
        {
            End(GetWcStatusName(status), {});
        }
    });
}

TcpLookup::TcpLookup(OffloadHosts& hosts)
    : LookupMethod(hosts),
      m_rpc(hosts.MakeTcpRpc()),
      m_costs(hosts.Create<SoftwareCosts>())
{
}

void
TcpLookup::Answer(uint64_t argumentBytes,
                  uint64_t misses,
                  const std::string& status,
                  const std::vector<uint8_t>& value)
{
    constexpr uint64_t RESULT_BYTES{8}; // Before the value: status and length (XDR).
    const TcpRpc::Exchange call =
        m_rpc.Measure(argumentBytes, RESULT_BYTES, value.size(), m_costs->GetMisses(misses));
    m_hosts.CountWire(OffloadHosts::CLIENT, call.request);
    m_hosts.CountWire(OffloadHosts::SERVER, call.reply);
    OffloadHosts::After(call.duration, [this, status, value] { End(status, value); });
}

std::vector<std::string>
LookupTask::GetMethods() const
{
    return {"kernel", "read", "tcp"};
}

} // namespace ns3::rdma
