// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PREFIXED_LINES_H
#define RDMA_PREFIXED_LINES_H

#include <streambuf>
#include <string>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief Writes lines to another buffer, each with a prefix.
 */
class PrefixedLines : public std::streambuf
{
  public:
    /// @param out outlives this
    PrefixedLines(std::streambuf& out, std::string prefix);

  private:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;

    std::streambuf& m_out;
    std::string m_prefix;
    bool m_isAtBegin{true};
};

} // namespace ns3::rdma

#endif // RDMA_PREFIXED_LINES_H
