// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COUNTED_LINES_H
#define RDMA_COUNTED_LINES_H

#include "ns3/field-reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Reads as many lines of a file as one of its lines announces.
 *
 * The simulators of the HPCC family do not read further, and many of their files end with a legend.
 * Lines behind the last counted one are therefore ignored, with a note.
 */
class CountedLines
{
  public:
    /**
     * @param reader at the announcing line or behind it; it must live as long as this object
     * @param line that announces the number
     * @param count number of lines, at least 1
     * @param what is on these lines, as "links"
     */
    CountedLines(FieldReader& reader, uint64_t line, uint64_t count, std::string what);

    /// Moves the reader to the next counted line.
    /// @return false behind the last one.
    /// @throws InputError if the file ends before it
    bool Next();

    uint64_t GetCount() const;

    /// @return one line for what follows the last counted line, and one if that line may be
    /// truncated. Complete after Next() has returned false.
    const std::vector<std::string>& GetNotes() const;

  private:
    /// All counted lines are read: takes notes.
    void Finish();

    FieldReader& m_reader;
    uint64_t m_line;
    uint64_t m_count;
    std::string m_what;
    uint64_t m_read{0};
    bool m_isFinished{false};
    std::vector<std::string> m_notes;
};

} // namespace ns3::rdma

#endif // RDMA_COUNTED_LINES_H
