// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/inspection-network.h"

#include "ns3/field-reader.h"

#include <algorithm>
#include <charconv>

namespace ns3::rdma
{

namespace
{

constexpr int MAX_SHIFT{9};          ///< The sum of 512 ones is 2^9.
constexpr int MAX_ACTIVATION{7};     ///< 3 bits.
constexpr int32_t MAX_WEIGHT{32767}; ///< Of the output layer: 16 bits.
constexpr int32_t MAX_SUM{1 << 24};
constexpr int NIBBLE_BITS{4};

std::string
DescribeRange(int32_t low, int32_t high)
{
    return "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
}

/// @throws InputError at the end of the file, or if the line may be truncated
void
TakeLine(FieldReader& reader, const std::string& expected)
{
    if (!reader.Next())
    {
        reader.Fail(expected, "the end of the file");
    }
    reader.ExpectLineEnd();
}

/// @return the integer in a field of the current line.
int32_t
GetSigned(const FieldReader& reader, std::size_t index, int32_t low, int32_t high)
{
    const std::string_view field = reader.GetFields()[index];
    int32_t number = 0;
    const auto result = std::from_chars(field.data(), field.data() + field.size(), number);
    if (result.ec != std::errc() || result.ptr != field.data() + field.size() || number < low ||
        number > high)
    {
        reader.Fail(DescribeRange(low, high), FieldReader::Quote(field));
    }
    return number;
}

/// Reads the next line, which must be a word and some numbers.
void
TakeWord(FieldReader& reader, const std::string& word, std::size_t numbers, const std::string& form)
{
    TakeLine(reader, form);
    const auto& fields = reader.GetFields();
    if (fields.front() != word || fields.size() != numbers + 1)
    {
        reader.Fail(form, FieldReader::Quote(fields.front()));
    }
}

/// @return a value of 3 bits.
int16_t
Activate(int sum, int shift)
{
    if (sum <= 0)
    {
        return 0;
    }
    const int half = (1 << shift) >> 1;
    return static_cast<int16_t>(std::min((sum + half) >> shift, MAX_ACTIVATION));
}

template <std::size_t INPUTS, std::size_t NEURONS>
std::array<int16_t, NEURONS>
RunLayer(const std::array<std::array<int16_t, INPUTS>, NEURONS>& rows,
         const std::array<int16_t, INPUTS>& values,
         int shift)
{
    std::array<int16_t, NEURONS> out{};
    for (std::size_t neuron = 0; neuron < NEURONS; ++neuron)
    {
        int sum = 0;
        for (std::size_t i = 0; i < INPUTS; ++i)
        {
            sum += rows[neuron][i] * values[i];
        }
        out[neuron] = Activate(sum, shift);
    }
    return out;
}

} // namespace

InspectionNetwork::InspectionNetwork(const std::string& path)
{
    FieldReader reader(path);
    const std::string form = "\"rocelab-inspection 1\", weights of packet inspection";
    TakeWord(reader, "rocelab-inspection", 1, form);
    if (reader.GetFields()[1] != "1")
    {
        reader.Fail(form, "version " + FieldReader::Quote(reader.GetFields()[1]));
    }
    MakeTables(ReadLayer(reader, BEAT_BYTES * 8, FIRST, m_shifts[0]));
    const Rows second = ReadLayer(reader, FIRST, LATER, m_shifts[1]);
    const Rows third = ReadLayer(reader, LATER, LATER, m_shifts[2]);
    for (std::size_t neuron = 0; neuron < LATER; ++neuron)
    {
        std::copy(second[neuron].begin(), second[neuron].end(), m_second[neuron].begin());
        std::copy(third[neuron].begin(), third[neuron].end(), m_third[neuron].begin());
    }
    ReadOutput(reader);
    if (reader.Next())
    {
        reader.Fail("the end of the file", FieldReader::Quote(reader.GetFields().front()));
    }
}

InspectionNetwork::Rows
InspectionNetwork::ReadLayer(FieldReader& reader,
                             std::size_t inputs,
                             std::size_t neurons,
                             int& shift)
{
    const std::string shape = std::to_string(inputs) + " " + std::to_string(neurons);
    const std::string form = "\"layer " + shape + "\" and a shift";
    TakeWord(reader, "layer", 3, form);
    const auto& fields = reader.GetFields();
    if (fields[1] != std::to_string(inputs) || fields[2] != std::to_string(neurons))
    {
        reader.Fail(form,
                    "a layer " + FieldReader::Quote(fields[1]) + " " +
                        FieldReader::Quote(fields[2]));
    }
    shift = GetSigned(reader, 3, 0, MAX_SHIFT);
    const std::string row = std::to_string(inputs) + " weights, each -, 0 or +";
    Rows rows;
    while (rows.size() < neurons)
    {
        TakeLine(reader, row);
        const std::string_view symbols = reader.GetFields().front();
        if (reader.GetFields().size() != 1 || symbols.size() != inputs)
        {
            reader.Fail(row, std::to_string(symbols.size()) + " characters");
        }
        std::vector<int16_t> weights;
        for (const char symbol : symbols)
        {
            const auto place = std::string_view("-0+").find(symbol);
            if (place == std::string_view::npos)
            {
                reader.Fail(row, FieldReader::Quote(std::string_view(&symbol, 1)));
            }
            weights.push_back(static_cast<int16_t>(static_cast<int>(place) - 1));
        }
        rows.push_back(std::move(weights));
    }
    return rows;
}

void
InspectionNetwork::ReadOutput(FieldReader& reader)
{
    TakeWord(reader, "output", 1, "\"output 64\"");
    GetSigned(reader, 1, LATER, LATER);
    TakeLine(reader, "64 weights");
    reader.ExpectFieldCount(LATER, "weights of the output");
    for (std::size_t i = 0; i < LATER; ++i)
    {
        m_output[i] = GetSigned(reader, i, -MAX_WEIGHT - 1, MAX_WEIGHT);
    }
    TakeWord(reader, "bias", 1, "\"bias\" and a number");
    m_bias = GetSigned(reader, 1, -MAX_SUM, MAX_SUM);
    TakeWord(reader, "threshold", 1, "\"threshold\" and a number");
    m_threshold = GetSigned(reader, 1, -MAX_SUM, MAX_SUM);
}

void
InspectionNetwork::MakeTables(const Rows& rows)
{
    for (std::size_t nibble = 0; nibble < NIBBLES; ++nibble)
    {
        for (std::size_t value = 0; value < VALUES; ++value)
        {
            for (std::size_t bit = 0; bit < NIBBLE_BITS; ++bit)
            {
                if ((value >> (NIBBLE_BITS - 1 - bit) & 1) == 0)
                {
                    continue;
                }
                for (std::size_t neuron = 0; neuron < FIRST; ++neuron)
                {
                    m_first[nibble][value][neuron] = static_cast<int16_t>(
                        m_first[nibble][value][neuron] + rows[neuron][NIBBLE_BITS * nibble + bit]);
                }
            }
        }
    }
}

int32_t
InspectionNetwork::GetScore(const uint8_t* beat) const
{
    Sums sums{};
    for (std::size_t i = 0; i < BEAT_BYTES; ++i)
    {
        const Sums& high = m_first[2 * i][beat[i] >> NIBBLE_BITS];
        const Sums& low = m_first[2 * i + 1][beat[i] & (VALUES - 1)];
        for (std::size_t neuron = 0; neuron < FIRST; ++neuron)
        {
            sums[neuron] = static_cast<int16_t>(sums[neuron] + high[neuron] + low[neuron]);
        }
    }
    std::transform(sums.begin(), sums.end(), sums.begin(), [this](int16_t sum) {
        return Activate(sum, m_shifts[0]);
    });
    const auto last = RunLayer(m_third, RunLayer(m_second, sums, m_shifts[1]), m_shifts[2]);
    int32_t score = m_bias;
    for (std::size_t i = 0; i < LATER; ++i)
    {
        score += m_output[i] * last[i];
    }
    return score;
}

} // namespace ns3::rdma
