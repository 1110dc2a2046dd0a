using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The thread's memory for a message of unknown size: its writer grows it as needed. Writing there and copying the bytes takes less time
/// than calculating the size first, which reads all strings.
/// </summary>
internal sealed class MessageScratch
{
    // A thread keeps this many bytes. Larger memory comes from the framework's pool, for one message.
    private const int KeptBytes = 64 * 1024;
    private const int GrowthFactor = 4;

    [ThreadStatic]
    private static MessageScratch? _ofThread;

    private readonly byte[] _kept = GC.AllocateUninitializedArray<byte>(KeptBytes);
    private readonly MessageScratch? _outer;
    private Type? _blocks;
    private byte[]? _rented;
    private int _lastBytes;
    private bool _isUsed;

    private MessageScratch(MessageScratch? outer) => _outer = outer;

    /// <summary>All of the memory.</summary>
    public Span<byte> Memory => _rented ?? _kept;

    /// <summary>Begins a message.</summary>
    /// <param name="blocks">The type of the blocks that its generated code writes: the memory grows under these alone.</param>
    /// <returns>The memory of the thread; <see cref="End"/> it.</returns>
    public static MessageScratch Begin(Type blocks)
    {
        var scratch = _ofThread;
        if (scratch is null || scratch._isUsed)
        {
            // A property of a source may write another message.
            scratch = _ofThread = new MessageScratch(scratch);
        }

        scratch._isUsed = true;
        scratch._blocks = blocks;
        if (scratch._lastBytes > KeptBytes)
        {
            scratch._rented = ArrayPool<byte>.Shared.Rent(scratch._lastBytes);
        }

        return scratch;
    }

    /// <summary>Ends a message.</summary>
    /// <param name="bytes">Its size, which the next message is expected to have.</param>
    public void End(int bytes)
    {
        Debug.Assert(bytes >= 0 && _ofThread == this, "A message ends on its thread, after those that were begun later.");
        _lastBytes = bytes;
        _isUsed = false;
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
            _rented = null;
        }

        if (_outer is not null)
        {
            _ofThread = _outer;
        }
    }

    /// <summary>Grows the memory if it is too small. Its content is lost.</summary>
    public bool TryReserve(int bytes)
    {
        var isTooSmall = bytes > Memory.Length;
        if (isTooSmall)
        {
            Replace(ArrayPool<byte>.Shared.Rent(bytes));
        }

        return isTooSmall;
    }

    /// <summary>
    /// Grows the memory of a message, if it is this thread's. A method that a user wrote holds the memory itself. So the memory
    /// is not moved under a message of another type, or under one that is written in place.
    /// </summary>
    /// <param name="root">The type of the message's root block; null if it is written in place.</param>
    /// <param name="start">Start of the message.</param>
    /// <param name="used">Bytes that were written.</param>
    /// <param name="bytes">The least that is needed.</param>
    /// <returns>The new memory; empty if the message is another one, or would be too large.</returns>
    public static Span<byte> TryGrow(Type? root, ref byte start, int used, long bytes)
    {
        var scratch = _ofThread;
        if (scratch is not { _isUsed: true, _blocks: { } blocks }
            || !blocks.IsAssignableFrom(root)
            || !Unsafe.AreSame(ref start, ref MemoryMarshal.GetReference(scratch.Memory))
            || bytes > Array.MaxLength)
        {
            return default;
        }

        var grown = ArrayPool<byte>.Shared.Rent((int)Math.Min(Math.Max(bytes, (long)scratch.Memory.Length * GrowthFactor), Array.MaxLength));
        scratch.Memory[..used].CopyTo(grown);
        scratch.Replace(grown);
        return grown;
    }

    private void Replace(byte[] larger)
    {
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
        }

        _rented = larger;
    }
}
