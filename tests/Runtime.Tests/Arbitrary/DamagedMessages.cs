using System.Buffers;
using System.Buffers.Binary;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// What must hold for any bytes: the verification names what is wrong with them, and reading them works or throws
/// <see cref="MalformedMessageException"/>; or they are verified, and then the view and a copy of it agree.
/// </summary>
/// <param name="target">The type of the messages.</param>
/// <param name="original">A message of it that is not damaged.</param>
internal sealed partial class DamagedMessages(MessageCase target, byte[] original)
{
    // Reading by the schema text is for tools, and takes longer than all the rest: a share of the messages is enough.
    private const int MessagesPerSchemaRead = 8;
    private const int MessagesPerExplanation = 64;
    private const int MessagesPerSchemaVerification = 4;

    private readonly ArrayBufferWriter<byte> _buffer = new();

    /// <summary>How many messages were checked.</summary>
    public int Count { get; private set; }

    /// <summary>The rules that were broken.</summary>
    public HashSet<string> BrokenRules { get; } = new(StringComparer.Ordinal);

    /// <summary>How many of them were verified by their schema alone too.</summary>
    public int VerifiedBySchemaCount { get; private set; }

    /// <summary>How many of them are valid.</summary>
    public int VerifiedCount { get; private set; }

    /// <summary>How many of them are valid, but hold a case that their type does not know.</summary>
    public int UnknownCount { get; private set; }

    /// <summary>In how many of them members were set.</summary>
    public int EditedCount { get; private set; }

    public void Check(ReadOnlySpan<byte> message)
    {
        if (Count++ % MessagesPerSchemaVerification == 0)
        {
            VerifiedBySchemaCount++;
            CheckBySchema(message, exact: false);
            CheckBySchema(message, exact: true);
        }

        if (target.Verify(message, out var error, exact: false))
        {
            VerifiedCount++;
            CheckVerified(message);
            return;
        }

        AssertNamesPlace(error, message.Length);
        BrokenRules.Add(error.Rule);
        Assert.False(target.Verify(message, out _, exact: true), "An exact verification is more lenient.");
        Reads(message);
        if (Count % MessagesPerSchemaRead == 0)
        {
            ReadsBySchema(message);
        }
    }

    /// <summary>While a second thread changes the bytes, a verification says nothing about what is read next.</summary>
    public void CheckWhileItChanges(Span<byte> message)
    {
        if (!target.Verify(message, out var error, exact: (++Count & 1) == 0))
        {
            AssertNamesPlace(error, message.Length);
        }

        Reads(message);
        if (Count % MessagesPerSchemaRead == 0)
        {
            ReadsBySchema(message);
            Edits(message, new Editor(new ArbitraryValues(Count), isShared: true));
        }
    }

    /// <summary>Whether the message can be read; if not, it is malformed.</summary>
    public bool Reads(ReadOnlySpan<byte> message)
    {
        try
        {
            target.ReadEverything(message);
            return true;
        }
        catch (UnknownCaseException)
        {
            return true;
        }
        catch (MalformedMessageException)
        {
            return false;
        }
    }

    /// <summary>Setting members in place leaves the header and what is behind the message alone, and a valid message valid.</summary>
    public void CheckEdited(Span<byte> message, Editor editor)
    {
        Count++;
        var before = message.ToArray();
        var isVerified = target.Verify(message, out _, exact: false);
        var isExact = target.Verify(message, out _, exact: true);
        var isEdited = Edits(message, editor);
        if (!isEdited && isVerified)
        {
            Assert.Fail($"It is verified, but cannot be edited: {Convert.ToHexString(before)}");
        }

        if (!target.Verify(message, out var error, exact: false) && isVerified)
        {
            Assert.Fail($"It was valid before it was edited, now not: {error}\nwas {Convert.ToHexString(before)}\nis  {Convert.ToHexString(message)}");
        }

        if (isExact && (editor.Missing != 0 || !target.Verify(message, out error, exact: true)))
        {
            Assert.Fail($"It was exact before it was edited, now not: {error}; members without room: {editor.Missing}\nwas {Convert.ToHexString(before)}\nis  {Convert.ToHexString(message)}");
        }

        var end = editor.Messages == 0 ? 0 : BinaryPrimitives.ReadInt32LittleEndian(before.AsSpan(4));
        var header = Math.Min(end, 8);
        if (!message[..header].SequenceEqual(before.AsSpan(0, header)) || !message[end..].SequenceEqual(before.AsSpan(end)))
        {
            Assert.Fail($"Bytes outside of the message were written.\nwas {Convert.ToHexString(before)}\nis  {Convert.ToHexString(message)}");
        }

        VerifiedCount += isVerified ? 1 : 0;
        EditedCount += editor.Messages == 0 ? 0 : 1;
    }

