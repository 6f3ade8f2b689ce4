// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INTERNET_TEST_BENCH_H
#define RDMA_INTERNET_TEST_BENCH_H

#include "ns3/config.h"
#include "ns3/fabric-address.h"
#include "ns3/fabric-internet.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/fabric.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <string>

namespace ns3::rdma
{

/**
 * One TCP connection between two servers that moves so many bytes, each checked at its arrival.
 * Starts at the present time.
 */
class TcpFlow
{
  public:
    TcpFlow(Fabric& fabric,
            uint32_t src,
            uint32_t dst,
            uint64_t bytes,
            uint16_t port = 5000,
            bool hasIpv6 = false)
        : m_bytes(bytes)
    {
        const Address local = hasIpv6 ? Address(Inet6SocketAddress(Ipv6Address::GetAny(), port))
                                      : Address(InetSocketAddress(Ipv4Address::GetAny(), port));
        const Address remote = hasIpv6 ? Address(Inet6SocketAddress(MakeIpv6Address(dst), port))
                                       : Address(InetSocketAddress(MakeIpv4Address(dst), port));
        const TypeId type = TcpSocketFactory::GetTypeId();
        m_listener = Socket::CreateSocket(fabric.GetNodes().Get(dst), type);
        m_listener->Bind(local);
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TcpFlow::Accept, this));
        m_sender = Socket::CreateSocket(fabric.GetNodes().Get(src), type);
        hasIpv6 ? m_sender->Bind6() : m_sender->Bind();
        m_sender->SetConnectCallback(MakeCallback(&TcpFlow::SendMore, this),
                                     MakeNullCallback<void, Ptr<Socket>>());
        m_sender->SetSendCallback(MakeCallback(&TcpFlow::Refill, this));
        m_sender->Connect(remote);
    }

    TcpFlow(const TcpFlow&) = delete;
    TcpFlow& operator=(const TcpFlow&) = delete;

    uint64_t GetReceived() const
    {
        return m_received;
    }

    bool IsFinished() const
    {
        return m_received == m_bytes;
    }

    /// @return when the last byte arrived.
    Tick GetEnd() const
    {
        return m_end;
    }

  private:
    /// A pattern whose period is not that of any packet.
    static uint8_t GetByte(uint64_t place)
    {
        return static_cast<uint8_t>(place % 251);
    }

    void Refill(Ptr<Socket> socket, uint32_t)
    {
        SendMore(socket);
    }

    void SendMore(Ptr<Socket> socket)
    {
        std::array<uint8_t, 8192> chunk;
        while (m_sent < m_bytes && socket->GetTxAvailable() > 0)
        {
            const auto size = static_cast<uint32_t>(
                std::min<uint64_t>({chunk.size(), m_bytes - m_sent, socket->GetTxAvailable()}));
            for (uint32_t i = 0; i < size; ++i)
            {
                chunk[i] = GetByte(m_sent + i);
            }
            const int taken = socket->Send(chunk.data(), size, 0);
            if (taken <= 0)
            {
                return;
            }
            m_sent += taken;
        }
        if (m_sent == m_bytes && !m_isClosed)
        {
            m_isClosed = true;
            socket->Close();
        }
    }

    void Accept(Ptr<Socket> socket, const Address&)
    {
        m_receiver = socket;
        socket->SetRecvCallback(MakeCallback(&TcpFlow::Receive, this));
    }

    void Receive(Ptr<Socket> socket)
    {
        std::array<uint8_t, 8192> chunk;
        int size = 0;
        while ((size = socket->Recv(chunk.data(), chunk.size(), 0)) > 0)
        {
            for (int i = 0; i < size; ++i)
            {
                ASSERT_EQ(chunk[i], GetByte(m_received + i)) << "byte " << m_received + i;
            }
            m_received += size;
            m_end = ToTick(Simulator::Now());
        }
    }

    Ptr<Socket> m_listener;
    Ptr<Socket> m_sender;
    Ptr<Socket> m_receiver;
    uint64_t m_bytes;
    uint64_t m_sent{0};
    uint64_t m_received{0};
    Tick m_end{0};
    bool m_isClosed{false};
};

/// Sets TCP up as a data center would: full segments, short timers, and buffers of 1 MB.
inline void
UseDataCenterTcp()
{
    Config::SetDefault("ns3::TcpSocket::SegmentSize", StringValue("1448"));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", StringValue("1000000"));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", StringValue("1000000"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", StringValue("10ms"));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", StringValue("100us"));
}

/// Tests with a fabric of which every server has ns-3's IP stack and no NIC.
class InternetBench : public testing::Test
{
  protected:
    void SetUp() override
    {
        UseFabricSimulator();
        UseDataCenterTcp();
    }

    void TearDown() override
    {
        Clear();
        Config::Reset();
    }

    void Build(const TopologyGraph& graph, const FabricConfig& config = {}, bool hasIpv6 = false)
    {
        m_fabric = CreateObject<Fabric>();
        m_fabric->Build(graph, config);
        FabricInternet(hasIpv6).Install(*m_fabric, graph.GetServers());
    }

    void Clear()
    {
        if (m_fabric)
        {
            m_fabric->Dispose();
            m_fabric = nullptr;
        }
        Simulator::Destroy();
    }

    static void Set(const std::string& attribute, const std::string& value)
    {
        Config::SetDefault("ns3::rdma::" + attribute, StringValue(value));
    }

    FabricCore& Core()
    {
        return m_fabric->GetCore();
    }

    uint64_t CountDrops(DropReason reason)
    {
        return Core().drops.Get(reason);
    }

    Ptr<Node> GetNode(uint32_t server)
    {
        return m_fabric->GetNodes().Get(server);
    }

    Ptr<Fabric> m_fabric;
};

} // namespace ns3::rdma

#endif // RDMA_INTERNET_TEST_BENCH_H
