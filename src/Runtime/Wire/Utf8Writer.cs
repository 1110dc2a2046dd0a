using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace BufferedMessages.Wire;

/// <summary>Transcodes strings to UTF-8; refuses text that has no UTF-8 form.</summary>
internal static class Utf8Writer
{
    private const int TooSmall = -1;
    private const int Surrogate = -2;

    /// <summary>Writes the UTF-8 bytes of a string.</summary>
    /// <returns>Bytes written, or a negative number for <see cref="ThrowFailure"/>.</returns>
    public static int Write(string value, ref byte destination, int length)
    {
        var status = Utf8.FromUtf16(value, MemoryMarshal.CreateSpan(ref destination, length), out _, out var written, replaceInvalidSequences: false);
        return status switch
        {
            OperationStatus.Done => written,
            OperationStatus.DestinationTooSmall => TooSmall,
            _ => Surrogate,
        };
    }

    /// <summary>Throws what a negative result of <see cref="Write"/> stands for.</summary>
    [DoesNotReturn]
    public static void ThrowFailure(int result, int destinationBytes)
    {
        if (result == Surrogate)
        {
            WriteFailure.ThrowSurrogate();
        }

        WriteFailure.ThrowTooSmall(destinationBytes);
    }
}
