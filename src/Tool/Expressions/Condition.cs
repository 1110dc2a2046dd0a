using System.Text.Json;

namespace BufferedMessages.Tool;

/// <summary>A condition on a message.</summary>
internal abstract record Condition
{
    /// <summary>Whether a message satisfies it.</summary>
    /// <param name="message">The message as JSON.</param>
    public abstract bool Holds(JsonElement message);
}

/// <summary>Both conditions.</summary>
internal sealed record Both(Condition Left, Condition Right) : Condition
{
    public override bool Holds(JsonElement message) => Left.Holds(message) && Right.Holds(message);
}

/// <summary>One of two conditions, or both.</summary>
internal sealed record Either(Condition Left, Condition Right) : Condition
{
    public override bool Holds(JsonElement message) => Left.Holds(message) || Right.Holds(message);
}

/// <summary>The opposite of a condition.</summary>
internal sealed record Not(Condition Inner) : Condition
{
    public override bool Holds(JsonElement message) => !Inner.Holds(message);
}

/// <summary>A member that is there: one of its values is not null, false or empty, as a text, a list or a dictionary may be.</summary>
internal sealed record Present(MemberPath Path) : Condition
{
    public override bool Holds(JsonElement message) => Path.Find(message).Any(static value => value.ValueKind switch
    {
        JsonValueKind.Null or JsonValueKind.False => false,
        JsonValueKind.String => !value.ValueEquals(""),
        JsonValueKind.Array => value.GetArrayLength() > 0,
        JsonValueKind.Object => value.GetPropertyCount() > 0,
        _ => true,
    });
}

/// <summary>A comparison. It holds if a value on the left and a value on the right satisfy it; a path with <c>[]</c> has a value for each element.</summary>
internal sealed record Comparison(Operand Left, string Operator, Operand Right) : Condition
{
    public override bool Holds(JsonElement message)
    {
        foreach (var left in Left.Values(message))
        {
            foreach (var right in Right.Values(message))
            {
                if (left.Satisfies(Operator, right))
                {
                    return true;
                }
            }
        }

        return false;
    }
}

/// <summary>A side of a comparison: a path, or a constant.</summary>
internal sealed record Operand(MemberPath? Path, ComparedValue Constant)
{
    /// <summary>Gives its values in a message.</summary>
    public IEnumerable<ComparedValue> Values(JsonElement message) => Path is null ? [Constant] : Path.Find(message).Select(ComparedValue.Of);
}