    /// <summary>Whether the message can be changed as far as its bytes go; if not, it is malformed.</summary>
    public bool Edits(Span<byte> message, Editor editor)
    {
        try
        {
            target.Edit(message, editor);
            return true;
        }
        catch (MalformedMessageException)
        {
            return false;
        }
    }

    // Exact are the bytes that a writer would write, and no others.
    private void CheckVerified(ReadOnlySpan<byte> message)
    {
        var isExact = target.Verify(message, out var error, exact: true);
        if (!isExact)
        {
            AssertNamesPlace(error, message.Length);
        }

        var isRead = VerifiedCount % MessagesPerSchemaRead == 0;
        if (isRead && !ReadsBySchema(message))
        {
            Assert.Fail($"It is verified, but malformed by its schema: {Convert.ToHexString(message)}");
        }

        if (Copy(message) is not { } written)
        {
            UnknownCount++;
            Assert.False(isExact, "A case that is not known is exact.");
            return;
        }

        var isWritten = message[..BinaryPrimitives.ReadInt32LittleEndian(message[4..])].SequenceEqual(written);
        if (isExact != isWritten && (isWritten || target.HoldsEveryNull))
        {
            Assert.Fail($"Exact: {isExact} {error}\nis      {Convert.ToHexString(message)}\nwritten {Convert.ToHexString(written)}");
        }

        if (isRead && target.HoldsEveryNull && !target.ContentEquals(message, written))
        {
            Assert.Fail($"A copy has other content.\nis      {Convert.ToHexString(message)}\nwritten {Convert.ToHexString(written)}");
        }
    }

    // Null if the copy would lose a case.
    private byte[]? Copy(ReadOnlySpan<byte> message)
    {
        try
        {
            return target.CopyVerified(message);
        }
        catch (UnknownCaseException)
        {
            return null;
        }
    }

    private bool ReadsBySchema(ReadOnlySpan<byte> message)
    {
        if (Count % MessagesPerExplanation == 0)
        {
            BufferedMessage.Explain(message, target.Schema);
        }

        _buffer.ResetWrittenCount();
        using var json = new Utf8JsonWriter(_buffer);
        try
        {
            target.WriteJson(message, json);
            target.ContentEquals(message, original);
            return true;
        }
        catch (MalformedMessageException)
        {
            return false;
        }
    }

    // The verdict, the rule, the place and the path are those of the type.
    private void CheckBySchema(ReadOnlySpan<byte> message, bool exact)
    {
        var isValid = target.Verify(message, out var error, exact);
        var isValidBySchema = BufferedMessage.Verify(message, target.Schema, out var errorBySchema, exact);
        if (isValid != isValidBySchema || error.Path != errorBySchema.Path || error.Offset != errorBySchema.Offset || error.Rule != errorBySchema.Rule)
        {
            Assert.Fail($"By the type: {isValid} {error}\nby schema:   {isValidBySchema} {errorBySchema}\nexact: {exact}\n{Convert.ToHexString(message)}\n{target.Schema}");
        }
    }

    private static void AssertNamesPlace(MessageError error, int messageBytes)
    {
        if (!MemberPath().IsMatch(error.Path) || (uint)error.Offset > (uint)messageBytes || string.IsNullOrEmpty(error.Rule))
        {
            Assert.Fail($"No place in a message of {messageBytes} bytes: {error}");
        }
    }

    [GeneratedRegex(@"^((^|\.)(M[0-9]+|Item[0-9]+|Name|Key|Value)(\[[0-9]+\]|\.(Keys|Values)|\.(Keys|Values)\[[0-9]+\])*)*$", RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking)]
    private static partial Regex MemberPath();
}
