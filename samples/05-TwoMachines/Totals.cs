namespace BufferedMessages.Samples.TwoMachines;

/// <summary>The files and bytes of each extension, and a check that each message came once. One thread counts; all may read.</summary>
internal sealed class Totals
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (long Files, long Bytes)> _extensions = new(StringComparer.Ordinal);
    private long _last;

    public long Files { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Numbers that did not come.</summary>
    public long Missing { get; private set; }

    /// <summary>Numbers that came again.</summary>
    public long Repeated { get; private set; }

    /// <summary>Counts a message.</summary>
    /// <returns>False if it is the end of the walk.</returns>
    public bool Count(FileSeenBufferedMessage message)
    {
        lock (_gate)
        {
            Missing += Math.Max(0, message.Number - _last - 1);
            Repeated += message.Number <= _last ? 1 : 0;
            _last = Math.Max(_last, message.Number);
            if (message.Extension.IsNull)
            {
                return false;
            }

            var extension = message.Extension.ToString()!;
            var (files, bytes) = _extensions.GetValueOrDefault(extension);
            _extensions[extension] = (files + 1, bytes + message.Bytes);
            Files++;
            Bytes += message.Bytes;
            return true;
        }
    }

    /// <summary>Gives the extensions with the most bytes.</summary>
    public IReadOnlyList<(string Extension, long Files, long Bytes)> Largest(int count)
    {
        lock (_gate)
        {
            return [.. _extensions.OrderByDescending(static pair => pair.Value.Bytes).Take(count).Select(static pair => (pair.Key, pair.Value.Files, pair.Value.Bytes))];
        }
    }
}
