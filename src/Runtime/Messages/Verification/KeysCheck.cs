using BufferedMessages.Wire;

namespace BufferedMessages;

/// <summary>The verification of the keys of a dictionary, or of the elements of a set.</summary>
internal abstract class KeysCheck
{
    /// <summary>Bytes of one key in the array of keys: the value, or a slot.</summary>
    public abstract int ElementBytes { get; }

    /// <summary>Verifies the keys of a table.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="table">The position of the dictionary or set.</param>
    /// <param name="count">The number of its entries.</param>
    public abstract bool Verify(ref MessageVerifier verifier, int table, int count);

    /// <summary>Verifies a set.</summary>
    public abstract bool Set(ref MessageVerifier verifier, BlockReader container, int offset);
}

/// <summary>Keys of a kind that the wire format knows.</summary>
/// <typeparam name="TKeys">How they are stored.</typeparam>
internal sealed class KeysCheck<TKeys> : KeysCheck
    where TKeys : IVerifiedKeys
{
    public override int ElementBytes => TKeys.ElementBytes;

    public override bool Verify(ref MessageVerifier verifier, int table, int count) => verifier.Keys<TKeys>(table, count);

    public override bool Set(ref MessageVerifier verifier, BlockReader container, int offset) => verifier.Set<TKeys>(container, offset);
}
