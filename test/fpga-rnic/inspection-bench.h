// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_INSPECTION_BENCH_H
#define FPGA_INSPECTION_BENCH_H

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Random weights of an inspection network, and what plain loops make of a beat with them.
struct RandomNetwork
{
    explicit RandomNetwork(uint64_t seed)
    {
        std::mt19937_64 random(seed);
        std::size_t inputs = 512;
        for (const std::size_t neurons : {32, 64, 64})
        {
            layers.emplace_back(neurons, std::vector<int>(inputs));
            for (auto& row : layers.back())
            {
                std::generate(row.begin(), row.end(), [&random] {
                    return static_cast<int>(random() % 3) - 1;
                });
            }
            shifts.push_back(static_cast<int>(random() % 4));
            inputs = neurons;
        }
        for (int& weight : output)
        {
            weight = static_cast<int>(random() % 2001) - 1000;
        }
        bias = static_cast<int>(random() % 1001) - 500;
    }

    /// The file of it.
    std::string GetText() const
    {
        std::string text = "# Random.\nrocelab-inspection 1\n";
        for (std::size_t i = 0; i < layers.size(); ++i)
        {
            const auto& rows = layers[i];
            text += "layer " + std::to_string(rows[0].size()) + " " + std::to_string(rows.size()) +
                    " " + std::to_string(shifts[i]) + "\n";
            for (const auto& row : rows)
            {
                for (const int weight : row)
                {
                    text += "-0+"[weight + 1];
                }
                text += "\n";
            }
        }
        text += "output 64\n";
        for (const int weight : output)
        {
            text += std::to_string(weight) + " ";
        }
        return text + "\nbias " + std::to_string(bias) + "\nthreshold " +
               std::to_string(threshold) + "\n";
    }

    int GetScore(const uint8_t* beat) const
    {
        std::vector<int> values;
        for (int bit = 0; bit < 512; ++bit)
        {
            values.push_back(beat[bit / 8] >> (7 - bit % 8) & 1);
        }
        for (std::size_t i = 0; i < layers.size(); ++i)
        {
            std::vector<int> next;
            for (const auto& row : layers[i])
            {
                int sum = 0;
                for (std::size_t input = 0; input < row.size(); ++input)
                {
                    sum += row[input] * values[input];
                }
                // Rounded half up: floor(sum / 2^shift + 1/2).
                const int half = shifts[i] > 0 ? 1 << (shifts[i] - 1) : 0;
                next.push_back(sum <= 0 ? 0 : std::min((sum + half) / (1 << shifts[i]), 7));
            }
            values = next;
        }
        int score = bias;
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            score += output[i] * values[i];
        }
        return score;
    }

    /// The highest score of the full beats of some bytes.
    int GetWorst(const std::vector<uint8_t>& bytes) const
    {
        int worst = INT32_MIN;
        for (std::size_t at = 0; at + 64 <= bytes.size(); at += 64)
        {
            worst = std::max(worst, GetScore(bytes.data() + at));
        }
        return worst;
    }

    std::vector<std::vector<std::vector<int>>> layers; ///< By neuron and input.
    std::vector<int> shifts;
    std::vector<int> output = std::vector<int>(64);
    int bias{0};
    int threshold{0};
};

} // namespace ns3::rdma

#endif // FPGA_INSPECTION_BENCH_H
