using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace BufferedMessages.Samples.AccessLog;

/// <summary>Counts what the messages tell, without making objects of them, and prints the answers.</summary>
internal sealed class LogAnswers
{
    private const int TopPaths = 10;
    private const int ShownFaults = 20;

    private readonly Dictionary<byte[], int> _paths = new(new Utf8Comparer());
    private readonly Dictionary<ushort, int> _statuses = [];

    // The hours as the log tells them, each in its own time zone. The numbers of a damaged log are of any size, so a long does not hold their sums.
    private readonly Dictionary<DateTime, (int Requests, decimal Bytes)> _hours = [];
    private readonly List<(long Line, string Fault)> _faults = [];
    private long _requests;
    private long _malformed;

    /// <summary>Adds a line of the log.</summary>
    public void Add(LogLineBufferedMessage line)
    {
        if (line.Request.IsNull)
        {
            _malformed++;
            if (_faults.Count < ShownFaults)
            {
                _faults.Add((line.Number, line.Fault.ToString()!));
            }
        }
        else
        {
            Add(line.Request);
        }
    }

    /// <summary>Prints the answers.</summary>
    /// <param name="output">Where they are printed.</param>
    /// <param name="bars">Whether the hours are drawn as bars, a day in a line.</param>
    public void Print(TextWriter output, bool bars)
    {
        Line(output, $"{_requests + _malformed} lines, {_requests} requests, {_malformed} malformed");
        Line(output, $"");
        Line(output, $"Top paths");
        foreach (var (path, count) in _paths.OrderByDescending(path => path.Value).ThenBy(path => Encoding.UTF8.GetString(path.Key), StringComparer.Ordinal).Take(TopPaths))
        {
            Line(output, $"{count,8}  {Encoding.UTF8.GetString(path)}");
        }

        Line(output, $"");
        Line(output, $"Status codes");
        foreach (var (status, count) in _statuses.OrderBy(status => status.Key))
        {
            Line(output, $"{count,8}  {status}");
        }

        Line(output, $"");
        Line(output, $"Bytes per hour");
        if (bars)
        {
            PrintBars(output);
        }
        else
        {
            foreach (var (hour, sum) in _hours.OrderBy(hour => hour.Key))
            {
                Line(output, $"{hour:yyyy-MM-dd HH}:00  {sum.Bytes,14} bytes  {sum.Requests,8} requests");
            }
        }

        if (_malformed != 0)
        {
            Line(output, $"");
            Line(output, $"Malformed lines");
            foreach (var (line, fault) in _faults)
            {
                Line(output, $"  line {line}: {fault}");
            }

            if (_malformed > _faults.Count)
            {
                Line(output, $"  and {_malformed - _faults.Count} more");
            }
        }
    }

    // A day is a line of 24 bars; a dot is an hour without a request.
    private void PrintBars(TextWriter output)
    {
        const string Heights = "▁▂▃▄▅▆▇█";
        var most = Math.Max(_hours.Values.Select(static hour => hour.Bytes).DefaultIfEmpty().Max(), 1);
        Line(output, $"            0     6     12    18");
        foreach (var day in _hours.GroupBy(static hour => hour.Key.Date).OrderBy(static day => day.Key))
        {
            var hours = new char[24];
            hours.AsSpan().Fill('·');
            foreach (var (hour, sum) in day)
            {
                hours[hour.Hour] = Heights[(int)Math.Min(sum.Bytes * Heights.Length / most, Heights.Length - 1)];
            }

            Line(output, $"{day.Key:yyyy-MM-dd}  {new string(hours)}  {day.Sum(static hour => hour.Value.Bytes),14:N0} bytes  {day.Sum(static hour => hour.Value.Requests),8:N0} requests");
        }
    }

    private static void Line(TextWriter output, FormattableString text) => output.WriteLine(text.ToString(CultureInfo.InvariantCulture));

    private void Add(RequestBufferedMessage request)
    {
        _requests++;
        CollectionsMarshal.GetValueRefOrAddDefault(_paths.GetAlternateLookup<ReadOnlySpan<byte>>(), request.Path.Utf8, out _)++;
        CollectionsMarshal.GetValueRefOrAddDefault(_statuses, request.Status, out _)++;

        var time = request.Time;
        ref var hour = ref CollectionsMarshal.GetValueRefOrAddDefault(_hours, time.Date.AddHours(time.Hour), out _);
        hour.Requests++;
        hour.Bytes += request.Bytes ?? 0;
    }
}
