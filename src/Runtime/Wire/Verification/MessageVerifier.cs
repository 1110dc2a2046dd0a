using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The verification of a message against the wire format: one walk over its payloads in order. For generated code, which lists the members of a
/// type; the rules are here.
/// </summary>
/// <remarks>
/// <para>
/// Every payload must begin at or after the end of the one before. So no byte is read twice, and the time is linear in the
/// message's size, even if the message is hostile. Nothing is allocated as long as the rules hold.
/// </para>
/// <para>
/// The bytes of members must be as the format says. The bytes that no member owns (holes, ends of blocks, gaps between payloads) may belong
/// to members of a newer writer; only an exact verification checks them.
/// </para>
/// <para>
/// A check that fails notes the rule and the position. On the way out each caller prepends its part to the path, so that a path
/// is made only for a message that needs one.
/// </para>
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref partial struct MessageVerifier
{
    private readonly ref byte _start;
    private readonly int _totalBytes;
    private readonly bool _isExact;

    // Padding of the struct that is the element of the current list: pairs of offset and length.
    private ReadOnlySpan<ushort> _padding;

    // The end of the payloads seen so far, and the slot of the current one.
    private int _end;
    private int _slot;
    private int _depth;
    private MessageError _error;

    private MessageVerifier(ref byte start, BlockReader root, bool isExact)
    {
        _start = ref start;
        _totalBytes = root.RegionBytes + WireFormat.HeaderBytes;
        _isExact = isExact;
        _end = WireFormat.HeaderBytes + root.BlockBytes;
        _depth = 1;
    }

    /// <summary>Verifies a message.</summary>
    /// <param name="message">The message; bytes after its end are ignored.</param>
    /// <param name="isExact">Whether the bytes that no member owns must be as a writer of the same schema leaves them.</param>
    /// <param name="error">The broken rule, if the result is false.</param>
    internal static bool Verify<TBlock>(ReadOnlySpan<byte> message, bool isExact, out MessageError error)
        where TBlock : IVerifiedBlock, allows ref struct
    {
        return TryBegin(message, isExact, out var verifier, out var root, out error) && verifier.End(TBlock.Verify(ref verifier, root), out error);
    }

    /// <summary>Begins a verification: checks the header and gets the root block.</summary>
    internal static bool TryBegin(ReadOnlySpan<byte> message, bool isExact, out MessageVerifier verifier, out BlockReader root, out MessageError error)
    {
        if (BlockReader.Open(message, out root) is { } rule)
        {
            verifier = default;
            error = new MessageError("", 0, rule);
            return false;
        }

        verifier = new MessageVerifier(ref MemoryMarshal.GetReference(message), root, isExact);
        error = default;
        return true;
    }

    /// <summary>Ends a verification: checks the bytes after the last payload.</summary>
    /// <param name="isRootValid">Whether the root block and its payloads are valid.</param>
    /// <param name="error">The broken rule, if the result is false.</param>
    internal bool End(bool isRootValid, out MessageError error)
    {
        var isValid = isRootValid && Tail();
        error = _error;
        return isValid;
    }

    /// <summary>The position of a block or slot array in the message.</summary>
    internal readonly int PositionOf(BlockReader container) => _totalBytes - container.RegionBytes;

    private readonly ref byte At(int position) => ref Unsafe.Add(ref _start, position);

    private readonly ReadOnlySpan<byte> Bytes(int position, int length) => MemoryMarshal.CreateReadOnlySpan(ref At(position), length);

    internal readonly BlockReader BlockAt(int position, int blockBytes) => new(ref At(position), blockBytes, _totalBytes - position);

    /// <summary>Notes the slot and returns the position of the payload it points to, wherever that is.</summary>
    internal ulong Follow(BlockReader container, int offset, ulong slot)
    {
        var position = PositionOf(container);
        _slot = position + offset;
        return (uint)position + (slot >> 32);
    }

    /// <summary>Checks the place of a payload, and steps past it.</summary>
    internal bool Claim(ulong position, ulong bytes, int alignment)
    {
        if (position < (uint)_end)
        {
            return Fail(_slot, WireRule.Order);
        }

        if (position + bytes > (uint)_totalBytes)
        {
            return Fail(_slot, WireRule.Outside);
        }

        if (((uint)position & (uint)(alignment - 1)) != 0)
        {
            return Fail(_slot, WireRule.Alignment);
        }

        if (_isExact && !Gap((int)position, alignment))
        {
            return false;
        }

        _end = (int)(position + bytes);
        return true;
    }

    private bool Gap(int position, int alignment) =>
        position == WireFormat.Align(_end, alignment)
            ? Zeros(_end, position - _end, WireRule.GapBytes)
            : Fail(_slot, WireRule.Gap);

    private bool Tail()
    {
        if (!_isExact)
        {
            return true;
        }

        return _totalBytes == WireFormat.Align((long)_end, WireFormat.WordBytes)
            ? Zeros(_end, _totalBytes - _end, WireRule.Tail)
            : Fail(_end, WireRule.Tail);
    }

    internal bool Zeros(int position, int bytes, string rule)
    {
        var index = Bytes(position, bytes).IndexOfAnyExcept((byte)0);
        return index < 0 || Fail(position + index, rule);
    }

    private bool Enter() => ++_depth <= WireFormat.MaxDepth || Fail(_slot, WireRule.Depth);

    /// <summary>Checks whether the stack has room for the payloads of an array of slots. Messages in messages are counted; lists in lists are not.</summary>
    internal bool HasStack() => RuntimeHelpers.TryEnsureSufficientExecutionStack() || Fail(_slot, WireRule.Stack);

    /// <summary>Ends a nested message or a list of messages.</summary>
    internal bool Leave()
    {
        _depth--;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool Fail(int position, string rule)
    {
        _error = new MessageError("", position, rule);
        return false;
    }

    // On the way out: the failed check is in this member.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal bool In(string member)
    {
        _error = new MessageError(member + Inner(_error.Path), _error.Offset, _error.Rule);
        return false;
    }

    // On the way out: the failed check is in this element.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal bool In(int index)
    {
        _error = new MessageError($"[{index}]{Inner(_error.Path)}", _error.Offset, _error.Rule);
        return false;
    }

    private static string Inner(string path) => path.Length == 0 || path[0] == '[' ? path : "." + path;
}
