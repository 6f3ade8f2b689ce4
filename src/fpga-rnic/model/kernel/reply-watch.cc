// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reply-watch.h"

#include "ns3/request-executor.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Executes requests on memory and reports WRITEs.
class WatchedExecutor : public RequestHandler
{
  public:
    WatchedExecutor(const RequestContext& context, Ptr<ReplyWatch> watch)
        : m_memory(context),
          m_watch(std::move(watch)),
          m_queuePair(context.qpNumber)
    {
        m_watch->Add(m_queuePair);
    }

    Execution Execute(const Frame& frame, const FrameDetail* detail) override
    {
        Execution done = m_memory.Execute(frame, detail);
        const OpcodeInfo& info = opcode::Get(frame.opcode);
        if (info.kind == OpcodeKind::WRITE && done.nak == 0 && !done.isDropped)
        {
            m_address = info.isFirst ? frame.remoteAddress : m_address;
            if (info.isLast)
            {
                m_watch->OnWritten(m_queuePair, m_address);
            }
        }
        return done;
    }

    Execution CheckRead(const Frame& frame, const FrameDetail* detail) const override
    {
        return m_memory.CheckRead(frame, detail);
    }

    void SetAccess(uint8_t access) override
    {
        m_memory.SetAccess(access);
    }

    std::vector<WorkCompletion> Flush() override
    {
        return m_memory.Flush();
    }

  private:
    RequestExecutor m_memory;
    Ptr<ReplyWatch> m_watch;
    uint32_t m_queuePair;
    uint64_t m_address{0}; ///< Of the WRITE in progress.
};

class WatchedExecutorFactory : public RequestHandlerFactory
{
  public:
    explicit WatchedExecutorFactory(Ptr<ReplyWatch> watch)
        : m_watch(std::move(watch))
    {
    }

    std::unique_ptr<RequestHandler> Make(const RequestContext& context) const override
    {
        return std::make_unique<WatchedExecutor>(context, m_watch);
    }

  private:
    Ptr<ReplyWatch> m_watch;
};

} // namespace

ReplyWatch::ReplyWatch(Ptr<RdmaNic> nic, Handler handler)
    : m_engine(nic->GetCore().engine),
      m_handler(std::move(handler)),
      m_target(m_engine->Register(this))
{
    if (!nic->GetHardware())
    {
        return; // Bytes are in memory without delay.
    }
    m_cpu = &nic->GetHardware()->GetCpu();
    for (uint32_t port = 0; port < nic->GetPortCount(); ++port)
    {
        nic->GetPlacedTrace(port).ConnectWithoutContext(MakeCallback(&ReplyWatch::OnPlaced, this));
    }
}

void
ReplyWatch::OnPlaced(const Frame& frame, Time at)
{
    if (frame.dstQp > m_lastQueuePair)
    {
        return;
    }
    const auto found = m_placedAt.find(frame.dstQp);
    if (found != m_placedAt.end())
    {
        found->second = std::max(found->second, ToTick(at));
    }
}

ReplyWatch::~ReplyWatch()
{
    Stop();
}

Ptr<const RequestHandlerFactory>
ReplyWatch::GetHandlers()
{
    return Create<WatchedExecutorFactory>(Ptr<ReplyWatch>(this));
}

void
ReplyWatch::Stop()
{
    if (m_handler)
    {
        m_handler = nullptr;
        m_engine->Unregister(m_target);
    }
}

void
ReplyWatch::Add(uint32_t queuePair)
{
    m_placedAt[queuePair] = 0;
    m_lastQueuePair = std::max(m_lastQueuePair, queuePair);
}

void
ReplyWatch::OnWritten(uint32_t queuePair, uint64_t address)
{
    if (m_handler)
    {
        // After the packet has been handled, which passes its payload to PCIe.
        m_engine->Schedule(m_engine->Now(),
                           FabricEngine::MakeOwner(m_target, WRITTEN),
                           m_written.Put({queuePair, address}));
    }
}

void
ReplyWatch::HandleEvent(uint32_t kind, uint32_t argument)
{
    const Tick now = m_engine->Now();
    const uint32_t queuePair = m_written[argument].queuePair;
    if (kind == WRITTEN)
    {
        const Tick seenAt = std::max(m_placedAt[queuePair], now);
        m_engine->Schedule(seenAt, FabricEngine::MakeOwner(m_target, SEEN), argument);
        return;
    }
    if (kind == SEEN && m_cpu)
    {
        const Tick polledAt = m_cpu->Run(now, now, queuePair, CpuTask::POLL);
        m_engine->Schedule(polledAt, FabricEngine::MakeOwner(m_target, POLLED), argument);
        return;
    }
    const Written written = m_written.Take(argument);
    m_handler(written.queuePair, written.address);
}

} // namespace ns3::rdma
