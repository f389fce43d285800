/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay.h"

#include "replay-error.h"
#include "vector-file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace linuxtcp
{

namespace
{

/// Names of the states of loss recovery, in the order of their numbers.
const std::array<const char*, 5> STATES = {"Open", "Disorder", "CWR", "Recovery", "Loss"};

/// Names of the events, in the order of CwndEvent.
const std::array<const char*, 4> EVENTS = {"TX_START", "CWND_RESTART", "COMPLETE_CWR", "LOSS"};

/// Columns that are not compared.
const std::array<const char*, 24> INPUTS = {"idx",
                                            "time_us",
                                            "jiffies",
                                            "op",
                                            "arg1",
                                            "arg2",
                                            "arg3",
                                            "ca_state_in",
                                            "cwnd_in",
                                            "ssthresh_in",
                                            "cwnd_cnt_in",
                                            "snd_una",
                                            "snd_nxt",
                                            "packets_out",
                                            "in_flight",
                                            "sacked_out",
                                            "is_cwnd_limited",
                                            "max_packets_out",
                                            "cwnd_limited",
                                            "srtt_us",
                                            "pacing_rate",
                                            "pacing_status",
                                            "lsndtime",
                                            "rand"};

/// Payload of a segment in all files (bytes).
constexpr uint32_t MSS = 1448;

/// The random numbers that a row says were drawn.
class RowRandomSource : public RandomSource
{
  public:
    uint32_t Draw() override
    {
        ++m_draws;
        return m_value;
    }

    /**
     * @brief Begin a row.
     * @param value the number drawn in it
     */
    void Begin(uint32_t value)
    {
        m_value = value;
        m_draws = 0;
    }

    /// @return numbers drawn in this row
    uint32_t GetDraws() const
    {
        return m_draws;
    }

  private:
    uint32_t m_value{0}; ///< the number
    uint32_t m_draws{0}; ///< how often it was drawn in this row
};

/**
 * @param path name of a file
 * @return the name without folders and extensions
 */
std::string
Stem(const std::string& path)
{
    const std::string name = std::filesystem::path(path).filename().string();
    return name.substr(0, name.find('.'));
}

/**
 * @brief Compare a field.
 * @param report takes the outcome
 * @param row number of the row
 * @param field name of the column
 * @param expected value in the file
 * @param got value of the algorithm
 */
void
Compare(ReplayReport& report,
        const std::string& row,
        const std::string& field,
        const std::string& expected,
        const std::string& got)
{
    ++report.fields;
    if (expected == got)
    {
        return;
    }
    ++report.mismatches;
    if (report.differences.size() < KEPT_DIFFERENCES)
    {
        report.differences.push_back({row, field, expected, got});
    }
}

/**
 * @brief Find a name in a list.
 * @param file the file
 * @param row the row
 * @param column index of the column that holds the name
 * @param names the list
 * @return its index
 */
template <size_t N>
size_t
IndexOf(const VectorFile& file,
        const VectorFile::Row& row,
        size_t column,
        const std::array<const char*, N>& names)
{
    const std::string& name = row.fields[column];
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
    {
        std::string list;
        for (const char* known : names)
        {
            list += (list.empty() ? "" : ", ") + std::string(known);
        }
        file.Fail(row, file.GetColumns()[column] + " = '" + name + "': must be one of " + list);
    }
    return static_cast<size_t>(found - names.begin());
}

/// Replays the calls of one connection.
class CallReplay
{
  public:
    /**
     * @param algorithm the algorithm
     * @param settings its parameters
     * @param file the file
     */
    CallReplay(const AlgorithmBinding& algorithm,
               const ReplaySettings& settings,
               const VectorFile& file)
        : m_file(file),
          m_hz(settings.Hz()),
          m_subject(algorithm.build(settings, m_random))
    {
        m_connection.mss = MSS;
        for (const char* name : INPUTS)
        {
            m_inputs.push_back(file.Find(name));
        }
        for (size_t i = 0; i < file.GetColumns().size(); ++i)
        {
            const std::string& name = file.GetColumns()[i];
            if (std::find(INPUTS.begin(), INPUTS.end(), name) == INPUTS.end())
            {
                m_outputs.emplace_back(i, FindOutput(algorithm.name, name));
            }
        }
        if (m_outputs.empty())
        {
            throw ReplayError(file.GetPath() + ": no output columns");
        }
    }

    /**
     * @brief Replay all rows.
     * @return the outcome
     */
    ReplayReport Run()
    {
        ReplayReport report;
        report.path = m_file.GetPath();
        for (const auto& row : m_file.GetRows())
        {
            ++report.rows;
            Prepare(row);
            Call(row);
            const ReplayRow after{m_connection, m_sndNxtBytes};
            const std::string& number = row.fields[Input("idx")];
            for (const auto& [column, read] : m_outputs)
            {
                Compare(report,
                        number,
                        m_file.GetColumns()[column],
                        m_file.Canonical(row, column),
                        read(after));
            }
            // Inputs that show a wrong hz (once), or a draw too many or too few.
            const uint32_t ticks = ToTicks(m_connection.nowUs, m_hz);
            if (ticks != m_ticks && !m_ticksDiffer)
            {
                m_ticksDiffer = true;
                Compare(report, number, "jiffies", std::to_string(m_ticks), std::to_string(ticks));
            }
            const bool drawn = !row.fields[Input("rand")].empty();
            if (drawn != (m_random.GetDraws() > 0))
            {
                Compare(report,
                        number,
                        "rand",
                        drawn ? "a draw" : "",
                        m_random.GetDraws() > 0 ? "a draw" : "");
            }
        }
        return report;
    }

  private:
    /// Reads an output after a call.
    using Output = std::function<std::string(const ReplayRow&)>;

    /**
     * @param name name of an input column
     * @return its index in the file
     */
    size_t Input(const char* name) const
    {
        const auto found = std::find_if(INPUTS.begin(),
                                        INPUTS.end(),
                                        [name](const std::string& input) { return input == name; });
        return m_inputs[static_cast<size_t>(found - INPUTS.begin())];
    }

    /**
     * @brief Find out how to read an output column.
     * @param algorithm name of the algorithm
     * @param name name of the column
     * @return what reads it
     */
    Output FindOutput(const std::string& algorithm, const std::string& name) const
    {
        if (name == "ret")
        {
            return [this](const ReplayRow&) {
                return m_returned ? std::to_string(*m_returned) : std::string();
            };
        }
        const std::function<uint64_t()> none = [] { return uint64_t{0}; };
        const auto train = m_subject.trainDetections ? m_subject.trainDetections : none;
        const auto delay = m_subject.delayDetections ? m_subject.delayDetections : none;
        std::vector<ReplayColumn> columns = {
            {"cwnd", [](const ReplayRow& row) { return row.connection.cwnd; }},
            {"ssthresh", [](const ReplayRow& row) { return row.connection.ssthresh; }},
            {"cwnd_cnt", [](const ReplayRow& row) { return row.connection.credit; }},
            {"ca_state",
             [](const ReplayRow& row) { return static_cast<int64_t>(row.connection.state); }},
            {"hs_train", [train](const ReplayRow&) { return static_cast<int64_t>(train()); }},
            {"hs_delay", [delay](const ReplayRow&) { return static_cast<int64_t>(delay()); }},
        };
        columns.insert(columns.end(), m_subject.columns.begin(), m_subject.columns.end());
        std::string list = "ret";
        for (const auto& column : columns)
        {
            if (column.name == name)
            {
                return [read = column.read](const ReplayRow& row) {
                    return std::to_string(read(row));
                };
            }
            list += ", " + column.name;
        }
        throw ReplayError(m_file.GetPath() + ": unknown column '" + name + "': the outputs of " +
                          algorithm + " are " + list);
    }

    /**
     * @brief Take the inputs of a row.
     * @param row the row
     */
    void Prepare(const VectorFile::Row& row)
    {
        constexpr int64_t MAX_TIME_US = std::numeric_limits<int64_t>::max();
        constexpr int64_t MAX_PACKETS = 1000000000000;
        Connection& c = m_connection;
        m_file.Number(row, Input("idx"), 0, std::numeric_limits<int64_t>::max());
        c.nowUs = static_cast<uint64_t>(m_file.Number(row, Input("time_us"), 0, MAX_TIME_US));
        m_ticks = m_file.Unsigned(row, Input("jiffies"));
        c.state = static_cast<CongestionState>(
            m_file.Number(row, Input("ca_state_in"), 0, STATES.size() - 1));
        c.cwnd = m_file.Unsigned(row, Input("cwnd_in"));
        c.ssthresh = m_file.Unsigned(row, Input("ssthresh_in"));
        c.credit = m_file.Unsigned(row, Input("cwnd_cnt_in"));
        const auto sndUna =
            static_cast<uint64_t>(m_file.Number(row, Input("snd_una"), 0, MAX_PACKETS));
        m_sndNxtBytes =
            static_cast<uint64_t>(m_file.Number(row, Input("snd_nxt"), 0, MAX_PACKETS)) * MSS;
        c.sndUna = static_cast<uint32_t>(sndUna * MSS);
        c.sndNxt = static_cast<uint32_t>(m_sndNxtBytes);
        m_file.Unsigned(row, Input("packets_out"));
        c.packetsInFlight = m_file.Unsigned(row, Input("in_flight"));
        c.sackedOut = m_file.Unsigned(row, Input("sacked_out"));
        m_file.Number(row, Input("is_cwnd_limited"), 0, 1);
        m_file.Unsigned(row, Input("max_packets_out"));
        c.cwndLimited = m_file.Number(row, Input("cwnd_limited"), 0, 1) == 1;
        m_file.Unsigned(row, Input("srtt_us"));
        c.pacingRate = m_file.Wide(row, Input("pacing_rate"));
        c.paced = m_file.Number(row, Input("pacing_status"), 0, 2) != 0;
        const uint64_t lastSendTicks = m_file.Unsigned(row, Input("lsndtime"));
        c.lastSendUs = (lastSendTicks * 1000000 + m_hz - 1) / m_hz;
        const size_t rand = Input("rand");
        m_random.Begin(row.fields[rand].empty() ? 0 : m_file.Unsigned(row, rand));
        m_returned.reset();
    }

    /**
     * @brief Make the call of a row.
     * @param row the row
     */
    void Call(const VectorFile::Row& row)
    {
        Connection& c = m_connection;
        CongestionControl& algorithm = *m_subject.algorithm;
        const std::string& op = row.fields[Input("op")];
        const size_t arg1 = Input("arg1");
        if (op == "init")
        {
            algorithm.Init(c);
        }
        else if (op == "pkts_acked")
        {
            AckSample sample;
            sample.rttUs = m_file.Number(row, arg1, -1, std::numeric_limits<int32_t>::max());
            sample.packetsAcked = m_file.Unsigned(row, Input("arg2"));
            sample.inFlight = m_file.Unsigned(row, Input("arg3")) * MSS;
            c.packetsInFlight += sample.packetsAcked;
            algorithm.OnAck(c, sample);
        }
        else if (op == "cong_avoid")
        {
            const uint32_t acked = m_file.Unsigned(row, arg1);
            c.packetsInFlight += acked;
            algorithm.IncreaseWindow(c, acked);
        }
        else if (op == "ssthresh")
        {
            m_returned = algorithm.GetSsThresh(c);
        }
        else if (op == "set_state")
        {
            const auto next = static_cast<CongestionState>(IndexOf(m_file, row, arg1, STATES));
            algorithm.OnStateChange(c, next);
            c.state = next;
        }
        else if (op == "cwnd_event")
        {
            algorithm.OnEvent(c, static_cast<CwndEvent>(IndexOf(m_file, row, arg1, EVENTS)));
        }
        else if (op == "undo_cwnd")
        {
            m_returned = algorithm.UndoCwnd(c, m_file.Unsigned(row, arg1));
        }
        else
        {
            m_file.Fail(row,
                        "op = '" + op +
                            "': must be one of init, pkts_acked, cong_avoid, ssthresh, set_state, "
                            "cwnd_event, undo_cwnd");
        }
    }

    const VectorFile& m_file;                         ///< the file
    uint32_t m_hz;                                    ///< timer ticks per second
    RowRandomSource m_random;                         ///< draws of the row
    ReplaySubject m_subject;                          ///< the algorithm
    Connection m_connection;                          ///< the connection
    uint64_t m_sndNxtBytes{0};                        ///< next sequence number, not wrapped
    uint32_t m_ticks{0};                              ///< time of the row (ticks)
    bool m_ticksDiffer{false};                        ///< whether a row's time contradicts hz
    std::optional<uint32_t> m_returned;               ///< what the call returned
    std::vector<size_t> m_inputs;                     ///< columns of INPUTS in the file
    std::vector<std::pair<size_t, Output>> m_outputs; ///< columns compared
};

/**
 * @brief Check that a table has two columns.
 * @param file the file
 * @param input name of the input column
 * @param output name of the output column
 */
void
RequireColumns(const VectorFile& file, const std::string& input, const std::string& output)
{
    if (file.GetColumns() != std::vector<std::string>{input, output})
    {
        throw ReplayError(file.GetPath() + ": the columns must be " + input + "," + output);
    }
}

/**
 * @brief Compare a table of constants.
 * @param constants the constants
 * @param file the file
 * @return the outcome
 */
ReplayReport
ReplayConstants(const std::map<std::string, uint64_t>& constants, const VectorFile& file)
{
    RequireColumns(file, "name", "value");
    ReplayReport report;
    report.path = file.GetPath();
    for (const auto& row : file.GetRows())
    {
        const std::string& name = row.fields[0];
        const auto constant = constants.find(name);
        if (constant == constants.end())
        {
            std::string list;
            for (const auto& [known, value] : constants)
            {
                list += (list.empty() ? "" : ", ") + known;
            }
            file.Fail(row, "name = '" + name + "': must be one of " + list);
        }
        ++report.rows;
        Compare(report, name, "value", file.Canonical(row, 1), std::to_string(constant->second));
    }
    return report;
}

/**
 * @brief Compare a table.
 * @param algorithm the algorithm
 * @param settings its parameters
 * @param file the file
 * @return the outcome
 */
ReplayReport
ReplayTableFile(const AlgorithmBinding& algorithm,
                const ReplaySettings& settings,
                const VectorFile& file)
{
    const std::string name = Stem(file.GetPath());
    if (name == "table_constants" && algorithm.constants)
    {
        return ReplayConstants(algorithm.constants(settings), file);
    }
    std::string list = algorithm.constants ? "table_constants" : "";
    const auto tables = algorithm.tables ? algorithm.tables(settings) : std::vector<ReplayTable>();
    for (const auto& table : tables)
    {
        list += (list.empty() ? "" : ", ") + table.name;
        if (table.name != name)
        {
            continue;
        }
        RequireColumns(file, table.input, table.output);
        ReplayReport report;
        report.path = file.GetPath();
        for (const auto& row : file.GetRows())
        {
            ++report.rows;
            Compare(report,
                    row.fields[0],
                    table.output,
                    file.Canonical(row, 1),
                    std::to_string(table.compute(file.Wide(row, 0))));
        }
        return report;
    }
    throw ReplayError(file.GetPath() + ": unknown table '" + name + "': the tables of " +
                      algorithm.name + " are " + (list.empty() ? "none" : list));
}

} // namespace

ReplayReport
ReplayFile(const AlgorithmBinding& algorithm,
           const ReplaySettings& settings,
           const std::string& path)
{
    CheckSettings(algorithm, settings);
    const VectorFile file(path);
    if (Stem(path).rfind("table_", 0) == 0)
    {
        return ReplayTableFile(algorithm, settings, file);
    }
    return CallReplay(algorithm, settings, file).Run();
}

void
CheckSettings(const AlgorithmBinding& algorithm, const ReplaySettings& settings)
{
    RowRandomSource random;
    try
    {
        algorithm.build(settings, random);
    }
    catch (const std::invalid_argument& error)
    {
        throw ReplayError(error.what());
    }
    settings.RequireAllKnown();
}

std::ostream&
operator<<(std::ostream& stream, const ReplayReport& report)
{
    stream << report.path << ": rows " << report.rows << ", fields " << report.fields
           << ", mismatches " << report.mismatches << "\n";
    for (const auto& difference : report.differences)
    {
        stream << "  row " << difference.row << ", " << difference.field << ": expected "
               << (difference.expected.empty() ? "nothing" : difference.expected) << ", got "
               << (difference.got.empty() ? "nothing" : difference.got) << "\n";
    }
    if (report.mismatches > report.differences.size())
    {
        stream << "  and " << report.mismatches - report.differences.size() << " more\n";
    }
    return stream;
}

ReplaySettings
ReadSettings(const std::string& list, const std::string& path)
{
    const VectorFile file(list);
    const size_t directory = file.Find("directory");
    const size_t prefix = file.Find("prefix");
    const size_t parameters = file.Find("parameters");
    const auto full = std::filesystem::absolute(path);
    const std::string folder = full.parent_path().filename().string();
    const std::string name = full.filename().string();
    ReplaySettings settings;
    for (const auto& row : file.GetRows())
    {
        if (row.fields[directory] == folder && name.rfind(row.fields[prefix], 0) == 0)
        {
            settings.SetAll(row.fields[parameters]);
        }
    }
    return settings;
}

} // namespace linuxtcp
} // namespace ns3
