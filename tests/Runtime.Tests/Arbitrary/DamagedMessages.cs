using System.Buffers.Binary;
using System.Text.RegularExpressions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// What must hold for any bytes: the verification names what is wrong with them, and reading them works or throws
/// <see cref="MalformedMessageException"/>; or they are verified, and then the view and a copy of it agree.
/// </summary>
internal sealed partial class DamagedMessages(MessageCase target)
{
    /// <summary>How many messages were checked.</summary>
    public int Count { get; private set; }

    /// <summary>The rules that were broken.</summary>
    public HashSet<string> BrokenRules { get; } = new(StringComparer.Ordinal);

    /// <summary>How many of them are valid.</summary>
    public int VerifiedCount { get; private set; }

    public void Check(ReadOnlySpan<byte> message)
    {
        Count++;
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
    }

    /// <summary>While a second thread changes the bytes, a verification says nothing about what is read next.</summary>
    public void CheckWhileItChanges(ReadOnlySpan<byte> message)
    {
        if (!target.Verify(message, out var error, exact: (++Count & 1) == 0))
        {
            AssertNamesPlace(error, message.Length);
        }

        Reads(message);
    }

    /// <summary>Whether the message can be read; if not, it is malformed.</summary>
    public bool Reads(ReadOnlySpan<byte> message)
    {
        try
        {
            target.ReadEverything(message);
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
        var written = target.CopyVerified(message);
        var isWritten = message[..BinaryPrimitives.ReadInt32LittleEndian(message[4..])].SequenceEqual(written);
        if (isExact != isWritten && (isWritten || target.HoldsEveryNull))
        {
            Assert.Fail($"Exact: {isExact} {error}\nis      {Convert.ToHexString(message)}\nwritten {Convert.ToHexString(written)}");
        }

        if (!isExact)
        {
            AssertNamesPlace(error, message.Length);
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
