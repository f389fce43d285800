/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_TCP_VECTOR_FILE_H
#define LINUX_TCP_VECTOR_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace linuxtcp
{

/**
 * @brief Read a file as a whole and undo its compression.
 *
 * The compression (gzip, xz or none) is known from the first bytes, not from the name.
 * @param path name of the file
 * @return its text
 * @throws ReplayError if it cannot be read, or its compressed data are damaged or cut short
 */
std::string ReadText(const std::string& path);

/// A table of comma separated fields under a line of column names.
class VectorFile
{
  public:
    /// One line of fields.
    struct Row
    {
        size_t line;                     ///< number of the line in the file, from 1
        std::vector<std::string> fields; ///< fields, as many as there are columns
    };

    /**
     * @brief Read a file.
     * @param path name of the file (.csv, .csv.gz or .csv.xz)
     * @throws ReplayError if it is unreadable or malformed
     */
    explicit VectorFile(const std::string& path);

    /// @return name of the file
    const std::string& GetPath() const;

    /// @return names of the columns
    const std::vector<std::string>& GetColumns() const;

    /// @return rows
    const std::vector<Row>& GetRows() const;

    /**
     * @brief Find a column.
     * @param name its name
     * @return its index
     * @throws ReplayError if there is none
     */
    size_t Find(const std::string& name) const;

    /**
     * @brief Complain about a row.
     * @param row the row
     * @param text what is wrong
     * @throws ReplayError always
     */
    [[noreturn]] void Fail(const Row& row, const std::string& text) const;

    /**
     * @brief Read a field as a number.
     * @param row the row
     * @param column index of the column
     * @param low smallest value allowed
     * @param high largest value allowed
     * @return the number
     * @throws ReplayError if it is not a whole number in that range
     */
    int64_t Number(const Row& row, size_t column, int64_t low, int64_t high) const;

    /**
     * @brief Read a field as a 32-bit unsigned number.
     * @param row the row
     * @param column index of the column
     * @return the number
     * @throws ReplayError if it is not such a number
     */
    uint32_t Unsigned(const Row& row, size_t column) const;

    /**
     * @brief Read a field as a 64-bit unsigned number.
     * @param row the row
     * @param column index of the column
     * @return the number
     * @throws ReplayError if it is not such a number
     */
    uint64_t Wide(const Row& row, size_t column) const;

    /**
     * @brief Bring an expected value into the form in which numbers are written.
     * @param row the row
     * @param column index of the column
     * @return the field without superfluous zeros; empty if the field is
     * @throws ReplayError if it is neither empty nor a whole number
     */
    std::string Canonical(const Row& row, size_t column) const;

  private:
    std::string m_path;                 ///< name of the file
    std::vector<std::string> m_columns; ///< names of the columns
    std::vector<Row> m_rows;            ///< rows
};

} // namespace linuxtcp
} // namespace ns3

#endif /* LINUX_TCP_VECTOR_FILE_H */
