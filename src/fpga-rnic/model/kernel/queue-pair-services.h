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

    uint64_t received{0};                  ///< Received packets that passed services.
    uint64_t sent{0};                      ///< Transmitted packets that passed services.
    uint64_t resent{0};                    ///< Packets retransmitted with the stored payload.
    uint64_t rejected{0};                  ///< Packets whose data a service rejected.
    std::array<uint64_t, FAULTS> faults{}; ///< Messages that could not pass, by StreamFault.
};

/**
 * @ingroup fpga-kernel
 * @brief The services that the payload of a NIC's queue pairs passes, on receive and on transmit.
 *
 * On receive, WRITEs and the responses of own READs pass services.  On transmit, own WRITEs and the
 * responses of the peer's READs do.  Services precede the retransmission buffer
 * (fpgasystems/Coyote, rdma_mux_retrans.sv: the same words are sent to the network and to card
 * memory).  A retransmitted packet therefore has the same bytes, and passes no service again.  The
 * HDL stores no READ responses and would pass them again; BALBOA section 4.2 stores all transmitted
 * payload, as this class does.
 *
 * A service may change the length of a packet to StreamService::GetBytesBehind(), within the path
 * MTU.  READ responses keep their length, which the requester has set.
 */
class QueuePairServices : public PayloadServices
{
  public:
    /// Passes a packet through a chain, and executes the commands of its services.
    using PassFunction = std::function<ChainOutcome(ServiceChain& chain, StreamInput input)>;
    using RoomFunction = std::function<bool(const ServiceChain& chain)>;

    /// READs of a peer whose responses are stored: as many as may be outstanding.
    static constexpr uint32_t MAX_READS{16};

    QueuePairServices(PassFunction pass, RoomFunction hasRoom);

    /// @return a chain of a queue pair, created by the first call.
    ServiceChain& GetReceive(uint32_t queuePair);
    ServiceChain& GetSend(uint32_t queuePair);

    /// @return null if the queue pair has no services on receive.
    ServiceChain* FindReceive(uint32_t queuePair);

    /// @return whether a queue pair has services.
    bool Has(uint32_t queuePair) const
    {
        return m_streams.find(queuePair) != m_streams.end();
    }

    /// A queue pair has stopped: its stored payload is released.
    void EndQueuePair(uint32_t queuePair);

    /// Removes all services of a queue pair. Its number may be reused afterwards.
    void Detach(uint32_t queuePair);

    /// @param bytes of the message
    /// @return why a received message cannot pass, or NONE.
    StreamFault CheckReceived(uint32_t queuePair, uint64_t bytes);

    /// @return why the response of a READ of the peer cannot pass, or NONE.
    StreamFault CheckReadResponse(uint32_t queuePair, uint64_t bytes);

    /// Counts a message that cannot pass.
    /// @return the argument
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

    /// Passes a received packet through a chain.
    /// @return the data to be written to memory
    ChainOutcome OnReceived(ServiceChain& chain, const StreamInput& input);

  private:
    /// State of one queue pair.
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
