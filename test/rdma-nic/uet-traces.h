// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UET_TRACES_H
#define RDMA_UET_TRACES_H

#include "../test-files.h"

#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// @param separator of a line's words
/// @return the lines of a file in test/data/uet-traces, each as its words; empty if there is no
/// such file.
inline std::vector<std::vector<std::string>>
ReadUetTrace(const std::string& name, char separator = ' ')
{
    std::ifstream file(GetCheckout() / "test/data/uet-traces" / name);
    std::vector<std::vector<std::string>> lines;
    for (std::string line; std::getline(file, line);)
    {
        std::vector<std::string> words;
        std::istringstream text(line);
        for (std::string word; std::getline(text, word, separator);)
        {
            words.push_back(word);
        }
        lines.push_back(words);
    }
    return lines;
}

/// A trace, and how many results in it are compared.
struct UetTrace
{
    const char* name;
    std::size_t compared;
};

/// @return the name of the test of a trace: its file name, letters and digits.
inline std::string
GetUetTraceName(const char* file)
{
    std::string name(file);
    name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }),
               name.end());
    return name;
}

} // namespace ns3::rdma

#endif // RDMA_UET_TRACES_H
