namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// Reads everything that a view offers, as a user's code might. Generated programs call it, so it is public.
/// </summary>
/// <remarks>Damaged bytes may share payloads, so a reader that follows every path needs a limit of its own.</remarks>
public sealed class Walker
{
    private const int MaxSteps = 20_000;
    private const int MaxDepth = 200;
    private int _steps;
    private int _depth;

    /// <summary>What was read comes together here, so that no read is optimized away.</summary>
    public int Sum { get; private set; }

    public bool Enter()
    {
        if (_depth == MaxDepth || _steps >= MaxSteps)
        {
            return false;
        }

        _depth++;
        _steps++;
        return true;
    }

    public void Leave() => _depth--;

    public void Value<T>(T value) => Sum += value is null ? 0 : value.GetHashCode();

    public void Text(BufferedString value)
    {
        Bytes(value);
        Sum += value == "no such text" ? 1 : 0;
        Sum += value.ToString()?.Length ?? 0;
    }

    public void Bytes(ReadOnlySpan<byte> value)
    {
        foreach (var one in value)
        {
            Sum += one;
        }
    }

    public void Values<T>(ReadOnlySpan<T> values)
        where T : unmanaged
        => Bytes(System.Runtime.InteropServices.MemoryMarshal.AsBytes(values));

    public void CheckedValues<T>(BufferedValueList<T> values)
        where T : unmanaged
    {
        foreach (var value in values)
        {
            Sum += value.GetHashCode();
        }
    }

    public void Nullables<T>(BufferedNullableList<T> values)
        where T : unmanaged
    {
        foreach (var value in values)
        {
            Sum += value.GetHashCode();
        }
    }

    public bool Step() => ++_steps < MaxSteps;
}
