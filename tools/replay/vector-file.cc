/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "vector-file.h"

#include "replay-error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <lzma.h>
#include <sstream>
#include <zlib.h>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/// Bytes that a decompressor writes at a time.
constexpr size_t CHUNK = 1 << 16;

/**
 * @param path name of the file
 * @param data an xz stream
 * @return what it holds
 */
std::string
DecompressXz(const std::string& path, const std::string& data)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&stream, std::numeric_limits<uint64_t>::max(), LZMA_CONCATENATED) !=
        LZMA_OK)
    {
        throw ReplayError(path + ": cannot start the xz decoder");
    }
    stream.next_in = reinterpret_cast<const uint8_t*>(data.data());
    stream.avail_in = data.size();
    std::string text;
    std::array<uint8_t, CHUNK> chunk;
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK)
    {
        stream.next_out = chunk.data();
        stream.avail_out = chunk.size();
        result = lzma_code(&stream, LZMA_FINISH);
        text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
    }
    lzma_end(&stream);
    if (result != LZMA_STREAM_END)
    {
        throw ReplayError(path + ": xz data are damaged or cut short");
    }
    return text;
}

/**
 * @param path name of the file
 * @param data a gzip stream
 * @return what it holds
 */
std::string
DecompressGzip(const std::string& path, const std::string& data)
{
    z_stream stream = {};
    constexpr int GZIP_HEADER = 16;
    if (inflateInit2(&stream, MAX_WBITS + GZIP_HEADER) != Z_OK)
    {
        throw ReplayError(path + ": cannot start the gzip decoder");
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    std::string text;
    std::array<uint8_t, CHUNK> chunk;
    int result = Z_OK;
    while (result == Z_OK)
    {
        stream.next_out = chunk.data();
        stream.avail_out = static_cast<uInt>(chunk.size());
        result = inflate(&stream, Z_NO_FLUSH);
        text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
        if (result == Z_STREAM_END && stream.avail_in > 0)
        {
            // A gzip file may consist of several members.
            result = inflateReset(&stream);
        }
    }
    inflateEnd(&stream);
    if (result != Z_STREAM_END)
    {
        throw ReplayError(path + ": gzip data are damaged or cut short");
    }
    return text;
}

/**
 * @param line a line
 * @return its fields
 */
std::vector<std::string>
Split(const std::string& line)
{
    std::vector<std::string> fields;
    size_t start = 0;
    while (true)
    {
        const size_t comma = line.find(',', start);
        fields.push_back(line.substr(start, comma - start));
        if (comma == std::string::npos)
        {
            return fields;
        }
        start = comma + 1;
    }
}

/**
 * @param text a text
 * @param prefix what it may begin with
 * @return whether it does
 */
bool
BeginsWith(const std::string& text, const std::string& prefix)
{
    return text.compare(0, prefix.size(), prefix) == 0;
}

} // namespace

std::string
ReadText(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    if (!file || !(content << file.rdbuf()))
    {
        throw ReplayError(path + ": cannot be read, or is empty");
    }
    std::string data = content.str();
    if (BeginsWith(data,
                   std::string("\xfd"
                               "7zXZ\0",
                               6)))
    {
        return DecompressXz(path, data);
    }
    if (BeginsWith(data, "\x1f\x8b"))
    {
        return DecompressGzip(path, data);
    }
    if (data.find('\0') != std::string::npos)
    {
        throw ReplayError(path + ": is neither text nor gzip nor xz data");
    }
    return data;
}

VectorFile::VectorFile(const std::string& path)
    : m_path(path)
{
    std::istringstream text(ReadText(path));
    std::string line;
    size_t number = 0;
    while (std::getline(text, line))
    {
        ++number;
        if (!line.empty() && line.back() == '\r')
        {
            line.pop_back();
        }
        if (number == 1)
        {
            m_columns = Split(line);
            continue;
        }
        if (line.empty())
        {
            continue;
        }
        Row row{number, Split(line)};
        if (row.fields.size() != m_columns.size())
        {
            Fail(row,
                 std::to_string(row.fields.size()) + " fields, but " +
                     std::to_string(m_columns.size()) + " columns");
        }
        m_rows.push_back(std::move(row));
    }
    for (size_t i = 0; i < m_columns.size(); ++i)
    {
        if (std::find(m_columns.begin(), m_columns.begin() + i, m_columns[i]) !=
            m_columns.begin() + i)
        {
            throw ReplayError(path + ": two columns named '" + m_columns[i] + "'");
        }
    }
    if (m_rows.empty())
    {
        throw ReplayError(path + ": no rows");
    }
}

const std::string&
VectorFile::GetPath() const
{
    return m_path;
}

const std::vector<std::string>&
VectorFile::GetColumns() const
{
    return m_columns;
}

const std::vector<VectorFile::Row>&
VectorFile::GetRows() const
{
    return m_rows;
}

size_t
VectorFile::Find(const std::string& name) const
{
    const auto found = std::find(m_columns.begin(), m_columns.end(), name);
    if (found == m_columns.end())
    {
        throw ReplayError(m_path + ": no column named '" + name + "'");
    }
    return static_cast<size_t>(found - m_columns.begin());
}

void
VectorFile::Fail(const Row& row, const std::string& text) const
{
    throw ReplayError(m_path + ":" + std::to_string(row.line) + ": " + text);
}

int64_t
VectorFile::Number(const Row& row, size_t column, int64_t low, int64_t high) const
{
    const std::string& field = row.fields[column];
    int64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value < low || value > high)
    {
        Fail(row,
             m_columns[column] + " = '" + field + "': must be a whole number from " +
                 std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
}

uint32_t
VectorFile::Unsigned(const Row& row, size_t column) const
{
    return static_cast<uint32_t>(Number(row, column, 0, std::numeric_limits<uint32_t>::max()));
}

uint64_t
VectorFile::Wide(const Row& row, size_t column) const
{
    const std::string& field = row.fields[column];
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
    {
        Fail(row,
             m_columns[column] + " = '" + field + "': must be a whole number from 0 to " +
                 std::to_string(std::numeric_limits<uint64_t>::max()));
    }
    return value;
}

std::string
VectorFile::Canonical(const Row& row, size_t column) const
{
    const std::string& field = row.fields[column];
    if (field.empty())
    {
        return field;
    }
    const size_t start = field[0] == '-' ? 1 : 0;
    if (start == field.size() || field.find_first_not_of("0123456789", start) != std::string::npos)
    {
        Fail(row, m_columns[column] + " = '" + field + "': must be a whole number");
    }
    const size_t digit = std::min(field.find_first_not_of('0', start), field.size() - 1);
    return (start == 1 && field[digit] != '0' ? "-" : "") + field.substr(digit);
}

} // namespace linuxtcp
} // namespace ns3
