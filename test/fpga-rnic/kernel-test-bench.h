// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KERNEL_TEST_BENCH_H
#define FPGA_KERNEL_TEST_BENCH_H

#include "ns3/kernel-reply.h"
#include "ns3/offload-kernel.h"
#include "ns3/pinned-memory.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * A kernel alone, without NIC and simulator: its commands are carried out on memory in the order of
 * their times, reads of the host take 1.5 us, and its WRITEs go to a caller's memory.
 */
class KernelTestBench
{
  public:
    static constexpr uint64_t BASE{64ULL << 20};
    static constexpr Tick READ_TIME{1'500'000};

    explicit KernelTestBench(Ptr<OffloadKernel> kernel)
        : pinned(Create<HostMemory>(), tlb, BASE),
          m_kernel(std::move(kernel))
    {
    }

    /// Hands parameters to the kernel at a time.
    void Call(const std::vector<uint8_t>& parameters, Tick at = 0)
    {
        KernelInput input;
        input.queuePair = 7;
        input.replyKey = 9;
        input.bytes = ByteView(parameters);
        input.at = at;
        Apply(m_kernel->OnPacket(input), at);
    }

    /// Hands a packet of a stream to the kernel, once it is ready. @return when that was
    Tick Stream(const std::vector<uint8_t>& bytes,
                bool isFirst,
                bool isLast,
                uint32_t queuePair = 7)
    {
        Tick now = m_now;
        while (readyAt == TICK_NEVER || readyAt > now)
        {
            if (!RunNext())
            {
                break;
            }
            now = m_now;
        }
        now = std::max(now, readyAt);
        KernelInput input;
        input.queuePair = queuePair;
        input.isStream = true;
        input.isFirst = isFirst;
        input.isLast = isLast;
        input.replyKey = 9;
        input.bytes = ByteView(bytes);
        input.at = now;
        Apply(m_kernel->OnPacket(input), now);
        return now;
    }

    /// Carries out what is left. @return when the last command was
    Tick Run()
    {
        while (RunNext())
        {
        }
        return m_now;
    }

    /// @return the status word at an address of the caller's memory.
    uint64_t GetWord(uint64_t target) const
    {
        return caller->Read64(target);
    }

    KernelStatus GetStatus(uint64_t target) const
    {
        return KernelReply::GetStatus(GetWord(target));
    }

    std::vector<uint8_t> GetValue(uint64_t target) const
    {
        std::vector<uint8_t> value(KernelReply::GetBytes(GetWord(target)));
        caller->Read(target + KernelReply::WORD_BYTES, value.data(), value.size());
        return value;
    }

    HostMemory& GetMemory() const
    {
        return pinned.GetMemory();
    }

    uint32_t reads{0};                    ///< Of the host's memory.
    uint32_t writes{0};                   ///< Likewise.
    std::vector<uint64_t> completed;      ///< Tags of COMPLETE.
    Tick readyAt{0};                      ///< As the kernel said last.
    std::function<void(uint64_t)> onRead; ///< Called before each read, with its address.

    Ptr<Tlb> tlb = CreateObject<Tlb>();
    PinnedMemory pinned;
    Ptr<HostMemory> caller = Create<HostMemory>();

  private:
    bool RunNext()
    {
        if (m_events.empty())
        {
            return false;
        }
        const auto next = m_events.begin();
        m_now = next->first;
        const auto action = std::move(next->second);
        m_events.erase(next);
        action();
        return true;
    }

    void Apply(const KernelStep& step, Tick now)
    {
        readyAt = step.readyAt != 0 ? step.readyAt : readyAt;
        for (const KernelCommand& command : step.commands)
        {
            const Tick at = std::max(now, command.at);
            m_events.emplace(at, [this, command, at] { Execute(command, at); });
        }
        if (step.wakeAt != TICK_NEVER)
        {
            const Tick at = step.wakeAt;
            m_events.emplace(at, [this, at] { Apply(m_kernel->OnWake(at), at); });
        }
    }

    void Execute(const KernelCommand& command, Tick now)
    {
        if (command.kind == KernelCommand::Kind::SEND_WRITE)
        {
            EXPECT_EQ(command.queuePair, 7);
            EXPECT_EQ(command.remoteKey, 9);
            caller->Write(command.address, command.bytes.data(), command.bytes.size());
            return;
        }
        if (command.kind == KernelCommand::Kind::COMPLETE)
        {
            completed.push_back(command.tag);
            return;
        }
        const bool isWrite = command.kind == KernelCommand::Kind::WRITE_HOST;
        const uint64_t bytes = isWrite ? command.bytes.size() : command.length;
        if (bytes == 0 || !tlb->IsPinned(command.address, bytes))
        {
            Apply(m_kernel->OnFault(command.tag, now), now);
            return;
        }
        if (isWrite)
        {
            ++writes;
            GetMemory().Write(command.address, command.bytes.data(), bytes);
            return;
        }
        ++reads;
        m_events.emplace(now + READ_TIME, [this, command, now] {
            if (onRead)
            {
                onRead(command.address);
            }
            std::vector<uint8_t> data(command.length);
            GetMemory().Read(command.address, data.data(), data.size());
            Apply(m_kernel->OnData(command.tag, ByteView(data), now + READ_TIME), now + READ_TIME);
        });
    }

    Ptr<OffloadKernel> m_kernel;
    Tick m_now{0};
    std::multimap<Tick, std::function<void()>> m_events; ///< Equal times in the order of insertion.
};

} // namespace ns3::rdma

#endif // FPGA_KERNEL_TEST_BENCH_H
