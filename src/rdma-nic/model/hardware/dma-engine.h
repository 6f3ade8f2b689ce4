// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DMA_ENGINE_H
#define RDMA_DMA_ENGINE_H

#include "ns3/address-translator.h"
#include "ns3/fabric-engine.h"
#include "ns3/payload-memory.h"
#include "ns3/pcie-link.h"
#include "ns3/pending-events.h"

#include <vector>

namespace ns3::rdma
{

/// Callbacks for what a DmaEngine has done.
class DmaClient
{
  public:
    virtual ~DmaClient() = default;

    /// @param tag of the command; @param bytes present content of the memory
    virtual void OnRead(uint64_t tag, std::vector<uint8_t> bytes) = 0;

    /// The host can see the bytes that a command has written.
    virtual void OnWritten(uint64_t tag) = 0;
};

/// Counts of one engine.
struct DmaStats
{
    uint64_t reads{0};  ///< Commands.
    uint64_t writes{0}; ///< Commands.
    uint64_t pieces{0}; ///< PCIe commands that they were split into.
    uint64_t faults{0}; ///< Commands for memory that is not accessible.
};

/**
 * @ingroup rdma-hardware
 * @brief A NIC's access over PCIe to memory, mostly the host's: transfers bytes and models time.
 *
 * A command uses the address translation and the PCIe link, which it shares with all other traffic
 * of the NIC.  Bytes are read when the last of them arrives on the chip, and written when the host
 * can see the last of them: earlier changes by software are read, or overwritten.
 *
 * Not modelled: the order in which the bytes of one command become visible.
 */
class DmaEngine : private EventTarget
{
  public:
    /// All outlive this.
    DmaEngine(FabricEngine& engine,
              PcieLink& pcie,
              AddressTranslator& translator,
              PayloadMemory& memory,
              DmaClient& client);
    ~DmaEngine() override;

    /// @param bytes at least 1; @param earliest when the command is given, not before now
    /// @return when the data are on the chip and the client is called; TICK_NEVER: the memory is
    /// not accessible, and the client is not called
    Tick Read(uint64_t address, uint32_t bytes, uint64_t tag, Tick earliest = 0);

    /// @param bytes at least one; the rest as for Read()
    Tick Write(uint64_t address, std::vector<uint8_t> bytes, uint64_t tag, Tick earliest = 0);

    const DmaStats& GetStats() const
    {
        return m_stats;
    }

  private:
    enum Event : uint32_t
    {
        READ,    ///< Data of a read have arrived. Argument: place in m_commands.
        WRITTEN, ///< A write is visible. Argument: as READ.
    };

    struct Command
    {
        uint64_t address;
        uint32_t bytes;
        uint64_t tag;
        std::vector<uint8_t> payload; ///< Of a write.
    };

    void HandleEvent(uint32_t kind, uint32_t place) override;
    Tick Start(Event kind, Command command, Tick earliest);

    FabricEngine& m_engine;
    PcieLink& m_pcie;
    AddressTranslator& m_translator;
    PayloadMemory& m_memory;
    DmaClient& m_client;
    PendingEvents<Command> m_commands;
    uint32_t m_target;
    DmaStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_DMA_ENGINE_H
