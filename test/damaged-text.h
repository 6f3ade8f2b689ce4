// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DAMAGED_TEXT_H
#define RDMA_DAMAGED_TEXT_H

#include "test-files.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace ns3::rdma
{

/// @return a text of which some letters are replaced, removed, repeated or cut off; the same for
/// the same seed.
inline std::string
DamageText(std::string text, uint32_t seed)
{
    const std::string letters("0123456789-.e \n\t#xG\0\xff", 21);
    std::mt19937 random(seed);
    const auto draw = [&random](std::size_t count) { return random() % count; };
    for (std::size_t left = 1 + draw(3); left > 0 && !text.empty(); --left)
    {
        const std::size_t place = draw(text.size());
        switch (draw(5))
        {
        case 0:
            text[place] = letters[draw(letters.size())];
            break;
        case 1:
            text.erase(place, 1 + draw(8));
            break;
        case 2:
            text.insert(place, 1 + draw(20), letters[draw(letters.size())]);
            break;
        case 3:
            text.insert(place, text.substr(draw(text.size()), 1 + draw(30)));
            break;
        default:
            text.resize(place);
        }
    }
    return text;
}

/// Reads damaged copies of a good text. Each is read, or refused by an InputError of one line with
/// the file, what is expected and what the file has.
template <typename Read>
void
ExpectReadOrRefused(const std::string& good, uint32_t copies, const Read& read)
{
    uint32_t refused = 0;
    for (uint32_t seed = 0; seed < copies; ++seed)
    {
        const TemporaryFile file(DamageText(good, seed));
        const std::string error = GetInputError([&] { read(file.GetPath()); });
        refused += error.empty() ? 0 : 1;
        ASSERT_TRUE(error.empty() || error.rfind(file.GetPath() + ":", 0) == 0) << seed << error;
        ASSERT_TRUE(error.empty() || error.find(": expected ") < error.find(", got ")) << error;
        ASSERT_EQ(std::count(error.begin(), error.end(), '\n'), 0) << error;
    }
    EXPECT_GT(refused, copies / 10);
    EXPECT_LT(refused, copies);
}

} // namespace ns3::rdma

#endif // RDMA_DAMAGED_TEXT_H
