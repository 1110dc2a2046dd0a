using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The payload of a slot, and its verification. The views of strings, binaries, unions, lists, sets and dictionaries are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedPayload
{
    /// <summary>Verifies a slot and its payload.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="container">The block or slot array that holds the slot.</param>
    /// <param name="offset">Offset of the slot in it, in bytes.</param>
    /// <returns>Whether all rules hold. If not, the verifier has the broken rule.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, BlockReader container, int offset);
}

/// <summary>The payload of a list, without the slot that points to it, so that a dictionary can hold its values as one. The views of lists are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedElements
{
    /// <summary>Verifies the elements.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="position">Their claimed position, in bytes from the start of the message.</param>
    /// <param name="count">Their claimed number; at least one.</param>
    /// <returns>Whether all rules hold. If not, the verifier has the broken rule.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, ulong position, uint count);
}

/// <summary>The verification of the keys of a dictionary, or of the elements of a set.</summary>
internal interface IVerifiedKeys
{
    /// <summary>Bytes of one key in the array of keys: the value, or a slot.</summary>
    static abstract int ElementBytes { get; }

    /// <summary>Verifies one key.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="keys">The array of keys.</param>
    /// <param name="offset">Offset of the key, or of its slot, in it.</param>
    /// <param name="key">The bytes by which it is hashed and compared.</param>
    /// <returns>Whether all rules hold. If not, the verifier has the broken rule.</returns>
    static abstract bool Verify(scoped ref MessageVerifier verifier, BlockReader keys, int offset, out ReadOnlySpan<byte> key);
}

/// <summary>A block whose members can be verified. Every generated view is one.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedBlock
{
    /// <summary>Verifies the members in ordinal order.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="block">The block; never the one of a null message.</param>
    /// <returns>Whether all rules hold. If not, the verifier has the broken rule.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, BlockReader block);
}

/// <summary>A union whose cases can be verified. The generated views of unions are such.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IVerifiedUnion
{
    /// <summary>Verifies the message of a case.</summary>
    /// <param name="verifier">The walk over the message.</param>
    /// <param name="number">The number of the case; never 0.</param>
    /// <param name="block">The block of the case.</param>
    /// <returns>Whether all rules hold. If not, the verifier has the broken rule.</returns>
    static abstract bool Verify(ref MessageVerifier verifier, ushort number, BlockReader block);
}
