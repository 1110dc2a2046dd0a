namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Sets members of fixed size in place, as a user's code might. Generated programs call it, so it is public.</summary>
/// <param name="values">What they are set to.</param>
/// <param name="isShared">A second thread changes the bytes: what was set may not be there any more.</param>
/// <remarks>Damaged bytes may share payloads, so an editor that follows every path needs a limit.</remarks>
public sealed class Editor(ArbitraryValues values, bool isShared)
{
    private const int MaxMessages = 1_000;

    public ArbitraryValues Values { get; } = values;

    /// <summary>How many messages were found, nested ones included.</summary>
    public int Messages { get; private set; }

    /// <summary>How many members had no room in their message.</summary>
    public int Missing { get; private set; }

    public bool Enter() => Messages++ < MaxMessages;

    /// <summary>A message has no room for a member.</summary>
    public void Miss() => Missing++;

    /// <summary>What was set can be read.</summary>
    public void Check<T>(T expected, T actual)
    {
        if (!isShared)
        {
            Same.Value(expected, actual);
        }
    }
}
