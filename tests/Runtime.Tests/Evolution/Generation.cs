namespace BufferedMessages.Runtime.Tests.Evolution;

/// <summary>
/// A program of one generation: what it writes, and what it reads. Members go by the names that they have in the newest generation that
/// knows them, the members of the only leg by those behind <c>Leg.</c>
/// </summary>
public abstract class Generation
{
    /// <summary>What a member reads as if the writer does not know it.</summary>
    public static readonly IReadOnlyDictionary<string, object?> Missing = new Dictionary<string, object?>(StringComparer.Ordinal)
    {
        ["Quantity"] = 0, ["Desk"] = null, ["Venue"] = null, ["Price"] = null, ["Fills"] = null, ["Leg.Symbol"] = null, ["Leg.Fee"] = 0m, ["Leg.Currency"] = null,
    };

    /// <summary>Where a null leaves the initializer of a copy alone.</summary>
    public static readonly IReadOnlyDictionary<string, object?> Initializers = new Dictionary<string, object?>(StringComparer.Ordinal)
    {
        ["Desk"] = "none", ["Venue"] = "any",
    };

    private static readonly Generation[] All = [new First(), new Second(), new Third()];

    /// <summary>What it writes, by member.</summary>
    public abstract IReadOnlyDictionary<string, object?> Values { get; }

    /// <summary>A generation, from 1 on.</summary>
    public static Generation Of(int number) => All[number - 1];

    /// <summary>Writes <see cref="Values"/>.</summary>
    public abstract byte[] Write();

    /// <summary>Publishes <see cref="Values"/>.</summary>
    public abstract void Publish(MessageQueue queue);

    /// <summary>Reads a message in place.</summary>
    public abstract IReadOnlyDictionary<string, object?> Read(ReadOnlySpan<byte> message);

    /// <summary>Copies a message into an object and reads that.</summary>
    public abstract IReadOnlyDictionary<string, object?> Copy(ReadOnlySpan<byte> message);

    /// <summary>Takes the next message of a queue and reads it in place.</summary>
    public abstract IReadOnlyDictionary<string, object?> Take(MessageQueue queue, string consumer);

    /// <summary>Loads a message from a file, and writes its bytes to another one.</summary>
    public abstract void Forward(string from, string to);

    private protected static void Forward<TView>(string from, string to)
        where TView : IBufferedMessage<TView>, allows ref struct
    {
        using var owner = BufferedMessage.Load<TView>(from);
        File.WriteAllBytes(to, owner.Bytes.Span);
    }

    private protected static Dictionary<string, object?> Map(params ReadOnlySpan<(string Name, object? Value)> members)
    {
        var map = new Dictionary<string, object?>(StringComparer.Ordinal);
        foreach (var (name, value) in members)
        {
            map.Add(name, value);
        }

        return map;
    }
}
