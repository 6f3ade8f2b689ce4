// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FIELD_READER_H
#define RDMA_FIELD_READER_H

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Reads a text file line by line, each line as fields between blanks.
 *
 * Blank lines and lines whose first field starts with '#' are skipped, but counted.  One line is
 * held at a time, so the size of the file does not matter.  The last line has to end as well: a
 * file that was cut within its last number would be taken for a whole one.  Every fault is an
 * InputError that reads "FILE:LINE: expected ..., got ...".
 */
class FieldReader
{
  public:
    /**
     * @param path as the user gave it: it opens the file and stands in messages
     * @throws InputError if this is not a file that can be read
     */
    explicit FieldReader(const std::string& path);

    /// Goes to the next line that has fields. @return false at the end of the file.
    bool Next();

    /// @return the number of the line that Next() went to last, from 1; the last one at the end.
    uint64_t GetLineNumber() const;

    /// @return the fields of this line, valid until Next().
    const std::vector<std::string_view>& GetFields() const;

    /// @throws InputError unless this line has exactly count fields. @param meaning of the fields
    void ExpectFieldCount(size_t count, std::string_view meaning) const;

    /**
     * @param index of the field, below the number of fields
     * @param meaning of the field, for the message
     * @param low smallest value that is allowed
     * @param high largest value that is allowed
     * @return the whole number that the field holds
     * @throws InputError if it holds anything else
     */
    uint64_t GetUnsigned(size_t index, std::string_view meaning, uint64_t low, uint64_t high) const;

    /// Likewise for a finite decimal number, such as a probability.
    double GetDouble(size_t index, std::string_view meaning) const;

    /// Likewise for a non-negative time in seconds. @return it in picoseconds, rounded half up.
    int64_t GetSecondsAsPs(size_t index, std::string_view meaning) const;

    /// @throws InputError always: "FILE:LINE: expected EXPECTED, got GOT".
    [[noreturn]] void Fail(std::string_view expected, std::string_view got) const;

    /// Likewise for a line other than the one that is current.
    [[noreturn]] void FailAt(uint64_t line, std::string_view expected, std::string_view got) const;

    /// @return text in quotes for a message: clipped, and with '?' for what is not plain ASCII.
    static std::string Quote(std::string_view text);

  private:
    /// @return false at the end of the file.
    bool ReadLineOrFail();
    bool ReadLine();
    void CheckLine() const;
    void SplitLine();

    std::string m_path;
    std::ifstream m_file;
    std::string m_line;
    std::vector<std::string_view> m_fields; ///< Into m_line.
    uint64_t m_lineNumber{0};
    bool m_isLineEnded{false}; ///< The line is not cut by the end of the file.
};

} // namespace ns3::rdma

#endif // RDMA_FIELD_READER_H
