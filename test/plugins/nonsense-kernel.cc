// SPDX-License-Identifier: GPL-2.0-only
#include "nonsense-fault.h"

#include "ns3/get-kernel.h"

#include <string>

namespace ns3::rdma
{

/// A GetKernel whose steps have a wrong command or time, if its fault asks for that.
class NonsenseKernel : public GetKernel
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeNonsenseType<NonsenseKernel, GetKernel>("ns3::rdma::NonsenseKernel");
        return tid;
    }

    uint64_t GetRpcCode() const override
    {
        m_fault.ThrowIn("GetRpcCode");
        return GetKernel::GetRpcCode();
    }

    std::string FindFault() const override
    {
        m_fault.ThrowIn("FindFault");
        return m_fault.Is("two lines") ? "one\nanother" : GetKernel::FindFault();
    }

    KernelStep OnPacket(const KernelInput& input) override
    {
        m_fault.ThrowIn("OnPacket");
        KernelStep step = GetKernel::OnPacket(input);
        AddCommand(step, input.at);
        SetTimes(step);
        return step;
    }

    KernelStep OnData(uint64_t tag, ByteView bytes, Tick now) override
    {
        m_fault.ThrowIn("OnData");
        if (tag == OWN_TAG)
        {
            return {};
        }
        return GetKernel::OnData(m_fault.Is("wrong tag") ? 99'999 : tag, bytes, now);
    }

    KernelStep OnFault(uint64_t tag, Tick now) override
    {
        m_fault.ThrowIn("OnFault");
        if (m_fault.Is("wrong tag of a fault"))
        {
            return GetKernel::OnFault(99'999, now);
        }
        return tag == OWN_TAG ? KernelStep{} : GetKernel::OnFault(tag, now);
    }

    KernelStep OnWake(Tick now) override
    {
        m_fault.ThrowIn("OnWake");
        KernelStep step;
        step.wakeAt = m_fault.Is("wake again now") ? now : TICK_NEVER;
        return step;
    }

    NONSENSE_FAULT;

    static constexpr uint64_t OWN_TAG{88'888};

    /// A command whose memory does not exist is a fault of the command, not of the kernel.
    void AddCommand(KernelStep& step, Tick now) const
    {
        constexpr uint64_t FAR{~uint64_t{0} - 10};
        using Kind = KernelCommand::Kind;
        KernelCommand command;
        command.at = now;
        command.tag = OWN_TAG;
        command.length = 8;
        std::size_t count = 1;
        if (m_fault.Is("read nothing") || m_fault.Is("wrong tag of a fault") ||
            m_fault.Is("throw in OnFault"))
        {
            command.length = 0;
        }
        else if (m_fault.Is("read 4 GiB"))
        {
            command.length = UINT32_MAX;
        }
        else if (m_fault.Is("read beyond the memory"))
        {
            command.address = FAR;
        }
        else if (m_fault.Is("read beyond the card"))
        {
            command.kind = Kind::READ_CARD;
            command.address = FAR;
        }
        else if (m_fault.Is("write nothing"))
        {
            command.kind = Kind::WRITE_HOST;
        }
        else if (m_fault.Is("write beyond the memory"))
        {
            command.kind = Kind::WRITE_HOST;
            command.address = FAR;
            command.bytes.resize(100);
        }
        else if (m_fault.Is("send by an unknown queue pair"))
        {
            command.kind = Kind::SEND_WRITE;
            command.queuePair = 999'999;
            command.bytes.resize(8);
        }
        else if (m_fault.Is("kind 99"))
        {
            command.kind = static_cast<Kind>(99);
        }
        else if (m_fault.Is("time -5"))
        {
            command.at = -5;
        }
        else if (m_fault.Is("time never"))
        {
            command.at = TICK_NEVER;
        }
        else if (m_fault.Is("million commands"))
        {
            count = 1'000'000;
        }
        else
        {
            count = 0;
        }
        step.commands.insert(step.commands.end(), count, command);
    }

    void SetTimes(KernelStep& step) const
    {
        step.readyAt = m_fault.Is("ready at -5") ? -5 : step.readyAt;
        const bool wakes = m_fault.Is("wake again now") || m_fault.Is("throw in OnWake");
        step.wakeAt = m_fault.Is("wake at -5") ? -5 : wakes ? 1 : step.wakeAt;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NonsenseKernel);

} // namespace ns3::rdma
