using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The verification of values of fixed size.</summary>
internal abstract class ValueCheck
{
    /// <summary>Whether every bit pattern is a value.</summary>
    public abstract bool IsAnything { get; }

    /// <summary>Verifies a value at a position in the message.</summary>
    public abstract bool Value(ref MessageVerifier verifier, int position);

    /// <summary>Verifies a value that may be null.</summary>
    public abstract bool Nullable(ref MessageVerifier verifier, int position, bool isPresent);

    /// <summary>Verifies the values of a list.</summary>
    public abstract bool Values(ref MessageVerifier verifier, ulong position, uint count);

    /// <summary>Verifies the values of a list that may be null.</summary>
    public abstract bool Nullables(ref MessageVerifier verifier, ulong position, uint count);
}

/// <summary>The verification of a scalar.</summary>
/// <typeparam name="T">The type that it is read as.</typeparam>
internal sealed class ScalarCheck<T> : ValueCheck
    where T : unmanaged
{
    public override bool IsAnything => !WireValue.IsChecked<T>();

    public override bool Value(ref MessageVerifier verifier, int position) => verifier.Value<T>(position);

    public override bool Nullable(ref MessageVerifier verifier, int position, bool isPresent) => verifier.Nullable<T>(position, isPresent, padding: default);

    public override bool Values(ref MessageVerifier verifier, ulong position, uint count) => verifier.Values<T>(position, count);

    public override bool Nullables(ref MessageVerifier verifier, ulong position, uint count) => verifier.Nullables<T>(position, count);
}

/// <summary>The verification of a struct: its fields may hold anything, and its padding is zero.</summary>
internal sealed class StructCheck(SchemaStruct type) : ValueCheck
{
    private readonly ushort[] _padding = StructBytes.PaddingOf(type);

    public override bool IsAnything => _padding.Length == 0;

    public override bool Value(ref MessageVerifier verifier, int position) => verifier.Padding(position, _padding);

    public override bool Nullable(ref MessageVerifier verifier, int position, bool isPresent) =>
        isPresent ? Value(ref verifier, position) : verifier.Zeros(position, type.Size, WireRule.Absent);

    public override bool Values(ref MessageVerifier verifier, ulong position, uint count)
    {
        if (!verifier.Claim(position, (ulong)count * (uint)type.Size, type.Alignment))
        {
            return false;
        }

        for (var i = 0; i < count && !IsAnything; i++)
        {
            if (!Value(ref verifier, (int)position + (i * type.Size)))
            {
                return verifier.In(i);
            }
        }

        return true;
    }

    public override bool Nullables(ref MessageVerifier verifier, ulong position, uint count)
    {
        if (!verifier.NullableArray(position, count, type.Size, type.Alignment, out var values))
        {
            return false;
        }

        for (var i = 0; i < count; i++)
        {
            if (!Nullable(ref verifier, values + (i * type.Size), verifier.IsPresent((int)position, i)))
            {
                return verifier.In(i);
            }
        }

        return true;
    }
}
