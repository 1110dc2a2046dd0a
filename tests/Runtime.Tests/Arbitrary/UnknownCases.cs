namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>Counts the cases of unions that an older view does not know. Generated programs call it, so it is public.</summary>
public sealed class UnknownCases
{
    /// <summary>How many there were.</summary>
    public int Count { get; private set; }

    /// <summary>A view must not know a case, but say its number.</summary>
    public void Add(int number, int actual, bool isUnknown)
    {
        Count++;
        if (!isUnknown || number != actual)
        {
            Assert.Fail($"The case {number} is read as {actual}; unknown: {isUnknown}.");
        }
    }
}
