using System.Buffers.Binary;
using System.Globalization;

namespace BufferedMessages.Runtime.Tests.Readers;

/// <summary>A broken rule, as a reader found it.</summary>
internal readonly record struct Verdict(string Rule, int Position, string Path)
{
    /// <summary>The verdict on a valid message.</summary>
    public static Verdict Valid { get; } = new("", 0, "");

    /// <summary>The rule without the advice that a program of .NET adds to it.</summary>
    public static Verdict Of(MessageError error) => new(error.Rule.Split(';')[0], error.Offset, error.Path);

    /// <summary>Verifies a message with .NET, by its schema.</summary>
    public static Verdict Of(ReadOnlySpan<byte> message, MessageSchema schema, bool exact) =>
        BufferedMessage.Verify(message, schema, out var error, exact) ? Valid : Of(error);
}

/// <summary>The result of a reader for one message.</summary>
/// <param name="Plain">The verdict of a verification.</param>
/// <param name="Exact">The verdict of an exact verification.</param>
/// <param name="Json">The message as JSON; null if it was not asked for.</param>
/// <param name="Written">The bytes that the reader writes of the values, in hex; null if it was not asked for, empty if it does not write.</param>
internal sealed record ReaderLine(Verdict Plain, Verdict Exact, string? Json, string? Written)
{
    private const int VerdictColumns = 3;

    public static IReadOnlyList<ReaderLine> Parse(string output) =>
        [.. output.TrimEnd('\n').Split('\n').Where(static line => line.Length != 0).Select(static line => Of(line.Split('\t')))];

    /// <summary>Requires that a reader read messages as .NET does.</summary>
    /// <param name="file">The messages.</param>
    /// <param name="lines">The results of the reader.</param>
    /// <param name="isWritten">Whether the reader wrote the exact messages again.</param>
    /// <returns>The number of messages that were read.</returns>
    public static int AssertReads(ReaderFile file, IReadOnlyList<ReaderLine> lines, bool isWritten)
    {
        Assert.Equal(file.Messages.Count(), lines.Count);
        var count = 0;
        foreach (var ((schema, message, isRead), line) in file.Messages.Zip(lines))
        {
            Assert.Equal(isRead, line.Json is not null);
            if (isRead)
            {
                line.AssertReads(message, schema, isWritten);
                count++;
            }
        }

        return count;
    }

    private void AssertReads(byte[] message, MessageSchema schema, bool isWritten)
    {
        var exact = Verdict.Of(message, schema, exact: true);
        if (Plain != Verdict.Valid || Exact != exact)
        {
            Assert.Fail($"{Plain} {Exact}: {Convert.ToHexString(message)}\n{schema}");
        }

        ReaderJson.AssertSame(ReaderJson.Of(message, schema), Json, $"{Convert.ToHexString(message)}\n{schema}");
        var bytes = Convert.ToHexStringLower(message.AsSpan(0, BinaryPrimitives.ReadInt32LittleEndian(message.AsSpan(sizeof(int)))));
        if (isWritten && exact == Verdict.Valid && Written != bytes)
        {
            Assert.Fail($"written {Written}\nby .NET {bytes}\n{Json}\n{schema}");
        }
    }

    private static ReaderLine Of(string[] columns) => new(
        VerdictOf(columns.AsSpan(0, VerdictColumns)),
        VerdictOf(columns.AsSpan(VerdictColumns, VerdictColumns)),
        columns.ElementAtOrDefault(2 * VerdictColumns),
        columns.ElementAtOrDefault((2 * VerdictColumns) + 1));

    private static Verdict VerdictOf(ReadOnlySpan<string> columns) => new(columns[0], int.Parse(columns[1], CultureInfo.InvariantCulture), columns[2]);
}
