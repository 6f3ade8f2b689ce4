// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARE_FABRIC_H
#define RDMA_BARE_FABRIC_H

#include "bare-loop.h"

#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::rdma
{

constexpr uint32_t BARE_NONE{std::numeric_limits<uint32_t>::max()}; ///< No frame, no flow.
constexpr uint32_t BARE_SERVER_PS_PER_BYTE{80};                     ///< 100 Gb/s.
constexpr uint32_t BARE_FABRIC_PS_PER_BYTE{20};                     ///< 400 Gb/s.

/// A packet of the bare loop: one line of the cache, as in the model.
struct alignas(64) BareFrame
{
    uint32_t next; ///< In the queue, or the list of free frames, that it is in.
    uint32_t src;
    uint32_t dst;
    uint32_t entropy;
    uint32_t wireBytes;
    uint32_t flow;
    uint32_t psn;
    uint16_t payloadBytes;
    bool isAck;
    bool isMarked;
};

/// What stands at the far end of a link; servers [first, first + span) are below it.
struct BareHop
{
    uint32_t first;
    uint32_t span;
    uint32_t down;      ///< Port towards the first of them; of a server: the server.
    uint32_t downShift; ///< 2^downShift servers are behind each of these ports.
    uint32_t up{0};     ///< First port towards all others.
    uint32_t upMask{0};
    uint32_t seed{0};

    /// Both ways are computed, since no one can predict which is taken.
    uint32_t ChoosePort(const BareFrame& frame) const
    {
        const uint32_t below = frame.dst - first;
        const uint32_t upward = up + (((frame.entropy ^ seed) * 0x9e3779b1U >> 20) & upMask);
        return below < span ? down + (below >> downShift) : upward;
    }
};

/// An egress port and the way on from its link: all that a hop needs besides the frame.
struct alignas(64) BarePort
{
    int64_t busyUntil{0};
    uint32_t head{BARE_NONE}; ///< Of the queue; while there is one, the port has an event to come.
    uint32_t tail{BARE_NONE};
    uint32_t psPerByte;
    uint32_t queuedBytes{0}; ///< With switch model only.
    uint32_t owner;          ///< Switch, or server.
    BareHop hop;
};

inline uint32_t
GetLog2(uint32_t powerOfTwo)
{
    return static_cast<uint32_t>(__builtin_ctz(powerOfTwo));
}

/// Lays out the ports of a fat-tree: servers, ToRs down, up, aggregates down, up, cores.
class BarePortMaker
{
  public:
    explicit BarePortMaker(const BareLoopShape& shape)
        : m_shape(shape)
    {
    }

    std::vector<BarePort> Make()
    {
        const uint32_t servers = m_shape.GetServerCount();
        const uint32_t aggregates = m_shape.pods * m_shape.aggregatesPerPod;
        Add(servers, BARE_SERVER_PS_PER_BYTE, [this](uint32_t server) {
            return std::pair(server, MakeTor(server / m_shape.serversPerTor));
        });
        Add(servers, BARE_SERVER_PS_PER_BYTE, [this](uint32_t server) {
            return std::pair(server / m_shape.serversPerTor, BareHop{server, 1, server, 0});
        });
        Add(GetTors() * m_shape.aggregatesPerPod, BARE_FABRIC_PS_PER_BYTE, [this](uint32_t port) {
            const uint32_t tor = port / m_shape.aggregatesPerPod;
            return std::pair(tor,
                             MakeAggregate(tor / m_shape.torsPerPod * m_shape.aggregatesPerPod +
                                           port % m_shape.aggregatesPerPod));
        });
        Add(aggregates * m_shape.torsPerPod, BARE_FABRIC_PS_PER_BYTE, [this](uint32_t port) {
            const uint32_t aggregate = port / m_shape.torsPerPod;
            const uint32_t pod = aggregate / m_shape.aggregatesPerPod;
            return std::pair(GetTors() + aggregate,
                             MakeTor(pod * m_shape.torsPerPod + port % m_shape.torsPerPod));
        });
        Add(aggregates * m_shape.coresPerAggregate, BARE_FABRIC_PS_PER_BYTE, [this](uint32_t port) {
            const uint32_t aggregate = port / m_shape.coresPerAggregate;
            return std::pair(
                GetTors() + aggregate,
                MakeCore(aggregate % m_shape.aggregatesPerPod * m_shape.coresPerAggregate +
                         port % m_shape.coresPerAggregate));
        });
        Add(GetCores() * m_shape.pods, BARE_FABRIC_PS_PER_BYTE, [this, aggregates](uint32_t port) {
            const uint32_t core = port / m_shape.pods;
            return std::pair(GetTors() + aggregates + core,
                             MakeAggregate(port % m_shape.pods * m_shape.aggregatesPerPod +
                                           core / m_shape.coresPerAggregate));
        });
        return std::move(m_ports);
    }

  private:
    template <typename Function>
    void Add(uint32_t count, uint32_t psPerByte, Function getOwnerAndHop)
    {
        for (uint32_t index = 0; index < count; ++index)
        {
            BarePort port;
            port.psPerByte = psPerByte;
            std::tie(port.owner, port.hop) = getOwnerAndHop(index);
            m_ports.push_back(port);
        }
    }

    uint32_t GetTors() const
    {
        return m_shape.pods * m_shape.torsPerPod;
    }

    uint32_t GetCores() const
    {
        return m_shape.aggregatesPerPod * m_shape.coresPerAggregate;
    }

    /// @return seed of the hash of one switch.
    static uint32_t Scramble(uint32_t owner)
    {
        return owner * 0x85ebca6bU;
    }

    BareHop MakeTor(uint32_t tor) const
    {
        const uint32_t below = m_shape.serversPerTor;
        const uint32_t firstUp = 2 * m_shape.GetServerCount() + tor * m_shape.aggregatesPerPod;
        return {tor * below,
                below,
                m_shape.GetServerCount() + tor * below,
                0,
                firstUp,
                m_shape.aggregatesPerPod == 0 ? 0 : m_shape.aggregatesPerPod - 1,
                Scramble(tor)};
    }

    BareHop MakeAggregate(uint32_t aggregate) const
    {
        const uint32_t below = m_shape.GetServersPerPod();
        const uint32_t links = GetTors() * m_shape.aggregatesPerPod;
        const uint32_t firstDown = 2 * m_shape.GetServerCount() + links;
        return {aggregate / m_shape.aggregatesPerPod * below,
                below,
                firstDown + aggregate * m_shape.torsPerPod,
                GetLog2(m_shape.serversPerTor),
                firstDown + links + aggregate * m_shape.coresPerAggregate,
                m_shape.coresPerAggregate == 0 ? 0 : m_shape.coresPerAggregate - 1,
                Scramble(GetTors() + aggregate)};
    }

    BareHop MakeCore(uint32_t core) const
    {
        const uint32_t links = GetTors() * m_shape.aggregatesPerPod;
        const uint32_t coreLinks = m_shape.pods * GetCores();
        return {0,
                m_shape.GetServerCount(),
                2 * m_shape.GetServerCount() + 2 * links + coreLinks + core * m_shape.pods,
                GetLog2(m_shape.GetServersPerPod())};
    }

    BareLoopShape m_shape;
    std::vector<BarePort> m_ports;
};

} // namespace ns3::rdma

#endif // RDMA_BARE_FABRIC_H
