// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_QUEUE_PAIR_SERVICES_H
#define FPGA_QUEUE_PAIR_SERVICES_H

#include "ns3/payload-services.h"
#include "ns3/sent-payloads.h"
#include "ns3/service-chain.h"

#include <array>
#include <functional>
#include <unordered_map>

namespace ns3::rdma
{

/// Counts of the services of a NIC's queue pairs.
struct ServiceStats
{
    static constexpr std::size_t FAULTS{static_cast<std::size_t>(StreamFault::COUNT)};

    uint64_t received{0};                  ///< Packets that came in and passed services.
    uint64_t sent{0};                      ///< Packets that passed services on their way out.
    uint64_t resent{0};                    ///< Packets sent again as services had left them.
    uint64_t rejected{0};                  ///< Packets whose data a service rejected.
    std::array<uint64_t, FAULTS> faults{}; ///< Messages that could not pass, by StreamFault.
};

/**
 * @ingroup fpga-kernel
 * @brief The services that the payload of a NIC's queue pairs passes, on receive and on transmit.
 *
 * On receive: WRITEs and the responses of own READs.  On transmit: own WRITEs and the responses of
 * the peer's READs.  Services are before the retransmission buffer (fpgasystems/Coyote,
 * rdma_mux_retrans.sv: the same words go to the network and to card memory): a packet that is sent
 * again has the bytes that it had, and no service sees it again.  The HDL keeps no READ responses
 * and would pass them again; BALBOA section 4.2 keeps all transmitted payload, as this class does.
 *
 * A service may change the length of a packet to StreamService::GetBytesBehind(), within the path
 * MTU.  READ responses keep their length, which the requester has set.
 */
class QueuePairServices : public PayloadServices
{
  public:
    /// Shows a packet to a chain, and carries out what its services command.
    using PassFunction = std::function<ChainOutcome(ServiceChain& chain, StreamInput input)>;
    using RoomFunction = std::function<bool(const ServiceChain& chain)>;

    /// READs of a peer that may be asked for again: as many as it may have under way.
    static constexpr uint32_t MAX_READS{16};

    QueuePairServices(PassFunction pass, RoomFunction hasRoom);

    /// @return the chains of a queue pair, made by the first call.
    ServiceChain& GetReceive(uint32_t queuePair);
    ServiceChain& GetSend(uint32_t queuePair);

    /// @return null: the queue pair has none.
    ServiceChain* FindReceive(uint32_t queuePair);

    /// @return whether a queue pair has services.
    bool Has(uint32_t queuePair) const
    {
        return m_streams.find(queuePair) != m_streams.end();
    }

    /// A queue pair has stopped: its sent payload is released.
    void EndQueuePair(uint32_t queuePair);

    /// Takes all services of a queue pair away: its number may be another one's from now on.
    void Detach(uint32_t queuePair);

    /// @return why a message that comes in cannot pass. @param bytes of it
    StreamFault CheckReceived(uint32_t queuePair, uint64_t bytes);

    /// @return why the response of a READ of the peer cannot pass.
    StreamFault CheckReadResponse(uint32_t queuePair, uint64_t bytes);

    /// Counts a message that cannot pass. @return the same
    StreamFault CountFault(StreamFault fault) const;

    const ServiceStats& GetStats() const
    {
        return m_stats;
    }

    WcStatus CheckRequest(uint32_t queuePair,
                          const SendWorkRequest& request,
                          uint32_t mtuBytes) const override;
    Tick OnSend(const SentPacket& packet) override;
    bool HasRoom(uint32_t queuePair) const override;
    ServedResponse OnResponse(uint32_t queuePair,
                              const Frame& frame,
                              const FrameDetail* detail,
                              uint64_t address) override;

    /// A packet has arrived. @return the part that is written to memory
    ChainOutcome OnReceived(ServiceChain& chain, const StreamInput& input);

  private:
    /// Of one queue pair.
    struct Streams
    {
        ServiceChain receive;
        ServiceChain send;
        SentPayloads kept{MAX_READS};
    };

    static StreamFault CheckSent(const Streams& streams,
                                 uint32_t queuePair,
                                 uint64_t bytes,
                                 uint32_t mtuBytes);
    static StreamFault CheckSameLength(const ServiceChain& chain, uint64_t bytes);
    SentPayload PassSent(Streams& streams, const SentPacket& packet, Tick& passedAt);
    static void Carry(const SentPacket& packet, const SentPayload& payload);

    PassFunction m_pass;
    RoomFunction m_hasRoom;
    std::unordered_map<uint32_t, Streams> m_streams; ///< By queue pair. Never iterated.
    mutable ServiceStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_QUEUE_PAIR_SERVICES_H
