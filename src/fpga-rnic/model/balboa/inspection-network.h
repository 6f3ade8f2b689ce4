// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_INSPECTION_NETWORK_H
#define FPGA_INSPECTION_NETWORK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

class FieldReader;

/**
 * @ingroup fpga-balboa
 * @brief A neural network that distinguishes fragments of executables from other data: 512 one-bit
 * inputs, fully connected layers of 32, 64, 64 and 1 neurons (BALBOA section 5.1.2).
 *
 * Inference uses integers.  Weights of the first three layers are -1, 0 or 1; weights of the last
 * layer are in units of 1/256.  Activations have 3 bits: the sum is shifted right by a number of
 * each layer, rounded half up, and bounded to 0 to 7.  Inputs are the bits of a beat from its first
 * byte on, the most significant bit first.  Only the last layer has a bias, as in the public
 * hardware; the shifts are ours.
 *
 * Not modelled: the bit widths of sums in the hardware, which never overflow here.
 *
 * Source: fpgasystems/AMD-OHC-2024, scripts/training/utils.py (layers, quantisers).
 */
class InspectionNetwork
{
  public:
    static constexpr std::size_t BEAT_BYTES{64};

    /// Reads a file that examples/balboa/detection/train.py has written. Its format is in
    /// docs/models/balboa.md.
    /// @throws InputError with file, line and expected form
    explicit InspectionNetwork(const std::string& path);

    /// @param beat of BEAT_BYTES
    /// @return a score, which is higher for fragments of executables.
    int32_t GetScore(const uint8_t* beat) const;

    /// @return the lowest score of a bad beat.
    int32_t GetThreshold() const
    {
        return m_threshold;
    }

  private:
    static constexpr std::size_t FIRST{32};
    static constexpr std::size_t LATER{64};
    static constexpr std::size_t NIBBLES{2 * BEAT_BYTES};
    static constexpr std::size_t VALUES{16}; ///< Of a nibble.

    using Sums = std::array<int16_t, FIRST>;
    /// By neuron and input.
    using Rows = std::vector<std::vector<int16_t>>;

    static Rows ReadLayer(FieldReader& reader, std::size_t inputs, std::size_t neurons, int& shift);
    void ReadOutput(FieldReader& reader);
    void MakeTables(const Rows& rows);

    /// Contribution of each value of each nibble of the beat to the first layer.
    std::array<std::array<Sums, VALUES>, NIBBLES> m_first{};
    std::array<int, 3> m_shifts{};
    std::array<std::array<int16_t, FIRST>, LATER> m_second{};
    std::array<std::array<int16_t, LATER>, LATER> m_third{};
    std::array<int32_t, LATER> m_output{};
    int32_t m_bias{0};
    int32_t m_threshold{0};
};

} // namespace ns3::rdma

#endif // FPGA_INSPECTION_NETWORK_H
