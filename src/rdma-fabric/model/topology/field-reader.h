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
 * @brief Reads a text file line by line and splits each line into fields at blanks.
 *
 * Blank lines and lines whose first field starts with '#' are skipped, but counted.  Only one line
 * is kept in memory.  Every fault is an InputError with the text "FILE:LINE: expected ..., got
 * ...".
 */
class FieldReader
{
  public:
    /**
     * @param path as given by the user; messages contain it
     * @throws InputError if it is not a readable file
     */
    explicit FieldReader(const std::string& path);

    /// Moves to the next line that has fields.
    /// @return false at the end of the file.
    bool Next();

    /// @return whether this line ends with an end of line; a number at the end of the file may be
    /// truncated.
    bool IsLineEnded() const;

    /// @throws InputError unless IsLineEnded()
    void ExpectLineEnd() const;

    /// @return the number of the current line, from 1; of the last line at the end of the file.
    uint64_t GetLineNumber() const;

    /// @return file and current line as messages name them, "FILE:LINE".
    std::string GetPlace() const;

    /// @return the fields of this line, valid until Next().
    const std::vector<std::string_view>& GetFields() const;

    /// @param meaning of the fields, for the message
    /// @throws InputError unless this line has exactly count fields
    void ExpectFieldCount(size_t count, std::string_view meaning) const;

    /**
     * @param index below the number of fields
     * @param meaning of the field, for the message
     * @param low smallest allowed value
     * @param high largest allowed value
     * @return the field as a whole number
     * @throws InputError if the field is anything else
     */
    uint64_t GetUnsigned(size_t index, std::string_view meaning, uint64_t low, uint64_t high) const;

    /// As GetUnsigned(), for a finite decimal number, such as a probability.
    double GetDouble(size_t index, std::string_view meaning) const;

    /// As GetUnsigned(), for a non-negative time in seconds.
    /// @return the time in picoseconds, rounded half up.
    int64_t GetSecondsAsPs(size_t index, std::string_view meaning) const;

    /// @throws InputError always: "FILE:LINE: expected EXPECTED, got GOT".
    [[noreturn]] void Fail(std::string_view expected, std::string_view got) const;

    /// As Fail(), for another line.
    [[noreturn]] void FailAt(uint64_t line, std::string_view expected, std::string_view got) const;

    /// @return the text in quotes for a message, clipped, with '?' for characters outside printable
    /// ASCII.
    static std::string Quote(std::string_view text);

  private:
    /// @return false at the end of the file.
    bool ReadLineOrFail();
    bool ReadLine();
    void SplitLine();
    std::string MakePlace(uint64_t line) const;

    std::string m_path;
    std::ifstream m_file;
    std::string m_line;
    std::vector<std::string_view> m_fields; ///< Parts of m_line.
    uint64_t m_lineNumber{0};
    bool m_isLineEnded{false}; ///< An end of line ended the line, not the end of the file.
};

} // namespace ns3::rdma

#endif // RDMA_FIELD_READER_H
