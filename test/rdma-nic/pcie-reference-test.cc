// SPDX-License-Identifier: GPL-2.0-only

// PcieLink computes several TLPs of a transfer together. Here each TLP is computed alone.

#include "pcie-test-links.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// The rules of PcieLink's class comment, TLP by TLP, for a link without jitter.
class PlainLink
{
  public:
    struct Config
    {
        uint32_t maxPayload;
        uint32_t tags;
        uint32_t credits;
        Tick turn; ///< 0: no RequestRate.
    };

    explicit PlainLink(const Config& config)
        : m_config(config),
          m_tags(config.tags, 0),
          m_credits(config.credits, 0)
    {
    }

    Tick Read(Tick now, Tick earliest, bool isPayload, uint64_t address, uint32_t bytes)
    {
        Tick last = isPayload ? m_lastPayload : 0;
        for (const uint32_t part : Split(address, bytes, 512))
        {
            const Tick turn = TakeTurn(now);
            Tick& tag = m_tags[m_nextTag++ % m_tags.size()];
            tagStalls += tag > std::max(earliest, turn);
            const Tick taken = std::max(turn, tag);
            const Tick start = std::max(earliest, taken);
            const Tick duration = (part + (part + 255) / 256 * 26) * BYTE;
            m_upFree = std::max(m_upFree, now) + REQUEST;
            m_downFree = std::max(m_downFree, now) + duration;
            const Tick arrival = std::max(m_downFree, start + REQUEST + READ + duration);
            tag = taken + arrival - start;
            last = std::max(arrival, last + duration);
        }
        m_lastPayload = isPayload ? last : m_lastPayload;
        return last;
    }

    Tick Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes)
    {
        for (const uint32_t part : Split(address, bytes, m_config.maxPayload))
        {
            const Tick duration = (part + 26) * BYTE;
            m_upFree = std::max(m_upFree, now) + duration;
            Tick& credit = m_credits[m_nextCredit++ % m_credits.size()];
            const Tick afterCredit = credit + duration;
            const Tick afterTurn = TakeTurn(now) + duration;
            creditStalls += afterCredit > std::max({m_upFree, afterTurn, earliest + duration});
            const Tick left = std::max({m_upFree, afterCredit, afterTurn});
            credit = left + WRITE;
            const Tick seen = std::max(left, earliest + duration) + WRITE;
            m_lastWrite = std::max(seen, m_lastWrite + duration);
        }
        return m_lastWrite;
    }

    uint64_t tagStalls{0};
    uint64_t creditStalls{0};

  private:
    static std::vector<uint32_t> Split(uint64_t address, uint32_t bytes, uint32_t limit)
    {
        std::vector<uint32_t> parts;
        while (bytes > 0)
        {
            const auto inPage = static_cast<uint32_t>(4096 - address % 4096);
            parts.push_back(std::min({bytes, limit, inPage}));
            address += parts.back();
            bytes -= parts.back();
        }
        return parts;
    }

    Tick TakeTurn(Tick now)
    {
        const Tick turn = std::max(m_turnFree, now);
        m_turnFree = turn + m_config.turn;
        return turn;
    }

    Config m_config;
    std::vector<Tick> m_tags;
    std::vector<Tick> m_credits;
    std::size_t m_nextTag{0};
    std::size_t m_nextCredit{0};
    Tick m_turnFree{0};
    Tick m_upFree{0};
    Tick m_downFree{0};
    Tick m_lastPayload{0};
    Tick m_lastWrite{0};
};

/// 20,000 random transfers, between which up to `gap` ps pass.
/// @return how many TLPs had to wait for a tag or a credit
uint64_t
Compare(const PlainLink::Config& config, const std::string& requestRate, uint32_t gap)
{
    auto link = MakeRound({{"MaxPayload", std::to_string(config.maxPayload)},
                           {"Tags", std::to_string(config.tags)},
                           {"PostedCredits", std::to_string(config.credits)},
                           {"RequestRate", requestRate}});
    PlainLink plain(config);
    RandomStream random(1, 2);
    Tick now = 0;
    for (int transfer = 0; transfer < 20'000; ++transfer)
    {
        now += random.NextBelow(gap);
        const Tick earliest = now + (random.NextBelow(4) == 0 ? random.NextBelow(gap) : 0);
        // Half of the addresses are those of plain transfers.
        const uint64_t address = random.NextBelow(2) * random.NextBelow(1 << 20);
        const uint32_t bytes = random.NextBelow(2) == 0 ? 1024 * (1 + random.NextBelow(4))
                                                        : 1 + random.NextBelow(5000);
        const bool isPayload = random.NextBelow(2) == 0;
        const DmaKind kind = isPayload ? DmaKind::PAYLOAD : DmaKind::WQE;
        if (random.NextBelow(2) == 0)
        {
            EXPECT_EQ(link->Read(now, earliest, kind, address, bytes),
                      plain.Read(now, earliest, isPayload, address, bytes))
                << transfer;
        }
        else
        {
            EXPECT_EQ(link->Write(now, earliest, kind, address, bytes),
                      plain.Write(now, earliest, address, bytes))
                << transfer;
        }
    }
    EXPECT_EQ(link->GetStats().tagStalls, plain.tagStalls);
    EXPECT_EQ(link->GetStats().creditStalls, plain.creditStalls);
    return plain.tagStalls + plain.creditStalls;
}
} // namespace

TEST(PcieLink, TransfersEndAsIfEachTlpWereComputedAlone)
{
    // A transfer of 2 KiB takes some 300 ns each way: the link is nearly idle with gaps of 2 us on
    // average, and overloaded with gaps of 100 ns.
    EXPECT_EQ(Compare({256, 84, 88, 0}, "0", 4'000'000), 0);
    EXPECT_GT(Compare({256, 84, 88, 0}, "0", 200'000), 1000);
    // Few credits and tags bind at once; with 128 bytes in a write there are more TLPs.
    EXPECT_GT(Compare({128, 4, 5, 0}, "0", 4'000'000), 1000);
    EXPECT_GT(Compare({512, 4, 5, 0}, "0", 1'000'000), 1000);
}

TEST(PcieLink, TransfersEndAsIfEachTlpWereComputedAloneWithARequestRate)
{
    // 10 million TLPs per second: one per 100 ns.
    Compare({256, 84, 88, 100'000}, "10000000", 4'000'000);
    Compare({256, 4, 5, 100'000}, "10000000", 2'000'000);
}
