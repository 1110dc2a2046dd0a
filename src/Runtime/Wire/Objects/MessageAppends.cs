using System.Diagnostics;

namespace BufferedMessages.Wire;

/// <summary>
/// The state of a message that is written in place, shared by the writers of its blocks: its end, and the blocks that can still be appended to.
/// Payloads are in the order of the members, depth first, so a block is closed as soon as one around it gets its next payload.
/// </summary>
internal sealed class MessageAppends
{
    // A list of strings in the innermost message has slots of its own.
    private const int MaxLevels = WireFormat.MaxDepth + 2;

    [ThreadStatic]
    private static MessageAppends? _spare;

    // By level: the beginning of the open block, list or slot array, and its last slot that was written.
    private readonly int[] _containers = new int[MaxLevels];
    private readonly int[] _lastSlots = new int[MaxLevels];
    private int _level;
    private bool _isAppending;

    /// <summary>The number of the message: writers of an older one are refused.</summary>
    public int Version { get; private set; }

    /// <summary>The message's bytes so far.</summary>
    public int End { get; private set; }

    /// <summary>Takes a state that no message uses.</summary>
    public static MessageAppends Rent()
    {
        var appends = _spare ?? new MessageAppends();
        _spare = null;
        return appends;
    }

    /// <summary>Returns the state for reuse: the message is finished or given up.</summary>
    public void Return()
    {
        Version++;
        _spare = this;
    }

    /// <summary>Begins a message.</summary>
    public void Begin(int end)
    {
        Debug.Assert(end > 0, "The root block comes first.");
        End = end;
        _isAppending = false;
        Open(0, WireFormat.HeaderBytes);
    }

    /// <summary>Requires a slot to be the next one, and begins to append its payload.</summary>
    /// <exception cref="InvalidOperationException">It is not.</exception>
    public void BeginAppend(int level, int container, int slot, string member)
    {
        RequireWhole();
        if (level > _level || _containers[level] != container)
        {
            throw new InvalidOperationException(
                $"{member} comes too late: a message or list around it has already moved on to its next member. Append everything to a nested message before you append the next member.");
        }

        if (slot <= _lastSlots[level])
        {
            throw new InvalidOperationException(
                $"{member} comes too late: it was called before, or for an earlier member or element. Append members in the order of their ordinals, each once.");
        }

        _level = level;
        _lastSlots[level] = slot;
        _isAppending = true;
    }

    /// <summary>Ends the append: the payload is whole.</summary>
    public void EndAppend(int end)
    {
        Debug.Assert(end > 0, "The root block comes first.");
        End = end;
        _isAppending = false;
    }

    /// <summary>Opens the payload that was just appended, which has slots of its own.</summary>
    public void Open(int level, int container)
    {
        _level = level;
        _containers[level] = container;
        _lastSlots[level] = -1;
    }

    /// <summary>Requires the last append to be whole.</summary>
    /// <exception cref="InvalidOperationException">It failed in the middle.</exception>
    public void RequireWhole()
    {
        if (_isAppending)
        {
            throw new InvalidOperationException("The last append failed and left the message unfinished. Begin the message again.");
        }
    }
}
