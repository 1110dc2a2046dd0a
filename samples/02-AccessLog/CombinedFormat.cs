using System.Globalization;

namespace BufferedMessages.Samples.AccessLog;

/// <summary>Reads lines of Apache's combined log format.</summary>
internal ref struct CombinedFormat
{
    private ReadOnlySpan<char> _rest;

    private CombinedFormat(ReadOnlySpan<char> line) => _rest = line;

    /// <summary>Reads a line.</summary>
    /// <param name="line">Without its line end.</param>
    /// <param name="request">The request; null when the line is malformed.</param>
    /// <returns>What is wrong with the line; null when nothing is.</returns>
    public static string? Read(ReadOnlySpan<char> line, out Request? request)
    {
        var parsed = new Request();
        var fault = new CombinedFormat(line).Parse(parsed);
        request = fault is null ? parsed : null;
        return fault;
    }

    private string? Parse(Request request)
    {
        if (!TryWord(out var client) || !TryWord(out _) || !TryWord(out var user))
        {
            return "it does not start with client, identity and user";
        }

        if (!TryBetween('[', ']', out var time))
        {
            return "there is no time in brackets after the user";
        }

        if (!DateTimeOffset.TryParseExact(time, "dd/MMM/yyyy:HH:mm:ss zzz", CultureInfo.InvariantCulture, DateTimeStyles.None, out var parsedTime))
        {
            return $"the time '{time}' is not like 17/May/2015:10:05:03 +0000";
        }

        if (!TryBetween('"', '"', out var line))
        {
            return "there is no request in quotes after the time";
        }

        if (!TryWord(out var status) || !ushort.TryParse(status, NumberStyles.None, CultureInfo.InvariantCulture, out var parsedStatus) || parsedStatus is < 100 or > 999)
        {
            return "there is no status of three digits after the request";
        }

        if (!TryWord(out var bytes) || !TryNumber(bytes, out var parsedBytes))
        {
            return "there is no number of bytes after the status";
        }

        if (!TryBetween('"', '"', out var referrer))
        {
            return "there is no referrer in quotes after the bytes";
        }

        if (!TryBetween('"', '"', out var userAgent))
        {
            return "there is no user agent in quotes after the referrer";
        }

        if (!_rest.IsEmpty)
        {
            return "the line goes on after the user agent";
        }

        request.Client = client.ToString();
        request.User = Known(user);
        request.Time = parsedTime;
        (request.Method, request.Path, request.Protocol) = Split(line);
        request.Status = parsedStatus;
        request.Bytes = parsedBytes;
        request.Referrer = Known(referrer);
        request.UserAgent = Known(userAgent);
        return null;
    }

    private static string? Known(ReadOnlySpan<char> text) => text is "-" ? null : text.ToString();

    private static bool TryNumber(ReadOnlySpan<char> text, out long? number)
    {
        number = long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
        return number is not null || text is "-";
    }

    private static (string? Method, string Path, string? Protocol) Split(ReadOnlySpan<char> line)
    {
        var words = line.ToString().Split(' ');
        return words.Length == 3 ? (words[0], words[1], words[2]) : (null, line.ToString(), null);
    }

    private bool TryWord(out ReadOnlySpan<char> word)
    {
        var end = _rest.IndexOf(' ');
        word = end < 0 ? _rest : _rest[..end];
        _rest = end < 0 ? [] : _rest[(end + 1)..];
        return !word.IsEmpty;
    }

    // Apache writes a quote within the text as \" and a backslash as \\.
    private bool TryBetween(char open, char close, out ReadOnlySpan<char> text)
    {
        text = [];
        if (_rest.IsEmpty || _rest[0] != open)
        {
            return false;
        }

        for (var i = 1; i < _rest.Length; i++)
        {
            if (_rest[i] == close)
            {
                text = _rest[1..i];
                _rest = _rest[(i + 1)..];
                return TrySeparator();
            }

            i += _rest[i] == '\\' ? 1 : 0;
        }

        return false;
    }

    private bool TrySeparator()
    {
        if (_rest.IsEmpty)
        {
            return true;
        }

        var isSeparated = _rest[0] == ' ';
        _rest = _rest[(isSeparated ? 1 : 0)..];
        return isSeparated;
    }
}
