// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-workload.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{
/// YCSB's ScrambledZipfianGenerator: numbers that it draws from, whatever the number of records.
constexpr uint64_t SCRAMBLED_COUNT{10'000'000'000};
constexpr double SCRAMBLED_ZETA{26.46902820178302}; ///< Of these, theta 0.99.
constexpr double YCSB_THETA{0.99};

/// As Zipfian::Get() with YCSB's constants, which no loop over 10^10 numbers has to find.
uint64_t
GetScrambled(double uniform)
{
    static const double zeta2 = 1 + std::pow(0.5, YCSB_THETA);
    static const double eta =
        (1 - std::pow(2.0 / static_cast<double>(SCRAMBLED_COUNT), 1 - YCSB_THETA)) /
        (1 - zeta2 / SCRAMBLED_ZETA);
    const double scaled = uniform * SCRAMBLED_ZETA;
    if (scaled < zeta2)
    {
        return scaled < 1 ? 0 : 1;
    }
    return static_cast<uint64_t>(static_cast<double>(SCRAMBLED_COUNT) *
                                 std::pow(eta * uniform - eta + 1, 1 / (1 - YCSB_THETA)));
}

/// @return numbers that the popularity is drawn from.
uint64_t
CountDrawn(const KvWorkloadSettings& settings)
{
    const bool isZipf =
        settings.popularity == KvPopularity::ZIPF || settings.popularity == KvPopularity::LATEST;
    const uint64_t keys = settings.hotKeys > 0 ? settings.hotKeys : settings.keys;
    return isZipf ? keys : 1;
}
} // namespace

std::string
KvWorkloadSettings::FindFault() const
{
    const double shares[]{getShare, putShare, insertShare, modifyShare};
    double sum = 0;
    for (const double share : shares)
    {
        if (!(share >= 0 && share <= 1))
        {
            return "the shares of operations are between 0 and 1, not " + std::to_string(share);
        }
        sum += share;
    }
    constexpr double ROUNDING{1e-9};
    if (std::fabs(sum - 1) > ROUNDING)
    {
        return "the shares of operations are 1 together, not " + std::to_string(sum);
    }
    if (!(theta >= 0 && theta < 1))
    {
        return "the exponent of the keys' popularity is at least 0 and below 1, not " +
               std::to_string(theta);
    }
    if (keyBytes == 0 || keyBytes > KvOperation::MAX_KEY_BYTES)
    {
        return "a key has 1 to 255 bytes, not " + std::to_string(keyBytes);
    }
    const bool isTooMany = keyBytes < 8 && keys > uint64_t{1} << 8 * keyBytes;
    if (keys == 0 || isTooMany)
    {
        return std::to_string(keys) + " keys have no numbers of their own in " +
               std::to_string(keyBytes) + " bytes";
    }
    if (hotKeys > keys || (hotKeys > 0 && insertShare > 0))
    {
        return "operations on " + std::to_string(hotKeys) + " of " + std::to_string(keys) +
               " keys, and none that inserts";
    }
    return "";
}

std::optional<KvWorkloadSettings>
FindYcsbWorkload(const std::string& name)
{
    KvWorkloadSettings settings;
    settings.popularity = KvPopularity::SCRAMBLED;
    if (name == "a")
    {
        settings.getShare = settings.putShare = 0.5;
    }
    else if (name == "b")
    {
        settings.getShare = 0.95;
        settings.putShare = 0.05;
    }
    else if (name == "d")
    {
        settings.getShare = 0.95;
        settings.insertShare = 0.05;
        settings.popularity = KvPopularity::LATEST;
    }
    else if (name == "f")
    {
        settings.getShare = settings.modifyShare = 0.5;
    }
    else if (name != "c")
    {
        return std::nullopt;
    }
    return settings;
}

KvPairs::KvPairs(uint32_t keyBytes, uint32_t valueBytes)
    : m_key(keyBytes),
      m_value(valueBytes)
{
}

ByteView
KvPairs::GetKey(uint64_t number)
{
    for (std::size_t i = 0; i < std::min<std::size_t>(m_key.size(), 8); ++i)
    {
        m_key[i] = static_cast<uint8_t>(number >> 8 * i);
    }
    return ByteView(m_key);
}

ByteView
KvPairs::GetValue(uint64_t number)
{
    uint64_t word = 0;
    for (std::size_t i = 0; i < m_value.size(); ++i)
    {
        word = i % 8 == 0 ? RandomStream::Scramble(number + 1 + i) : word >> 8;
        m_value[i] = static_cast<uint8_t>(word);
    }
    return ByteView(m_value);
}

KvWorkload::KvWorkload(const KvWorkloadSettings& settings, RandomStream random, uint8_t modify)
    : m_settings(settings),
      m_random(random),
      m_modify(modify),
      m_zipf(CountDrawn(settings), settings.theta),
      m_pairs(settings.keyBytes, settings.valueBytes),
      m_operand(settings.operandBytes),
      m_keys(settings.hotKeys > 0 ? settings.hotKeys : settings.keys)
{
    if (!m_operand.empty())
    {
        m_operand.front() = 1;
    }
}

KvOpcode
KvWorkload::DrawOpcode(bool& isInsert)
{
    isInsert = false;
    if (m_settings.getShare >= 1)
    {
        return KvOpcode::GET;
    }
    double left = m_random.NextDouble() - m_settings.getShare;
    if (left < 0)
    {
        return KvOpcode::GET;
    }
    left -= m_settings.modifyShare;
    if (left < 0)
    {
        return KvOpcode::UPDATE_VECTOR;
    }
    isInsert = left < m_settings.insertShare;
    return KvOpcode::PUT;
}

uint64_t
KvWorkload::DrawNumber()
{
    switch (m_settings.popularity)
    {
    case KvPopularity::UNIFORM:
        return static_cast<uint64_t>(m_random.NextDouble() * static_cast<double>(m_keys));
    case KvPopularity::ZIPF:
        return m_zipf.Draw(m_random);
    case KvPopularity::IN_TURN:
        return m_drawn++ % m_keys;
    case KvPopularity::SCRAMBLED:
        return GetYcsbHash(GetScrambled(m_random.NextDouble())) % m_keys;
    default:
        m_zipf.Grow(m_keys);
        return m_keys - 1 - m_zipf.Draw(m_random);
    }
}

KvOperation
KvWorkload::Next()
{
    bool isInsert = false;
    KvOperation operation;
    operation.opcode = DrawOpcode(isInsert);
    m_number = isInsert ? m_keys++ : DrawNumber();
    operation.key = m_pairs.GetKey(m_number);
    if (operation.opcode == KvOpcode::PUT)
    {
        operation.operand = m_pairs.GetValue(m_number);
    }
    else if (operation.opcode == KvOpcode::UPDATE_VECTOR)
    {
        operation.function = m_modify;
        operation.isWithoutReturn = !m_settings.hasReturn;
        operation.operand = ByteView(m_operand);
    }
    return operation;
}

} // namespace ns3::rdma
