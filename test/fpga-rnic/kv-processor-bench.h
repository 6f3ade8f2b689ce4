// SPDX-License-Identifier: GPL-2.0-only
#ifndef KV_PROCESSOR_BENCH_H
#define KV_PROCESSOR_BENCH_H

#include "kv-reference-model.h"
#include "kv-test-bench.h"

#include "ns3/kv-processor.h"
#include "ns3/kv-server-parts.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma::test
{

/// What came of one.
struct OwnedAnswer
{
    uint64_t tag{0};
    KvStatus status{KvStatus::OK};
    Bytes value;
    Tick at{0};
};

/// A processor with store and memory: operations in, answers in the order of their completion out.
class KvProcessorBench : public KvOperationSource, public KvAnswerSink
{
  public:
    static constexpr uint64_t HERTZ{180'000'000};
    static constexpr uint8_t ADD{0}; ///< Function: adds to eight bytes.
    static constexpr uint8_t ADD_BYTE{KvReferenceModel::ADD_BYTE};

    explicit KvProcessorBench(const KvStoreSettings& store,
                              const KvProcessorSettings& settings = {},
                              const std::function<void(KvMemorySettings&)>& change = {})
        : m_store(store, m_bytes),
          m_card(MakeKvCard(0))
    {
        m_functions.Add(CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(8)));
        m_functions.Add(CreateObjectWithAttributes<KvAdd>("ElementBytes", UintegerValue(1)));
        for (uint64_t link = 0; link < 2; ++link)
        {
            m_links.push_back(MakeKvPcieLink(RandomStream(1, link)));
        }
        KvMemorySettings memory;
        memory.base = store.base;
        memory.memoryBytes = (m_store.GetLayout().GetEnd() - store.base + 63) / 64 * 64;
        memory.cacheBytes = store.memoryBytes / 16 / 64 * 64;
        memory.dispatchRatio = 0.5;
        if (change)
        {
            change(memory);
        }
        m_memory.emplace(memory,
                         std::vector<PcieLink*>{PeekPointer(m_links[0]), PeekPointer(m_links[1])},
                         *m_card);
        m_processor.emplace(settings,
                            ClockDomain(HERTZ, 64),
                            KvProcessor::Parts{m_store, *m_memory, m_functions, *this, *this});
    }

    /// One cycle of the clock.
    static Tick Cycles(Cycle count)
    {
        return ClockDomain(HERTZ, 64).GetTime(count);
    }

    void Add(OwnedOperation operation)
    {
        m_waiting.push_back(std::move(operation));
    }

    /// Operations come from here when none was added. Unset: none.
    void SetGenerator(std::function<OwnedOperation()> generator)
    {
        m_generator = std::move(generator);
    }

    /// Called instead of keeping the answers.
    void SetListener(std::function<void(const OwnedOperation&, const KvAnswer&)> listener)
    {
        m_listener = std::move(listener);
    }

    /// Lets all operations begin at a time, and runs until the last is answered.
    /// @param limit operations at most
    void Run(Tick from = 0, uint64_t limit = UINT64_MAX)
    {
        m_left = limit;
        m_processor->Notify(from);
        while (m_processor->GetNextTime() != TICK_NEVER)
        {
            m_processor->Run(m_processor->GetNextTime());
        }
    }

    bool Next(Tick, KvOperation& operation, uint64_t& tag) override
    {
        if (m_left == 0 || (m_waiting.empty() && !m_generator))
        {
            return false;
        }
        --m_left;
        tag = m_tag++;
        OwnedOperation next = m_waiting.empty() ? m_generator() : std::move(m_waiting.front());
        if (!m_waiting.empty())
        {
            m_waiting.pop_front();
        }
        OwnedOperation& kept = m_underWay[tag] = std::move(next);
        operation = kept.View();
        return true;
    }

    void OnAnswer(uint64_t tag, const KvAnswer& answer, Tick at) override
    {
        const auto found = m_underWay.find(tag);
        if (m_listener)
        {
            m_listener(found->second, answer);
        }
        else
        {
            m_answers.push_back({tag, answer.status, answer.value.Copy(), at});
        }
        m_underWay.erase(found);
    }

    const std::vector<OwnedAnswer>& GetAnswers() const
    {
        return m_answers;
    }

    std::size_t CountUnanswered() const
    {
        return m_underWay.size();
    }

    KvStore& GetStore()
    {
        return m_store;
    }

    KvProcessor& GetProcessor()
    {
        return *m_processor;
    }

    const KvMemoryEngine& GetMemory() const
    {
        return *m_memory;
    }

  private:
    HostMemory m_bytes;
    KvStore m_store;
    std::vector<Ptr<PcieLink>> m_links;
    Ptr<ChannelMemory> m_card;
    std::optional<KvMemoryEngine> m_memory;
    KvFunctionTable m_functions;
    std::optional<KvProcessor> m_processor;
    std::deque<OwnedOperation> m_waiting;
    std::function<OwnedOperation()> m_generator;
    std::function<void(const OwnedOperation&, const KvAnswer&)> m_listener;
    std::map<uint64_t, OwnedOperation> m_underWay; ///< By tag.
    std::vector<OwnedAnswer> m_answers;
    uint64_t m_left{0};
    uint64_t m_tag{0};
};

} // namespace ns3::rdma::test

#endif // KV_PROCESSOR_BENCH_H
